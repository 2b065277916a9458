#!/usr/bin/python3
"""The two checks are themselves checked: each must fail on a tree made wrong on purpose."""
import os
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.dirname(os.path.abspath(__file__))


def run(check, files):
    """Runs a check on a tree made of `files` and returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, os.path.join(TOOLS, check), root],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def header(include):
    return f"// For the test.\n#pragma once\n#include {include}\n"


class Layers(unittest.TestCase):
    def assert_wrong(self, path, include, others=()):
        files = {path: header(include), **{other: header("<string>") for other in others}}
        code, output = run("check_layers.py", files)
        self.assertEqual(code, 1, output)
        self.assertIn(f"{path}:3:", output)

    def test_a_right_tree_passes(self):
        code, output = run("check_layers.py", {
            "src/value/number.h": header('"base/coding.h"'),
            "src/base/coding.h": header("<string>"),
            "src/server/server.h": header("<libdeflate.h>"),
            "include/partita/value.h": header('"partita/result.h"'),
        })
        self.assertEqual(code, 0, output)

    def test_an_include_up_the_table_is_refused(self):
        self.assert_wrong("src/value/number.h", '"catalog/catalog.h"', ["src/catalog/catalog.h"])

    def test_operations_do_not_see_storage(self):
        self.assert_wrong("src/operations/put.h", '"storage/engine.h"', ["src/storage/engine.h"])

    def test_base_does_not_see_the_public_headers(self):
        self.assert_wrong("src/base/coding.h", '"partita/result.h"')

    def test_public_headers_do_not_see_src(self):
        self.assert_wrong("include/partita/value.h", '"base/coding.h"', ["src/base/coding.h"])

    def test_a_library_has_one_home(self):
        self.assert_wrong("src/catalog/catalog.h", "<rocksdb/db.h>")
        self.assert_wrong("src/wire/dispatch.h", "<simdjson.h>")

    def test_an_unknown_room_is_refused(self):
        self.assert_wrong("src/attic/chest.h", "<string>")

    def test_engines_do_not_see_each_other(self):
        self.assert_wrong("src/storage/memory/a.h", '"storage/rocksdb/b.h"',
                          ["src/storage/rocksdb/b.h"])

    def test_an_empty_tree_fails(self):
        self.assertEqual(run("check_layers.py", {"docs/x.md": "x"})[0], 1)


class Style(unittest.TestCase):
    def assert_wrong(self, path, text, place):
        code, output = run("check_style.py", {path: text})
        self.assertEqual(code, 1, output)
        self.assertIn(f"{path}:{place}:", output)

    def test_a_right_tree_passes(self):
        code, output = run("check_style.py", {"src/base/coding.h": header("<string>")})
        self.assertEqual(code, 0, output)

    def test_a_header_needs_pragma_once(self):
        self.assert_wrong("src/base/coding.h", "// What it is for.\n", 1)

    def test_a_long_file_is_refused(self):
        self.assert_wrong("src/base/coding.cc", "// Long.\n" * 601, 600)

    def test_a_file_named_after_nothing_is_refused(self):
        self.assert_wrong("src/base/string_utils.h", header("<string>"), 1)
        self.assert_wrong("src/common/x.h", header("<string>"), 1)

    def test_time_has_one_source(self):
        for call in ("std::chrono::system_clock::now()", "std::time(nullptr)", "clock_gettime(0, &t)"):
            self.assert_wrong("src/jobs/sweeper.cc", f"// It sweeps.\nauto now = {call};\n", 2)
        code, output = run("check_style.py", {
            "src/jobs/sweeper.cc": "// It sweeps.\nauto now = std::chrono::steady_clock::now();\n"
                                   "int lifetime(int x);\n",
            "src/base/clock.h": header("<chrono>") + "auto t = std::chrono::system_clock::now();\n"})
        self.assertEqual(code, 0, output)

    def test_a_machine_path_is_refused(self):
        self.assert_wrong("docs/a.md", "see /ho" "me/ada/notes\n", 1)


if __name__ == "__main__":
    unittest.main()
