// Opens a database on disk twice: what the first opening stored, the second finds, also typed.
#include <iostream>

#include <partita/database.h>
#include <partita/model/model.h>

struct Entry {
  std::string name{};
  std::int64_t litres = 0;
};
inline constexpr auto shopping =
    partita::model::define_table<"Shopping">(partita::model::key<"name">);
inline constexpr auto entry =
    partita::model::define_entity<Entry, "entry">(shopping, partita::model::key<"{name}">);

int main(int, char** argv) {
  using namespace partita;
  const Item milk{{"name", Value::string("milk")}, {"litres", Value::number(2)}};
  const Item key{{"name", Value::string("milk")}};
  {
    auto database = Database::open({.data_directory = argv[1]});
    if (!database) return std::cerr << database.error().message() << '\n', 1;
    CreateTableRequest table;
    table.table_name = "Shopping";
    table.attribute_definitions = {{"name", ScalarType::S}};
    table.key_schema = {{"name", KeyType::Hash}};
    table.billing_mode = BillingMode::PayPerRequest;
    if (!(*database)->create_table(table)) return 2;
    if (!(*database)->put_item({.table_name = "Shopping", .item = milk})) return 3;
  }
  auto database = Database::open({.data_directory = argv[1]});
  if (!database) return std::cerr << database.error().message() << '\n', 1;
  const auto found = (*database)->get_item({.table_name = "Shopping", .key = key});
  if (!found || !found->item) return 4;
  auto list = shopping.in(**database);
  const auto typed = list.repository<entry>().get("milk").run();
  if (!typed || !*typed || (*typed)->litres != 2) return 5;
  std::cout << found->item->find("litres")->number() << " litres of milk\n";
}
