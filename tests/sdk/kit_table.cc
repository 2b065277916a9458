// kit_table write|read DIRECTORY: a table of the modelling kit, for others to read and write.
#include <iostream>
#include <string>

#include "partita/database.h"
#include "partita/model/model.h"

namespace {

using namespace partita::model;

enum class Status { draft, published };

struct Author {
  std::string name{};
  std::optional<std::string> email{};
};

struct Article {
  std::string id{};
  std::string title{};
  Status status{};
  std::int64_t words = 0;
  Decimal price{};
  double rating = 0;
  bool featured = false;
  Binary cover{};
  Author author{};
  std::vector<std::string> sections{};
  std::map<std::string, std::int64_t> readers{};
  std::set<std::string> tags{};
  std::set<std::int64_t> editions{};
  std::chrono::sys_time<std::chrono::milliseconds> written{};
  std::optional<std::chrono::sys_seconds> expires{};
};

inline constexpr auto library =
    define_table<"Library">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, ttl<"expires">);
inline constexpr auto article = define_entity<Article, "article">(
    library, key<"ARTICLE#{id}", "METADATA">,
    indexed<"by_status", "GSI1", "STATUS#{status}", "{written}#{id}">, unique<"title">);

int fail(const partita::Error& error) {
  std::cerr << error.message() << '\n';
  return 1;
}

int write(const Repository<EntityOf<article>>& articles) {
  Article made;
  made.id = "c#1";  // '#' must not look like a separator
  made.title = "Grüße aus C++";
  made.status = Status::published;
  made.words = 1200;
  made.price = Decimal::parse("19.99").value();
  made.rating = 4.5;
  made.featured = true;
  made.cover = {std::byte{0}, std::byte{255}};
  made.author = {"Ada", "ada@example.com"};
  made.sections = {"one", "two"};
  made.readers = {{"de", 3}, {"nz", 4}};
  made.tags = {"db", "c++"};
  made.editions = {1, 2};
  made.written += std::chrono::milliseconds(1717243200123);
  made.expires = std::chrono::sys_seconds(std::chrono::seconds(1900000000));
  const auto created = articles.create(made).run();
  return created ? 0 : fail(created.error());
}

int read(const Repository<EntityOf<article>>& articles) {
  const auto found = articles.query<"by_status">(Status::draft).first();
  if (!found) return fail(found.error());
  if (!*found) return std::cerr << "there is no draft\n", 1;
  const Article& read = **found;
  std::cout << read.id << ' ' << read.title << ' ' << read.words << ' ' << read.price.to_string()
            << ' ' << read.author.name << ' ' << read.tags.size() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto database = partita::Database::open({.data_directory = argv[2]});
  if (!database) return fail(database.error());
  auto table = library.in(**database);
  if (const auto created = table.create_if_missing(); !created) return fail(created.error());
  const auto articles = table.repository<article>();
  return std::string(argv[1]) == "write" ? write(articles) : read(articles);
}
