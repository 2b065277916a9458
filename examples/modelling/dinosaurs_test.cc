#include "dinosaurs.h"

#include "example_test.h"

namespace examples::dinosaurs {
namespace {

class DinosaursTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(dig(research)); }
  static Names ids(const Research::Dinosaurs& found) { return names(found, &Dinosaur::id); }
  Research research{*api};
};

TEST_F(DinosaursTest, prefixes_keep_entities_with_the_same_id_apart) {
  ASSERT_DONE(research.add<sample>({"allo", "allo"}));
  EXPECT_EQ(research.find<dinosaur>("allo")->value().species, "fragilis");
  EXPECT_EQ(research.find<sample>("allo")->value().dinosaur, "allo");
  EXPECT_EQ(research.find<expedition>("sahara")->value().leader, "ada");
  EXPECT_EQ(research.find<researcher>("bob")->value().specialization, "geology");
  EXPECT_EQ(research.find<publication>("p1")->value().title, "On large teeth");
  EXPECT_FALSE(research.find<publication>("allo")->has_value());
}

TEST_F(DinosaursTest, one_index_serves_three_entities) {
  EXPECT_EQ(ids(research.found_by_expedition("sahara")), (Names{"cerato", "allo", "brachio"}));
  EXPECT_EQ(names(research.expeditions_led_by("ada"), &Expedition::id), (Names{"sahara", "otago"}));
  EXPECT_EQ(names(research.researchers_in("palaeontology"), &Researcher::name),
            (Names{"Ada", "Cyrus"}));
}

TEST_F(DinosaursTest, keys_group_by_how_the_data_is_read) {
  EXPECT_EQ(ids(research.discoveries_by("ada")), (Names{"allo", "brachio"}));
  EXPECT_EQ(ids(research.in_region("EG", "Sahara")), (Names{"brachio", "allo", "cerato"}))
      << "by species";
  EXPECT_EQ(ids(research.in_region("NZ", "Otago")), Names{"moa"});
}

TEST_F(DinosaursTest, hierarchical_sort_keys_are_read_at_every_level) {
  EXPECT_EQ(ids(research.with_diet(Diet::carnivore)), (Names{"moa", "allo", "cerato"}));
  EXPECT_EQ(ids(research.with_diet(Diet::carnivore, Period::jurassic)), (Names{"allo", "cerato"}));
  EXPECT_EQ(ids(research.with_diet(Diet::carnivore, Period::jurassic, Size::large)), Names{"allo"});
  EXPECT_EQ(ids(research.classified(Period::jurassic, Diet::carnivore)), (Names{"allo", "cerato"}));
  EXPECT_EQ(ids(research.classified(Period::jurassic, Diet::carnivore, "Allosauridae")),
            Names{"allo"});
}

TEST_F(DinosaursTest, a_timeline_reads_months_one_after_the_other) {
  EXPECT_EQ(ids(research.timeline(day(5, 1), day(7, 31))),
            (Names{"cerato", "allo", "brachio", "moa"}));
  EXPECT_EQ(ids(research.timeline(day(5, 21), day(7, 3))), (Names{"allo", "brachio"}));
}

TEST_F(DinosaursTest, padded_numbers_are_in_the_order_of_numbers) {
  EXPECT_EQ(ids(research.heavier_than(Period::jurassic, 0)), (Names{"cerato", "allo", "brachio"}));
  EXPECT_EQ(ids(research.heavier_than(Period::jurassic, 980)), (Names{"allo", "brachio"}));
}

TEST_F(DinosaursTest, reversed_times_bring_the_newest_first) {
  EXPECT_EQ(ids(research.newest_of_expedition("sahara", 2)), (Names{"brachio", "allo"}));
}

TEST_F(DinosaursTest, only_what_is_published_is_in_the_sparse_index) {
  EXPECT_EQ(ids(research.published()), Names{"allo"});
  ASSERT_DONE(research.publish("moa", day(8, 1)));
  EXPECT_EQ(ids(research.published()), (Names{"moa", "allo"}));
}

TEST_F(DinosaursTest, place_and_time_are_asked_together) {
  EXPECT_EQ(ids(research.found_near({"EG", "Sahara"}, day(6, 1))), (Names{"allo", "brachio"}));
}

TEST_F(DinosaursTest, all_dinosaurs_are_spread_over_ten_partitions_and_gathered) {
  EXPECT_EQ(ids(research.all_dinosaurs()), (Names{"allo", "brachio", "cerato", "moa"}));
}

TEST_F(DinosaursTest, events_are_read_by_time_and_kind) {
  EXPECT_EQ(names(research.events_of("sahara"), &Event::id), (Names{"1", "3", "2", "4"}));
  EXPECT_EQ(names(research.events_after("sahara", day(6, 1)), &Event::id), Names{"4"});
  EXPECT_EQ(names(research.events_like("sahara", day(6, 1), EventKind::discovery), &Event::id),
            Names{"2"});
}

TEST(DinosaursDesign, lint_finds_nothing) {
  Design design;
  design.add<dinosaur>().add<expedition>().add<researcher>();
  design.add<publication>().add<sample>().add<event>();
  const LintReport report = lint(
      design,
      {{.name = "found_by_expedition",
        .entity = "dinosaur",
        .by = "by_expedition",
        .results = 100,
        .ordered = true},
       {.name = "with_diet",
        .entity = "dinosaur",
        .by = "by_diet",
        .results = 0,
        .ordered = true,
        .paged = true},
       {.name = "timeline", .entity = "dinosaur", .by = "timeline", .results = 0, .ordered = true},
       {.name = "heavier_than",
        .entity = "dinosaur",
        .by = "by_weight",
        .results = 0,
        .ordered = true,
        .paged = true},
       {.name = "published",
        .entity = "dinosaur",
        .by = "published",
        .results = 0,
        .share = 0.1,
        .paged = true},
       {.name = "all_dinosaurs", .entity = "dinosaur", .by = "all", .results = 0, .paged = true},
       {.name = "expeditions_led_by",
        .entity = "expedition",
        .given = {"leader"},
        .results = 20,
        .ordered = true},
       {.name = "events_of",
        .entity = "event",
        .given = {"expedition"},
        .results = 0,
        .ordered = true,
        .paged = true}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::dinosaurs
