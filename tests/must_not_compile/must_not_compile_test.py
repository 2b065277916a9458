#!/usr/bin/python3
"""Mistakes in a model do not compile, and the compiler says what is wrong in a sentence.

cases.txt has one case after another:

  == the sentence that must be in the output
  C++ that is put at the place of its kind (see FRAME)

A case without a mistake, marked "== compiles", shows that the frame itself is good.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../.."))
FLAGS = ["-std=c++20", "-I" + os.path.join(ROOT, "include")]

FRAME = """
using namespace partita::model;
enum class Diet { herbivore, carnivore };
struct Place { std::string country{}; std::string region{}; };
struct Dinosaur {
  std::string id{};
  Diet diet{};
  std::int64_t weight = 1;
  std::optional<std::string> expedition{};
  std::vector<std::string> log{};
  std::set<std::string> tags{};
  std::chrono::sys_seconds discovered{};
  Place found{};
  double length = 0;
  std::int64_t version = 0;
};
struct Ranger { std::string name{}; };
inline constexpr auto park = define_table<"Park">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK">,
    gsi<"Heaviest", "diet", "weight:N">, lsi<"LSI1", "LSI1SK">);
inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
    park, key<"DINO#{id}", "METADATA">,
    indexed<"by_diet", "GSI1", "DIET#{diet}", "W#{weight:08}#{id}">);
"""

LISTED = """
using namespace partita::model;
enum class Diet { herbivore, carnivore };
struct Place { std::string country{}; std::string region{}; };
struct Dinosaur { std::string id{}; Diet diet{}; std::int64_t weight = 1; Place found{}; };
template <>
inline constexpr auto partita::model::members<Place> =
    member_list<&Place::country, &Place::region>;
template <>
inline constexpr auto partita::model::members<Dinosaur> =
    member_list<&Dinosaur::id, &Dinosaur::diet, stored_as<&Dinosaur::weight, "mass">,
                &Dinosaur::found>;
inline constexpr auto park =
    define_table<"Park">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">);
inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
    park, key<"DINO#{id}", "METADATA">,
    indexed<"by_diet", "GSI1", "DIET#{diet}", "{mass:08}#{found.country}">);
partita::Result<void> use(partita::Api& api) {
  auto table = park.in(api);
  auto dinosaurs = table.repository<dinosaur>();
  PARTITA_CHECK(dinosaurs.create({.id = "rex"}).run());
  PARTITA_CHECK(dinosaurs.update("rex").set<&Dinosaur::weight>(3).read_modify_write().run());
  for (const Dinosaur& each : dinosaurs.query<"by_diet">(Diet::carnivore).from(3)) (void)each;
  return {};
}
"""


def read_cases():
    with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as file:
        parts = re.split(r"^== (.*)\n", file.read(), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


class MustNotCompile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        header = os.path.join(cls.folder.name, "kit.h")
        with open(header, "w", encoding="utf-8") as file:
            file.write("#include <partita/model/model.h>\n" + FRAME)
        # Compiled once: each case then costs little more than itself.
        subprocess.run(["g++", *FLAGS, "-x", "c++-header", header, "-o", header + ".gch"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def compile(self, code):
        path = os.path.join(self.folder.name, "case.cc")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#include "kit.h"\n' + code)
        return subprocess.run(["g++", *FLAGS, "-fsyntax-only", "-I" + self.folder.name, path],
                              capture_output=True, text=True)

    def test_each_mistake_is_told_in_its_sentence(self):
        cases = read_cases()
        self.assertGreater(len(cases), 20)
        for sentence, code in cases:
            with self.subTest(sentence, code=code):
                result = self.compile(code)
                if sentence == "compiles":
                    self.assertEqual(result.returncode, 0, result.stderr[:3000])
                    continue
                self.assertNotEqual(result.returncode, 0, "it compiles")
                told = " ".join(re.findall(r"error: .*", result.stderr))
                self.assertIn(sentence, told, result.stderr[:3000])

    @unittest.skipUnless(shutil.which("clang++"), "needs clang++")
    def test_a_compiler_that_cannot_name_members_takes_a_list(self):
        path = os.path.join(self.folder.name, "listed.cc")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#include <partita/model/model.h>\n" + LISTED)
        result = subprocess.run(["clang++", *FLAGS, "-fsyntax-only", path],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr[:3000])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], warnings="ignore")
