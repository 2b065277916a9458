#!/usr/bin/python3
"""Fails on what a reader should never meet: a header without #pragma once, a file over 600 lines, a
file named after nothing (util, helpers, common, manager), the path of somebody's machine.

Prints file:line. Run by ctest; an argument names another root to check.
"""
import os
import re
import sys

LINES_MAX = 600
TOPS = ("include", "src", "apps", "kit", "examples", "bench", "tests", "tools", "docs", "console")
SKIPPED_FOLDERS = {"node_modules", "__pycache__", "build"}
CODE = (".h", ".cc", ".py", ".sh", ".mjs", ".js", ".ts")
TEXT = CODE + (".md", ".api", ".txt", ".cmake", ".json")
GENERATED = {"package-lock.json"}
NAMED_AFTER_NOTHING = re.compile(r"(^|[_.-])(utils?|helpers?|common|managers?)([_.-]|$)")
# Home directories and checkouts of one machine. Written apart so that this file passes its own check.
MACHINE_PATH = re.compile(r"/(?:ho" r"me|Us" r"ers|ro" r"ot|wo" r"rk)/\w+")


def files(root):
    for name in sorted(os.listdir(root)):
        if os.path.isfile(os.path.join(root, name)) and not name.startswith("."):
            yield name
    for top in TOPS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), root)


def complaints(root, path):
    name = os.path.basename(path)
    if any(NAMED_AFTER_NOTHING.search(part) for part in path.split("/")):
        yield f"{path}:1: named after nothing; which room or subject is it?"
    if not path.endswith(TEXT) and "." in name or name in GENERATED:
        return
    with open(os.path.join(root, path), encoding="utf-8") as text:
        lines = text.read().splitlines()
    if path.endswith(".h") and "#pragma once" not in lines:
        yield f"{path}:1: a header needs #pragma once"
    explained_by_header = path.endswith(".cc") and os.path.exists(
        os.path.join(root, path[:-len(".cc")] + ".h"))
    if path.endswith((".h", ".cc")) and not explained_by_header and not "".join(
            lines[:1]).startswith("//"):
        yield f"{path}:1: a file opens with what it is for"
    if path.endswith(CODE) and len(lines) > LINES_MAX:
        yield f"{path}:{LINES_MAX}: {len(lines)} lines; look for the second subject in it"
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            yield f"{path}:{number}: the path of one machine"
        if path.endswith(CODE) and line != line.rstrip():
            yield f"{path}:{number}: blanks at the end of the line"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    wrong, count = [], 0
    for path in files(root):
        count += 1
        wrong.extend(complaints(root, path))
    for line in wrong:
        print(line)
    print(f"check_style: {count} files, {len(wrong)} complaints")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
