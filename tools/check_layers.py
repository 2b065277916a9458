#!/usr/bin/python3
"""Fails when a file includes what its room may not see (ARCHITECTURE.md, "Who may see whom").

Prints file:line for every wrong include. Run by ctest; an argument names another root to check.
"""
import os
import re
import sys

# room: the rooms it may include, besides itself. A room not named here may not exist.
PUBLIC = "include/partita"
PLAN_SEES = {"base", "value", "expression", "catalog"}
EXECUTION_SEES = PLAN_SEES | {"plan", "storage"}
BELOW_WIRE = EXECUTION_SEES | {"execution", "partiql", "operations", "jobs", "formats"}
MAY_SEE = {
    "base": set(),
    "value": {"base"},
    "storage": {"base"},
    "auth": {"base"},
    "expression": {"base", "value"},
    "formats": {"base", "value"},
    "catalog": {"base", "value", "storage"},
    "plan": PLAN_SEES,
    "execution": EXECUTION_SEES,
    "partiql": PLAN_SEES | {"plan"},
    "operations": (EXECUTION_SEES | {"execution", "formats", "partiql"}) - {"storage"},
    "jobs": EXECUTION_SEES | {"execution", "formats"},
    "database": BELOW_WIRE,
    "access": PLAN_SEES | {"auth"},
    "wire": {"base", "value", "formats"},
    "client": {"base", "value", "formats", "auth", "wire"},
    "push": {"base", "value", "formats", "wire", "client"},
    "server": {"base", "auth", "wire"},
    "model": {"base", "value", "formats"},
    "console": set(),
    "apps": {"base", "auth", "access", "server", "client", "push", "model"},
    "examples": set(),
    PUBLIC: set(),
}
SEES_NO_PUBLIC_HEADER = {"base", "console"}
# Headers of plain structs are the words in which plans are written; engine.h is not among them.
PLAN_VOCABULARY = {"storage/slot.h", "storage/key_range.h", "storage/partition.h"}

# An included file whose path starts so, and the only place that may include it.
HOME_OF = {
    "rocksdb/": "src/storage/rocksdb/",
    "simdjson": "src/formats/",
    "xxhash": "src/value/",
    "libdeflate": "src/server/",
    "openssl/": "src/auth/",
    "curl/": "src/client/",
    "toml++/": "apps/cli/",
}
# Rooms are above each other; inside storage the engines do not see each other, but rehearsal wraps
# memory.
STORAGE_MAY_SEE = {"memory": set(), "rocksdb": set(), "rehearsal": {"memory"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    if parts[0] == "include":
        return PUBLIC
    return parts[0] if parts[0] in MAY_SEE else None


def included_room(root, included):
    if included.startswith("partita/"):
        return PUBLIC
    first = included.split("/")[0]
    return first if os.path.isdir(os.path.join(root, "src", first)) or first in MAY_SEE else None


def storage_engine(path):
    match = re.match(r"(?:src/)?storage/(\w+)/", path)
    return match.group(1) if match else None


def complaint(root, path, bracket, included):
    """What is wrong with `path` including `included`, or None."""
    room = room_of(path)
    if room not in MAY_SEE:
        return f"the room '{room}' is not in the table of tools/check_layers.py"
    for prefix, home in HOME_OF.items():
        if included.startswith(prefix) and bracket == "<" and not path.startswith(home):
            return f"<{included}> belongs to {home} alone"
    if included.startswith("../") or "/../" in included:
        return f'"{included}" climbs; include from the root of src/ or include/'
    target = included_room(root, included)
    if target is None or target == room:
        engine, wanted = storage_engine(path), storage_engine(included)
        if engine and wanted and wanted != engine and wanted not in STORAGE_MAY_SEE.get(engine, ()):
            return f"the engine {engine} may not see the engine {wanted}"
        return None
    if target == PUBLIC:
        return f"{room} may not see include/partita" if room in SEES_NO_PUBLIC_HEADER else None
    if room == "plan" and included in PLAN_VOCABULARY:
        return None
    if target not in MAY_SEE[room]:
        return f"{room} may not see {target}"
    return None


def source_files(root):
    for top in ("include", "src", "apps", "examples"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".h", ".cc")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def check(root):
    wrong, files = [], 0
    for path in source_files(root):
        files += 1
        # Tests may see anything: they hold rooms against each other.
        if path.endswith(("_test.cc", "_test.h", "_fixture.h")):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                problem = complaint(root, path, match.group(1), match.group(2))
                if problem:
                    wrong.append(f"{path}:{number}: {problem}")
    return files, wrong


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    files, wrong = check(root)
    for line in wrong:
        print(line)
    print(f"check_layers: {files} files, {len(wrong)} wrong includes")
    if files == 0:
        print("check_layers: no files were found, so nothing was checked")
    return 1 if wrong or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
