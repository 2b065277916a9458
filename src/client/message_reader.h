// Answers out of JSON, by their shapes (message_shapes.h). Members that are not known, and words of
// enums that are not, are passed over: a newer server may say more.
#pragma once

#include <charconv>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "client/message_writer.h"
#include "formats/json_reader.h"
#include "formats/typed_json.h"
#include "formats/value_json.h"

namespace partita::client {

class MessageReader {
 public:
  // `body` is followed by kJsonPaddingBytes readable bytes.
  explicit MessageReader(std::string_view body) : json_(&memory_), items_(&memory_) {
    json_.open(body);
  }

  template <typename T>
  Result<void> read_whole(T& out) {
    read(out);
    if (item_error_) return std::move(*item_error_);
    return json_.finish();
  }

  template <typename T>
  void read(T& out) {
    if constexpr (std::is_same_v<T, bool>) {
      out = read_truth(json_);
    } else if constexpr (std::is_enum_v<T>) {
      const std::string_view text = read_text(json_);
      for (const auto& word : kWords<T>) {
        if (word.text == text) out = word.value;
      }
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
      out = read_integer(json_);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      out = read_long(json_);
    } else if constexpr (std::is_same_v<T, double>) {
      const std::string_view text = json_.read_number();
      std::from_chars(text.data(), text.data() + text.size(), out);
    } else if constexpr (std::is_same_v<T, std::string>) {
      out = read_text(json_);
    } else if constexpr (std::is_same_v<T, Item>) {
      out = Item(read_item());
    } else {
      read_object(out);
    }
  }
  template <typename T>
  void read(std::optional<T>& out) {
    read(out.emplace());
  }
  void read(ItemList& out) {
    json_.enter_array();
    while (json_.next_element()) out.append(read_item());
  }
  template <typename T>
  void read(std::map<std::string, T, std::less<>>& out) {
    json_.enter_object();
    for (std::string_view name; json_.next_member(name);) read(out[std::string(name)]);
  }
  template <typename T>
  void read(std::vector<T>& out) {
    if constexpr (HasEntry<T>) {
      json_.enter_object();
      for (std::string_view name; json_.next_member(name);) {
        T& entry = out.emplace_back();
        Entry<T>::key(entry) = name;
        read_value_of(entry);
      }
    } else {
      json_.enter_array();
      while (json_.next_element()) read(out.emplace_back());
    }
  }

 private:
  // One member of an object: goes to the field of its name.
  struct Member {
    MessageReader& reader;
    std::string_view name;
    bool known = false;

    bool is(std::string_view wanted) {
      if (known || wanted != name) return false;
      return known = true;
    }
    template <typename T>
    void operator()(std::string_view wanted, T& field) {
      if (is(wanted)) reader.read(field);
    }
    template <typename T>
    void when_given(std::string_view wanted, T& field, bool& given) {
      if (!is(wanted)) return;
      given = true;
      reader.read(field);
    }
    // Is its text this word?
    void is_word(std::string_view wanted, std::string_view word, bool& field) {
      if (is(wanted)) field = read_text(reader.json_) == word;
    }
    void pair(std::string_view wanted, double& first, double& second) {
      std::vector<double> both;
      (*this)(wanted, both);
      if (both.size() == 2) first = both[0], second = both[1];
    }
    template <typename T>
    void objects(std::string_view wanted, std::vector<T>& field) {
      if (!is(wanted)) return;
      reader.json_.enter_array();
      while (reader.json_.next_element()) reader.read_object(field.emplace_back());
    }
    template <typename Members>
    void object(std::string_view wanted, Members members) {
      if (!is(wanted)) return;
      reader.read_members([&](Member& inner) { members(inner); });
    }
  };

  template <typename Each>
  void read_members(Each each) {
    json_.enter_object();
    for (std::string_view name; json_.next_member(name);) {
      if (json_.read_null()) continue;
      Member member{*this, name};
      each(member);
      if (!member.known) json_.skip_value();
    }
  }
  template <typename T>
  void read_object(T& out) {
    read_members([&](Member& member) { Shape<T>::each(member, out); });
  }
  template <typename T>
  void read_value_of(T& entry) {
    auto& value = Entry<T>::value(entry);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, T>) {
      read_object(entry);
    } else {
      read(value);
    }
  }
  // Valid until the next one is read.
  ItemView read_item() {
    items_.clear();
    ValueJsonReader values(json_, items_, &memory_);
    values.read_item();
    if (values.error() && !item_error_) item_error_ = std::move(values.error());
    return item_error_ || json_.failed() ? ItemView() : items_.item();
  }

  std::pmr::monotonic_buffer_resource memory_;
  JsonReader json_;
  ItemWriter items_;
  std::optional<Error> item_error_;
};

}  // namespace partita::client
