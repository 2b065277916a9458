// Row: one stored row in one allocation.
//
//   row := owners u32, key length u32, sort length u32, value length u32, version u64, key, sort,
//   value
//
// A row does not change once it is in a tree: a new value is a new row. So a reader that owns a
// reference reads it without a lock.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>

#include "base/ref.h"
#include "storage/engine.h"
#include "storage/memory/row_room.h"

namespace partita::memory {

class Row {
 public:
  static Ref<Row> make(Bytes key, Bytes sort, Bytes value) {
    void* room = RowRoom::take(sizeof(Row) + key.size() + sort.size() + value.size());
    return Ref<Row>::adopt(new (room) Row(key, sort, value));
  }
  static void destroy(Row* row) {
    const std::size_t bytes = sizeof(Row) + row->key_bytes_ + row->sort_bytes_ + row->value_bytes_;
    row->~Row();
    RowRoom::give_back(row, bytes);
  }

  Bytes key() const { return {bytes(), key_bytes_}; }
  Bytes sort() const { return {bytes() + key_bytes_, sort_bytes_}; }
  Bytes value() const { return {bytes() + key_bytes_ + sort_bytes_, value_bytes_}; }
  Version version() const { return version_; }
  // Only before the row is in a tree.
  void set_version(Version version) { version_ = version; }

  RowView view(SpaceId space, std::uint64_t hash, Slot slot) const {
    return {{space, hash, key()}, {slot, sort()}, version_, value()};
  }

  ReferenceCount references;

 private:
  Row(Bytes key, Bytes sort, Bytes value)
      : key_bytes_(static_cast<std::uint32_t>(key.size())),
        sort_bytes_(static_cast<std::uint32_t>(sort.size())),
        value_bytes_(static_cast<std::uint32_t>(value.size())) {
    char* to = reinterpret_cast<char*>(this + 1);
    for (Bytes part : {key, sort, value}) {
      if (!part.empty()) std::memcpy(to, part.data(), part.size());
      to += part.size();
    }
  }
  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }

  std::uint32_t key_bytes_;
  std::uint32_t sort_bytes_;
  std::uint32_t value_bytes_;
  Version version_ = 0;
};

}  // namespace partita::memory
