// An organisation with departments and employees, and offices all over the world: hierarchies in
// sort keys.
//
//   Access pattern           Index   Key
//   find_organisation        table   PK = ORG#acme, SK = ORG#acme
//   departments              table   PK = ORG#acme, SK begins with DEPT#
//   find_department          table   PK = ORG#acme, SK = DEPT#engineering
//   employees_of             table   PK = ORG#acme, SK begins with DEPT#engineering#EMP#
//   everybody                table   PK = ORG#acme, SK begins with DEPT#
//   reports_to               GSI1    GSI1PK = ORG#acme#MANAGER#001, sparse: the head has no manager
//   offices in a country     table   PK = OFFICES#USA
//   … state                  table   PK = OFFICES#USA, SK begins with NE#
//   … city                   table   PK = OFFICES#USA, SK begins with NE#Omaha#
//   … postcode               table   PK = OFFICES#USA, SK begins with NE#Omaha#68118#
//
// Departments and employees share a prefix. Each is read by its own repository, which leaves the
// other's items aside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::organisations {

using namespace partita::model;
using partita::Result;

struct Organisation {
  std::string org{};
  std::string name{};
};
struct Department {
  std::string org{};
  std::string department{};
  std::string name{};
};
struct Employee {
  std::string org{};
  std::string department{};
  std::string id{};
  std::string name{};
  std::optional<std::string> manager{};
};
struct Office {
  std::string country{};
  std::string state{};
  std::string city{};
  std::string postcode{};
  std::string street{};
};

inline constexpr auto organisation_table =
    define_table<"Organisations">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">);

inline constexpr auto organisation =
    define_entity<Organisation, "organisation">(organisation_table, key<"ORG#{org}", "ORG#{org}">);

inline constexpr auto department = define_entity<Department, "department">(
    organisation_table, key<"ORG#{org}", "DEPT#{department}">);

inline constexpr auto employee = define_entity<Employee, "employee">(
    organisation_table, key<"ORG#{org}", "DEPT#{department}#EMP#{id}">,
    indexed<"reports", "GSI1", "ORG#{org}#MANAGER#{manager}", "EMP#{id}">);

inline constexpr auto office = define_entity<Office, "office">(
    organisation_table, key<"OFFICES#{country}", "{state}#{city}#{postcode}#{street}">);

class Organisations {
 public:
  explicit Organisations(partita::Api& api) : table_(organisation_table.in(api)) {}
  Organisations(const Organisations&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }

  Result<Organisation> add(Organisation added) {
    return organisations_.create(std::move(added)).run();
  }
  Result<Department> add(Department added) { return departments_.create(std::move(added)).run(); }
  Result<Employee> add(Employee added) { return employees_.create(std::move(added)).run(); }
  Result<Office> add(Office added) { return offices_.create(std::move(added)).run(); }

  Result<std::optional<Organisation>> find_organisation(std::string_view org) {
    return organisations_.get(org).run();
  }
  Result<std::vector<Department>> departments(std::string_view org) {
    return departments_.query(org).all();
  }
  Result<std::optional<Department>> find_department(std::string_view org, std::string_view name) {
    return departments_.get(org, name).run();
  }
  Result<std::vector<Employee>> employees_of(std::string_view org, std::string_view name) {
    return employees_.query(org).under(name).all();
  }
  Result<std::vector<Employee>> everybody(std::string_view org) {
    return employees_.query(org).all();
  }
  Result<std::vector<Employee>> reports_to(std::string_view org, std::string_view manager) {
    return employees_.query<"reports">(org, manager).all();
  }

  // As exact as wanted: a country, its state, a city in it, a postcode.
  template <typename... Levels>
  Result<std::vector<Office>> offices(std::string_view country, const Levels&... levels) {
    return offices_.query(country).under(levels...).all();
  }
  Result<std::vector<Office>> offices(std::string_view country) {
    return offices_.query(country).all();
  }

 private:
  TableOf<organisation_table> table_;
  RepositoryOf<organisation> organisations_ = table_.repository<organisation>();
  RepositoryOf<department> departments_ = table_.repository<department>();
  RepositoryOf<employee> employees_ = table_.repository<employee>();
  RepositoryOf<office> offices_ = table_.repository<office>();
};

inline Result<void> add_acme(Organisations& all) {
  PARTITA_CHECK(all.create_table());
  PARTITA_CHECK(all.add(Organisation{"acme", "Acme Corp"}));
  PARTITA_CHECK(all.add(Department{"acme", "engineering", "Engineering"}));
  PARTITA_CHECK(all.add(Department{"acme", "sales", "Sales"}));
  PARTITA_CHECK(all.add(Employee{"acme", "engineering", "001", "Alice", {}}));
  PARTITA_CHECK(all.add(Employee{"acme", "engineering", "002", "Bob", "001"}));
  PARTITA_CHECK(all.add(Employee{"acme", "sales", "003", "Carol", "001"}));
  PARTITA_CHECK(all.add(Office{"USA", "NE", "Omaha", "68118", "Dodge Street 1"}));
  PARTITA_CHECK(all.add(Office{"USA", "NE", "Omaha", "68102", "Farnam Street 9"}));
  PARTITA_CHECK(all.add(Office{"USA", "NE", "Lincoln", "68508", "O Street 3"}));
  PARTITA_CHECK(all.add(Office{"USA", "NEV", "Reno", "89501", "Virginia Street 5"}));
  PARTITA_CHECK(all.add(Office{"France", "IDF", "Paris", "75001", "Rue de Rivoli 2"}));
  return {};
}

}  // namespace examples::organisations
