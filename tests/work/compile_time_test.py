#!/usr/bin/python3
"""A file with an entity of 20 members, three indexes and everything one does with it compiles in 3
seconds: the whole file, with the kit's headers.

Judged by the compiler's own CPU time, in the best of several rounds. A machine that is busy or slow
makes everything longer, so the file may also take a few times as long as one that includes nothing
but the parts of the standard library that such a program uses, compiled in the same round.
"""
import os
import resource
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SECONDS_MAX, LIBRARY_TIMES_MAX, ROUNDS_MAX = 3, 3, 6

LIBRARY = "".join(f"#include <{name}>\n" for name in (
    "chrono", "functional", "map", "memory", "optional", "set", "string", "variant", "vector"))

INCLUDE = "#include <partita/model/model.h>\n"
MEMBERS = "\n".join(f"  std::string text{i}{{}};\n  std::int64_t number{i} = 0;\n"
                    f"  std::optional<std::string> maybe{i}{{}};" for i in range(6))
ENTITY = """
using namespace partita::model;
struct Thing {
  std::string id{};
  std::chrono::sys_seconds at{};
""" + MEMBERS + """
};
inline constexpr auto things = define_table<"Things">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">,
    gsi<"GSI3", "GSI3PK", "GSI3SK">);
inline constexpr auto thing = define_entity<Thing, "thing">(
    things, key<"THING#{id}", "THING#{id}">,
    indexed<"by_text", "GSI1", "T#{text0}", "{number0:08}#{id}">,
    indexed<"by_time", "GSI2", "DAY#{at:day}", "{at|rev}#{id}">,
    indexed<"maybe", "GSI3", "M#{maybe0}", "{text1}#{id}">, ulid<&Thing::id>);

partita::Result<std::vector<Thing>> use(partita::Api& api) {
  auto table = things.in(api);
  auto all = table.repository<thing>();
  PARTITA_TRY(const Thing made, all.create({.text0 = "a"}).run());
  PARTITA_CHECK(all.update(made.id).set<&Thing::number1>(7).when(field<&Thing::number2> < 9).run());
  PARTITA_CHECK(all.get(made.id).run());
  PARTITA_CHECK(all.remove(made.id).run());
  return all.query<"by_text">("a").from(3).filter(field<&Thing::text2> == "b").all();
}
"""


def compile_seconds(code):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "thing.cc")
        with open(path, "w", encoding="utf-8") as file:
            file.write(code)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["g++", "-std=c++20", "-O0", "-I" + os.path.join(ROOT, "include"), "-c", path,
                        "-o", path + ".o"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class CompileTime(unittest.TestCase):
    def test_an_entity_with_20_members(self):
        self.assertEqual(MEMBERS.count("{}") + MEMBERS.count("= 0") + 2, 20)
        for _ in range(ROUNDS_MAX):
            library, headers, whole = map(compile_seconds, (LIBRARY, INCLUDE, INCLUDE + ENTITY))
            print(f"a file with an entity of 20 members: {whole:.2f} s of CPU time, {headers:.2f} s of them "
                  f"the kit's headers; the standard library alone: {library:.2f} s", flush=True)
            limit = max(SECONDS_MAX, LIBRARY_TIMES_MAX * library)
            if headers + 0.05 < whole < limit:
                return
        self.assertGreater(whole - headers, 0.05, "the measurement is broken")
        self.assertLess(whole, limit)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], warnings="ignore")
