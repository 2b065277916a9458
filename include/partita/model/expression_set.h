// ExpressionSet: the expressions of one request, with the names and values they share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partita/model/item_sink.h"
#include "partita/requests/items.h"

namespace partita::model {

class ExpressionSet {
 public:
  std::string condition;
  std::string filter;
  std::string update;
  std::string projection;
  std::string key_condition;

  // Not inline: every file with an entity would compile them anew.
  ExpressionSet();
  ExpressionSet(const ExpressionSet&);
  ExpressionSet(ExpressionSet&&) noexcept;
  ExpressionSet& operator=(const ExpressionSet&);
  ExpressionSet& operator=(ExpressionSet&&) noexcept;
  ~ExpressionSet();

  // Appends a placeholder for each name of a path such as "found.country". The names must outlive
  // the request; those of members and key attributes are constants.
  void name(std::string& out, std::string_view path);
  void whole_name(std::string& out, std::string_view name);  // dots are part of it
  // Appends a placeholder for a value, which is copied.
  void value(std::string& out, ValueView value);
  void text_value(std::string& out, std::string_view text);
  void integer_value(std::string& out, std::int64_t number);

  // Joins a condition to the ones there are.
  static void begin_conjunct(std::string& condition) {
    if (!condition.empty()) condition += " AND ";
  }

  // The attributes that a filter or projection names, without what lies within them.
  std::vector<std::string_view> attributes_in(std::string_view expression) const;
  // What a request wants; valid until something is added.
  ExpressionAttributes attributes();
  static std::optional<std::string_view> given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
  }

 private:
  void placeholder(std::string& out, char sign, std::size_t number);

  std::vector<std::string_view> names_;
  std::string value_bytes_;
  std::vector<std::size_t> value_ends_;
  std::vector<ExpressionAttributeName> name_list_;
  std::vector<ExpressionAttributeValue> value_list_;
};

}  // namespace partita::model
