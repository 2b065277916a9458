// For tests: random documents that know, without the encoding, what they are and what they cost.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "value/item_encoding.h"
#include "value/number.h"

namespace partita::testing {

// A value as a tree. Scalars and set members are texts; numbers are in the form they are printed.
struct Document {
  ValueType type = ValueType::NULL_;
  std::string scalar;                          // S, N, B; "true" or "false"
  std::vector<std::string> members;            // SS, NS, BS: distinct
  std::vector<Document> elements;              // L
  std::map<std::string, Document> attributes;  // M, and items

  // Says what the value is, so that two documents are the same when their texts are.
  std::string text() const {
    std::string out(type_name(type));
    const auto add = [&](std::string_view part) {
      out.append("(").append(std::to_string(part.size())).append(":").append(part).append(")");
    };
    add(scalar);
    std::vector<std::string> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& member : sorted) add(member);
    for (const Document& element : elements) add(element.text());
    for (const auto& [name, value] : attributes) {
      add(name);
      add(value.text());
    }
    return out;
  }
};

class DocumentSource {
 public:
  explicit DocumentSource(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  // Mostly a few letters, so that equal ones, prefixes and zero bytes come up often.
  std::string bytes() {
    static constexpr std::string_view kBytes(
        "\0\x01"
        "ab\x7F\x80\xFE\xFF",
        8);
    return letters(kBytes);
  }
  std::string utf8() {
    return letters(
        std::string_view("\0\x01"
                         "abz#",
                         6));
  }
  std::string number() {
    std::string text = below(2) == 0 ? "-" : "";
    for (std::size_t digits = 1 + below(5); digits > 0; --digits) {
      text += static_cast<char>('0' + below(10));
    }
    if (below(4) == 0) text += "e" + std::to_string(static_cast<int>(below(200)) - 100);
    std::string printed;
    print_number(parse_number(text)->bytes(), printed);
    return printed;
  }

  Document value(unsigned levels = 3) {
    Document document;
    document.type = static_cast<ValueType>(below(10));
    switch (document.type) {
      case ValueType::S:
        document.scalar = utf8();
        break;
      case ValueType::N:
        document.scalar = number();
        break;
      case ValueType::B:
        document.scalar = bytes();
        break;
      case ValueType::BOOL:
        document.scalar = below(2) == 0 ? "true" : "false";
        break;
      case ValueType::NULL_:
        break;
      case ValueType::M:
        if (levels > 0) document.attributes = attributes(levels - 1);
        break;
      case ValueType::L:
        for (std::size_t i = levels > 0 ? below(4) : 0; i > 0; --i) {
          document.elements.push_back(value(levels - 1));
        }
        break;
      case ValueType::SS:
      case ValueType::NS:
      case ValueType::BS:
        document.members = members(document.type);
        break;
    }
    return document;
  }

  Document item() {
    Document document;
    document.type = ValueType::M;
    document.attributes = attributes(3);
    return document;
  }

  // Writes with names and members in a random order.
  void write(const Document& document, ItemWriter& writer) {
    switch (document.type) {
      case ValueType::S:
        return writer.string(document.scalar);
      case ValueType::N:
        return expect(writer.number(document.scalar));
      case ValueType::B:
        return writer.binary(document.scalar);
      case ValueType::BOOL:
        return writer.boolean(document.scalar == "true");
      case ValueType::NULL_:
        return writer.null();
      case ValueType::M:
        expect(writer.begin_map());
        write_attributes(document, writer);
        return writer.end_map();
      case ValueType::L:
        expect(writer.begin_list());
        for (const Document& element : document.elements) write(element, writer);
        return writer.end_list();
      default:
        return write_set(document, writer);
    }
  }
  void write_item(const Document& document, ItemWriter& writer) {
    writer.begin_item();
    write_attributes(document, writer);
    writer.end_item();
  }

 private:
  static void expect(const Result<void>& result) { result.value(); }

  std::string letters(std::string_view alphabet) {
    std::string text;
    const std::size_t length = below(20) == 0 ? below(300) : below(4);
    for (std::size_t i = 0; i < length; ++i) text += alphabet[below(alphabet.size())];
    return text;
  }
  std::map<std::string, Document> attributes(unsigned levels) {
    std::map<std::string, Document> named;
    for (std::size_t i = below(6); i > 0; --i) named[utf8()] = value(levels);
    return named;
  }
  std::vector<std::string> members(ValueType type) {
    std::vector<std::string> distinct;
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      std::string member = type == ValueType::SS   ? utf8()
                           : type == ValueType::NS ? number()
                                                   : bytes();
      if (std::find(distinct.begin(), distinct.end(), member) == distinct.end()) {
        distinct.push_back(std::move(member));
      }
    }
    return distinct;
  }

  void write_attributes(const Document& document, ItemWriter& writer) {
    std::vector<const std::pair<const std::string, Document>*> entries;
    for (const auto& entry : document.attributes) entries.push_back(&entry);
    std::shuffle(entries.begin(), entries.end(), random_);
    for (const auto* entry : entries) {
      writer.name(entry->first);
      write(entry->second, writer);
    }
  }
  void write_set(const Document& document, ItemWriter& writer) {
    std::vector<std::string> shuffled = document.members;
    std::shuffle(shuffled.begin(), shuffled.end(), random_);
    writer.begin_set(document.type);
    for (const std::string& member : shuffled) {
      if (document.type == ValueType::NS) {
        expect(writer.number_member(member));
      } else if (document.type == ValueType::SS) {
        writer.string_member(member);
      } else {
        writer.binary_member(member);
      }
    }
    expect(writer.end_set());
  }

  std::mt19937 random_;
};

// The document an encoded value is.
inline Document document_of(ValueView value) {
  Document document;
  document.type = value.type();
  switch (document.type) {
    case ValueType::S:
      document.scalar = value.string();
      break;
    case ValueType::N:
      document.scalar = value.number();
      break;
    case ValueType::B:
      document.scalar = value.binary();
      break;
    case ValueType::BOOL:
      document.scalar = value.boolean() ? "true" : "false";
      break;
    case ValueType::NULL_:
      break;
    case ValueType::M:
      for (const auto& [name, entry] : value.map()) {
        document.attributes.emplace(name, document_of(entry));
      }
      break;
    case ValueType::L:
      for (ValueView element : value.list()) document.elements.push_back(document_of(element));
      break;
    case ValueType::NS:
      for (Bytes member : value.set()) print_number(member, document.members.emplace_back());
      break;
    case ValueType::SS:
    case ValueType::BS:
      for (Bytes member : value.set()) document.members.emplace_back(member);
      break;
  }
  return document;
}

inline Document document_of(ItemView item) {
  Document document;
  document.type = ValueType::M;
  for (const auto& [name, value] : item) document.attributes.emplace(name, document_of(value));
  return document;
}

}  // namespace partita::testing
