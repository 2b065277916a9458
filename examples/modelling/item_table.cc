#include "item_table.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "partita/database.h"

namespace examples {
namespace {

using namespace partita;

std::string text_of(ValueView value) {
  const auto joined = [](std::string open, const std::vector<std::string>& parts, char close) {
    for (std::size_t i = 0; i < parts.size(); ++i) open += (i == 0 ? "" : ", ") + parts[i];
    return open + close;
  };
  std::vector<std::string> parts;
  switch (value.type()) {
    case ValueType::S:
      return std::string(value.string());
    case ValueType::N:
      return value.number();
    case ValueType::BOOL:
      return value.boolean() ? "true" : "false";
    case ValueType::M:
      for (const Attribute each : value.map()) {
        parts.push_back(std::string(each.name) + ": " + text_of(each.value));
      }
      return joined("{", parts, '}');
    case ValueType::L:
      for (const ValueView each : value.list()) parts.push_back(text_of(each));
      return joined("[", parts, ']');
    case ValueType::SS:
      for (const Bytes each : value.set()) parts.emplace_back(each);
      return joined("{", parts, '}');
    default:
      return std::string(type_name(value.type()));
  }
}

// One row: the key columns, then "name=value …".
using Row = std::vector<std::string>;

Row row_of(ItemView item, const std::vector<std::string>& columns, bool with_rest) {
  Row row;
  for (const std::string& column : columns) {
    const auto value = item.find(column);
    row.push_back(value ? text_of(*value) : "");
  }
  if (!with_rest) return row;
  std::string rest;
  for (const Attribute each : item) {
    if (std::find(columns.begin(), columns.end(), each.name) != columns.end()) continue;
    if (each.name.starts_with("GSI") || each.name.starts_with("LSI")) continue;  // shown below
    rest +=
        std::string(rest.empty() ? "" : "  ") + std::string(each.name) + '=' + text_of(each.value);
  }
  row.push_back(std::move(rest));
  return row;
}

void print_rows(std::vector<Row> rows, Row titles, std::ostream& out) {
  std::sort(rows.begin(), rows.end());
  rows.insert(rows.begin(), std::move(titles));
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
}

Result<void> print_one(Api& api, const std::string& table, const std::string& index,
                       const std::vector<std::string>& columns, std::ostream& out) {
  ScanRequest request{.table_name = table};
  if (!index.empty()) request.index_name = index;
  std::vector<Row> rows;
  std::optional<Item> start;
  do {
    if (start) request.exclusive_start_key = *start;
    PARTITA_TRY(PageResponse page, api.scan(request));
    for (std::size_t i = 0; i < page.items.size(); ++i) {
      rows.push_back(row_of(page.items[i], columns, index.empty()));
    }
    start = std::move(page.last_evaluated_key);
  } while (start);
  out << '\n' << (index.empty() ? table : index) << ": " << rows.size() << " items\n";
  Row titles = columns;
  if (index.empty()) titles.push_back("attributes");
  print_rows(std::move(rows), std::move(titles), out);
  return {};
}

std::vector<std::string> names_of(const std::vector<KeySchemaElement>& schema) {
  std::vector<std::string> names;
  for (const KeySchemaElement& element : schema) names.push_back(element.name);
  return names;
}

}  // namespace

Result<void> print_table(Api& api, std::string_view table_name, std::ostream& out) {
  const std::string table(table_name);
  PARTITA_TRY(const TableDescription shape, api.describe_table({.table_name = table}));
  const std::vector<std::string> keys = names_of(shape.key_schema);
  PARTITA_CHECK(print_one(api, table, "", keys, out));

  std::map<std::string, std::vector<std::string>> indexes;
  for (const auto& each : shape.global_secondary_indexes) {
    indexes[each.index_name] = names_of(each.key_schema);
  }
  for (const auto& each : shape.local_secondary_indexes) {
    indexes[each.index_name] = names_of(each.key_schema);
  }
  for (auto& [name, columns] : indexes) {
    for (const std::string& key : keys) {
      if (std::find(columns.begin(), columns.end(), key) == columns.end()) columns.push_back(key);
    }
    PARTITA_CHECK(print_one(api, table, name, columns, out));
  }
  return {};
}

int run_example(std::string_view table_name, Result<void> (*example)(Api&)) {
  const auto database = Database::in_memory();
  auto done = example(*database);
  if (done) done = print_table(*database, table_name, std::cout);
  if (!done) std::cerr << "failed: " << done.error().message() << '\n';
  return done ? 0 : 1;
}

}  // namespace examples
