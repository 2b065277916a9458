// Requests as JSON, by their shapes (message_shapes.h).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "client/item_shapes.h"
#include "formats/json_writer.h"
#include "formats/value_json.h"

namespace partita::client {

template <typename T>
concept HasEntry = requires(T& entry) {
  Entry<std::remove_const_t<T>>::key(entry);
};

class MessageWriter {
 public:
  explicit MessageWriter(JsonWriter& json) : json_(json) {}

  // A member that is not there is not written.
  template <typename T>
  void operator()(std::string_view name, const T& value) {
    json_.member(name);
    write(value);
  }
  template <typename T>
  void operator()(std::string_view name, const std::optional<T>& value) {
    if (value) (*this)(name, *value);
  }
  template <typename T>
  void when_given(std::string_view name, const T& value, bool given) {
    if (given) (*this)(name, value);
  }
  // {"name": {"inner": value}}
  template <typename T>
  void wrapped(std::string_view name, std::string_view inner, const std::optional<T>& value) {
    if (value) object(name, [&](MessageWriter& writer) { writer(inner, *value); });
  }
  template <typename Members>
  void object(std::string_view name, Members members) {
    json_.member(name);
    json_.begin_object();
    members(*this);
    json_.end_object();
  }

  template <typename T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      json_.boolean(value);
    } else if constexpr (std::is_enum_v<T>) {
      json_.string(enum_text(kWords<T>, value));
    } else if constexpr (std::is_integral_v<T>) {
      json_.integer(value);
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      json_.string(value);
    } else if constexpr (std::is_same_v<T, ItemView> || std::is_same_v<T, ValueView>) {
      write_json(json_, value);
    } else {
      json_.begin_object();
      Shape<T>::each(*this, value);
      json_.end_object();
    }
  }
  template <typename T>
  void write(const std::vector<T>& values) {
    write(std::span<const T>(values));
  }
  template <typename T>
  void write(const std::span<const T>& values) {
    if constexpr (HasEntry<T>) {
      json_.begin_object();
      for (const T& each : values) {
        json_.key(Entry<T>::key(each));
        write(Entry<T>::value(each));
      }
      json_.end_object();
    } else {
      json_.begin_array();
      for (const T& each : values) {
        json_.element();
        write(each);
      }
      json_.end_array();
    }
  }

 private:
  JsonWriter& json_;
};

template <typename Request>
void write_request(const Request& request, TextBuffer& out) {
  JsonWriter json(out);
  MessageWriter(json).write(request);
}

}  // namespace partita::client
