#!/usr/bin/python3
"""Fails on what a reader should never meet: a header without #pragma once, a file over 600 lines, a
file named after nothing (util, helpers, common, manager), the path of somebody's machine.

Prints file:line. Run by ctest; an argument names another root to check.
"""
import os
import re
import sys

# Every time the database reads comes through a clock that can be moved; what asks the machine stands
# in one place.
CLOCK_HOME = "src/base/clock.h"
HAVE_THEIR_OWN_TIME = ("include/partita/model/", "src/model/")  # programs that use a database
MACHINE_CLOCK = re.compile(r"system_clock::now|\bstd::time\(|\btime\((?:nullptr|NULL|0|&)|\bgettimeofday\("
                           r"|\bclock_gettime\(|\butc_clock::now|\bfile_clock::now")

LINES_MAX = 600
TOPS = ("include", "src", "apps", "examples", "bench", "tests", "tools", "docs", "console")
SKIPPED_FOLDERS = {"node_modules", "__pycache__", "build"}
CODE = (".h", ".cc", ".py", ".sh", ".mjs", ".js", ".ts")
TEXT = CODE + (".md", ".api", ".txt", ".cmake", ".json")
GENERATED = {"package-lock.json"}
NAMED_AFTER_NOTHING = re.compile(r"(^|[_.-])(utils?|helpers?|common|managers?)([_.-]|$)")
# Home directories and checkouts of one machine. Written apart so that this file passes its own check.
MACHINE_PATH = re.compile(r"(?<![\w.*])/(?:ho" r"me|Us" r"ers|ro" r"ot|wo" r"rk)/\w+")


def files(root):
    for name in sorted(os.listdir(root)):
        if os.path.isfile(os.path.join(root, name)) and not name.startswith("."):
            yield name
    for top in TOPS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), root)


def complaints(root, path, header_names):
    name = os.path.basename(path)
    if any(NAMED_AFTER_NOTHING.search(part) for part in path.split("/")):
        yield f"{path}:1: named after nothing; which room or subject is it?"
    if not path.endswith(TEXT) and "." in name or name in GENERATED:
        return
    with open(os.path.join(root, path), encoding="utf-8") as text:
        lines = text.read().splitlines()
    if path.endswith(".h") and "#pragma once" not in lines:
        yield f"{path}:1: a header needs #pragma once"
    # A .cc is explained by its header, wherever that is, and a test by what it tests.
    explained = path.endswith("_test.cc") or name[:-len(".cc")] + ".h" in header_names
    if path.endswith((".h", ".cc")) and not explained and not "".join(lines[:1]).startswith("//"):
        yield f"{path}:1: a file opens with what it is for"
    if path.endswith(CODE) and len(lines) > LINES_MAX:
        yield f"{path}:{LINES_MAX}: {len(lines)} lines; look for the second subject in it"
    keeps_time = (path.startswith(("include/", "src/", "apps/")) and not path.endswith("_test.cc")
                  and not path.startswith(HAVE_THEIR_OWN_TIME))
    for number, line in enumerate(lines, 1):
        if keeps_time and path != CLOCK_HOME and MACHINE_CLOCK.search(line):
            yield f"{path}:{number}: asks the machine for the time; {CLOCK_HOME} says whom to ask"
        if MACHINE_PATH.search(line):
            yield f"{path}:{number}: the path of one machine"
        if path.endswith(CODE) and line != line.rstrip():
            yield f"{path}:{number}: blanks at the end of the line"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    wrong = []
    paths = list(files(root))
    header_names = {os.path.basename(path) for path in paths if path.endswith(".h")}
    for path in paths:
        wrong.extend(complaints(root, path, header_names))
    for line in wrong:
        print(line)
    print(f"check_style: {len(paths)} files, {len(wrong)} complaints")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
