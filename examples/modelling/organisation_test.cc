#include "organisation.h"

#include "example_test.h"

namespace examples::organisations {
namespace {

class OrganisationTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(add_acme(all)); }
  Organisations all{*api};
};

TEST_F(OrganisationTest, the_organisation_is_found) {
  EXPECT_EQ(all.find_organisation("acme")->value().name, "Acme Corp");
  EXPECT_FALSE(all.find_organisation("other")->has_value());
}

TEST_F(OrganisationTest, departments_are_read_without_their_employees) {
  EXPECT_EQ(names(all.departments("acme"), &Department::name), (Names{"Engineering", "Sales"}));
  EXPECT_EQ(all.find_department("acme", "engineering")->value().name, "Engineering");
}

TEST_F(OrganisationTest, employees_are_read_of_a_department_and_of_all) {
  EXPECT_EQ(names(all.employees_of("acme", "engineering"), &Employee::name),
            (Names{"Alice", "Bob"}));
  EXPECT_EQ(names(all.employees_of("acme", "sales"), &Employee::name), Names{"Carol"});
  EXPECT_EQ(names(all.everybody("acme"), &Employee::name), (Names{"Alice", "Bob", "Carol"}));
}

TEST_F(OrganisationTest, those_with_a_manager_are_in_the_sparse_index) {
  EXPECT_EQ(names(all.reports_to("acme", "001"), &Employee::name), (Names{"Bob", "Carol"}));
  EXPECT_EQ(names(all.reports_to("acme", "002"), &Employee::name), Names{});
}

TEST_F(OrganisationTest, offices_are_found_at_every_level) {
  EXPECT_EQ(all.offices("USA")->size(), 4u);
  EXPECT_EQ(names(all.offices("USA", "NE"), &Office::city), (Names{"Lincoln", "Omaha", "Omaha"}))
      << "NEV only starts like NE";
  EXPECT_EQ(names(all.offices("USA", "NE", "Omaha"), &Office::postcode), (Names{"68102", "68118"}));
  EXPECT_EQ(names(all.offices("USA", "NE", "Omaha", "68118"), &Office::street),
            Names{"Dodge Street 1"});
  EXPECT_EQ(names(all.offices("France"), &Office::city), Names{"Paris"});
}

TEST(OrganisationDesign, lint_finds_nothing) {
  Design design;
  design.add<organisation>().add<department>().add<employee>().add<office>();
  const LintReport report = lint(
      design,
      {{.name = "find_organisation",
        .entity = "organisation",
        .kind = AccessKind::Get,
        .given = {"org"}},
       {.name = "departments", .entity = "department", .given = {"org"}, .results = 100},
       {.name = "everybody", .entity = "employee", .given = {"org"}, .results = 0, .paged = true},
       {.name = "reports_to", .entity = "employee", .by = "reports", .results = 50},
       {.name = "offices",
        .entity = "office",
        .given = {"country"},
        .results = 0,
        .ordered = true}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::organisations
