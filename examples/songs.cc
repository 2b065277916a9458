// Partita inside a program: a table of songs, no server. Only include/partita is used.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "partita/database.h"

using namespace partita;

namespace {

// Ends the program with the database's own words if something failed.
template <typename T>
T expect(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    std::exit(1);
  }
  return *std::move(result);
}

void add_song(Database& database, std::string_view artist, std::string_view title,
              std::int64_t year) {
  const Item song{{"Artist", Value::string(artist)},
                  {"Title", Value::string(title)},
                  {"Year", Value::number(year)}};
  expect(database.put_item({.table_name = "Songs", .item = song}));
}

}  // namespace

int main() {
  // Database::open({.data_directory = "songs"}) would keep them on disk.
  const auto database = Database::in_memory();

  CreateTableRequest table;
  table.table_name = "Songs";
  table.attribute_definitions = {{"Artist", ScalarType::S}, {"Title", ScalarType::S}};
  table.key_schema = {{"Artist", KeyType::Hash}, {"Title", KeyType::Range}};
  table.billing_mode = BillingMode::PayPerRequest;
  expect(database->create_table(table));

  add_song(*database, "Nina Simone", "Feeling Good", 1965);
  add_song(*database, "Nina Simone", "Sinnerman", 1965);
  add_song(*database, "Bill Evans", "Peace Piece", 1958);

  const Value artist = Value::string("Nina Simone");
  const ExpressionAttributeValue values[] = {{":artist", artist}};
  QueryRequest by_artist;
  by_artist.table_name = "Songs";
  by_artist.key_condition_expression = "Artist = :artist";
  by_artist.expression_attributes.values = values;
  const QueryResponse songs = expect(database->query(by_artist));

  for (std::size_t i = 0; i < songs.items.size(); ++i) {
    const std::string_view title = songs.items[i].find("Title")->string();
    std::printf("%.*s\n", static_cast<int>(title.size()), title.data());
  }
  std::printf("%d songs by Nina Simone\n", songs.count);
}
