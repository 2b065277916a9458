// The lending library of docs/modelling/tutorial.md, which quotes this file part by part.
#include <chrono>
#include <iostream>
#include <optional>
#include <string>

#include "partita/database.h"
#include "partita/model/model.h"

#include "item_table.h"

using namespace partita::model;
using partita::Result;
using Day = std::chrono::sys_days;

struct Book {
  std::string id{};
  std::string title{};
  std::string author{};
  std::int64_t year = 0;
  std::optional<std::string> lent_to{};
};

struct Borrower {
  std::string id{};
  std::string name{};
  std::string email{};
};

struct Loan {
  std::string borrower{};
  std::string book{};
  Day due{};
};

inline constexpr auto library =
    define_table<"Library">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">);

inline constexpr auto book = define_entity<Book, "book">(
    library, key<"BOOK#{id}", "BOOK#{id}">,
    indexed<"by_author", "GSI1", "AUTHOR#{author}", "{year:04}#{title}">);

inline constexpr auto borrower = define_entity<Borrower, "borrower">(
    library, key<"BORROWER#{id}", "BORROWER#{id}">, ulid<&Borrower::id>, unique<"email">);

inline constexpr auto loan =
    define_entity<Loan, "loan">(library, key<"BORROWER#{borrower}", "LOAN#{book}">,
                                indexed<"by_due_day", "GSI1", "DUE#{due:month}", "{due}#{book}">);

inline constexpr auto borrower_and_loans = define_collection<"", borrower, loan>();

Result<void> add_books(RepositoryOf<book> books) {
  PARTITA_CHECK(books.create({"b1", "The Dispossessed", "Le Guin", 1974, {}}).run());
  PARTITA_CHECK(books.create({"b2", "Always Coming Home", "Le Guin", 1985, {}}).run());
  PARTITA_CHECK(books.create({"b3", "Solaris", "Lem", 1961, {}}).run());

  PARTITA_TRY(const std::optional<Book> found, books.get("b3").run());
  std::cout << "b3 is " << found->title << '\n';

  auto of_le_guin = books.query<"by_author">("Le Guin").from(1980);
  for (const Book& each : of_le_guin) std::cout << each.year << ' ' << each.title << '\n';
  return {};
}

// The book is marked and the loan is written, or neither.
Result<void> lend(const TableOf<library>& table, const std::string& who, const std::string& what,
                  Day due) {
  return Transaction(table)
      .add(table.repository<book>().update(what).set<&Book::lent_to>(who).when(
          missing(field<&Book::lent_to>)))
      .add(table.repository<loan>().create({who, what, due}))
      .run();
}

Result<void> show_borrower(const TableOf<library>& table, const std::string& id) {
  PARTITA_TRY(auto found, borrower_and_loans.in(table).query(id).fetch());
  const auto& [borrowers, loans] = found;
  std::cout << borrowers.at(0).name << " has " << loans.size() << " books\n";
  return {};
}

Result<void> run(partita::Api& api) {
  auto table = library.in(api);
  PARTITA_CHECK(table.create_if_missing());
  PARTITA_CHECK(add_books(table.repository<book>()));

  auto borrowers = table.repository<borrower>();
  PARTITA_TRY(const Borrower ada, borrowers.create({"", "Ada", "ada@example.com"}).run());
  if (const auto again = borrowers.create({"", "Eve", "ada@example.com"}).run(); !again) {
    std::cout << again.error().message() << '\n';
  }

  const Day march = std::chrono::year(2024) / 3 / 1;
  PARTITA_CHECK(lend(table, ada.id, "b1", march + std::chrono::days(9)));
  PARTITA_CHECK(lend(table, ada.id, "b3", march + std::chrono::days(2)));
  if (!lend(table, "somebody", "b1", march)) std::cout << "b1 is lent already\n";
  PARTITA_CHECK(show_borrower(table, ada.id));

  auto due =
      table.repository<loan>().query<"by_due_day">(march).up_to(march + std::chrono::days(5));
  for (const Loan& each : due) std::cout << each.book << " is due\n";
  return {};
}

int main() { return examples::run_example("Library", &run); }
