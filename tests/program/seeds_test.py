#!/usr/bin/python3
"""docs/seeds.md is complete and true: every block, table row and drawing of the seed documents has a
row there, every row names tests that exist, and every script of tests/api/seeds says which rows it is.

The seed documents are not part of the repository. Where they do not stand beside the checkout, as
../shared/seeds, the test that reads them is skipped; the others need nothing but the repository.
"""
import glob
import os
import re
import unittest
from dataclasses import dataclass

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SEEDS = os.path.join(ROOT, "../shared/seeds")
SCRIPTS = os.path.join(ROOT, "tests/api")

PLACE = re.compile(r"\b(\d{3}):(\d+)\b")
# What a document that was pasted in has instead of fences and table marks.
PASTED_CODE = re.compile(r'\b(?:dynamodb|client)\.\w+\(|^\s*def \w+\(|^\s*"(?:Put|Update|Delete)": \{')
PASTED_TABLE = re.compile(r"^(?:Entity (?:GSI\d)?PK|Access Pattern Index) ")
PASTED_TABLE_END = re.compile(r"^(?:\s*|Table \d+\..*)$")
KEY_BULLET = re.compile(r"^• (?:PK|SK|GSI\d[PS]K|\w+Index): ")


@dataclass(frozen=True)
class Piece:
    line: int
    kind: str  # "block", "row" and "drawing" start a row of docs/seeds.md; "part" lies within one


@dataclass(frozen=True)
class Row:
    document: str  # its first three digits
    first: int
    last: int
    tests: tuple
    remark: str


def pieces_of(text):
    """What in a seed document needs a row."""
    lines = text.splitlines()
    fence_open = in_pasted_table = in_pasted_code = False
    for number, line in enumerate(lines, 1):
        following = lines[number] if number < len(lines) else ""
        if line.lstrip().startswith("```"):
            fence_open = not fence_open
            if fence_open:
                yield Piece(number, "block")
            continue
        if fence_open:
            continue
        if PASTED_TABLE.match(line):
            in_pasted_table = True
        elif in_pasted_table and PASTED_TABLE_END.match(line):
            in_pasted_table = False
        elif in_pasted_table:
            if not line.isdigit():  # the number of a page
                yield Piece(number, "part")
        elif line.startswith("|"):
            separator = re.fullmatch(r"[|\s:-]+", line)
            header = re.fullmatch(r"[|\s:-]+", following) and following.startswith("|")
            if not separator and not header:
                yield Piece(number, "row")
        elif line.startswith("!["):
            yield Piece(number, "drawing")
        elif PASTED_CODE.search(line):
            # Calls within a function are parts of it.
            yield Piece(number, "part" if in_pasted_code else "block")
            in_pasted_code = "def " in line
            continue
        elif KEY_BULLET.match(line):
            yield Piece(number, "part")
        elif re.search(r"`[^`]+`", line):
            yield Piece(number, "row")
        in_pasted_code = in_pasted_code and line.startswith(" ")


def rows_of(text):
    """The rows of docs/seeds.md: `| 93-120 | what | tests | remark |` below a heading with the file."""
    document = None
    for line in text.splitlines():
        heading = re.match(r"## (\d{3})_\w+\.txt", line)
        document = heading.group(1) if heading else document
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        place = re.fullmatch(r"(\d+)(?:-(\d+))?", cells[0])
        if line.startswith("|") and place and document:
            assert len(cells) == 4, line
            first = int(place.group(1))
            yield Row(document, first, int(place.group(2) or first),
                      tuple(re.findall(r"`([\w/]+)`", cells[2])), cells[3])


def without_row(document, pieces, rows):
    own = [row for row in rows if row.document == document]
    starts = {row.first for row in own}
    for piece in pieces:
        covered = any(row.first <= piece.line <= row.last for row in own)
        if not (piece.line in starts or piece.kind == "part" and covered):
            yield f"{document}:{piece.line} ({piece.kind})"


def places_in_scripts():
    """{script: {(document, line)}} of what the comments of each script say they are."""
    places = {}
    for path in glob.glob(os.path.join(SCRIPTS, "seeds/*.api")):
        with open(path, encoding="utf-8") as file:
            comments = " ".join(line for line in file if line.startswith("# Seed"))
        name = os.path.relpath(path, SCRIPTS)[:-len(".api")]
        places[name] = {(found[0], int(found[1])) for found in PLACE.findall(comments)}
    return places


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Seeds(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.rows = list(rows_of(read(os.path.join(ROOT, "docs/seeds.md"))))

    def test_rows_name_scripts_that_exist_and_say_so(self):
        places = places_in_scripts()
        for row in self.rows:
            where = f"{row.document}:{row.first}"
            self.assertTrue(row.tests or row.remark, f"{where}: neither a test nor a reason")
            for test in row.tests:
                self.assertIn(test, places, f"{where}: there is no tests/api/{test}.api")
                self.assertIn((row.document, row.first), places[test],
                              f"tests/api/{test}.api has no comment with {where}")

    def test_scripts_are_in_the_rows_they_name(self):
        named = {(test, row.document, row.first) for row in self.rows for test in row.tests}
        for script, places in places_in_scripts().items():
            self.assertTrue(places, f"{script} does not say what it is from")
            for document, line in places:
                self.assertIn((script, document, line), named,
                              f"docs/seeds.md: no row {document}:{line} names {script}")

    def test_every_piece_of_the_seeds_has_a_row(self):
        documents = sorted(glob.glob(os.path.join(SEEDS, "*.txt")))
        if not documents:
            self.skipTest("there is no ../shared/seeds beside this checkout")
        missing = []
        for path in documents:
            document = os.path.basename(path)[:3]
            missing += without_row(document, pieces_of(read(path)), self.rows)
        self.assertEqual(missing, [], "without a row in docs/seeds.md")
        known = {os.path.basename(path)[:3] for path in documents}
        self.assertEqual({row.document for row in self.rows} - known, set())

    def test_what_is_missing_is_noticed(self):
        text = ("text\n```py\nx\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![p](x)\nsay `x`\n"
                "resp = dynamodb.query(\n  A\n)\nEntity PK SK\nDeal A B\nBrand\n12\nTable 1. T\n"
                "def f(x):\n  y = client.query(\n• PK: A\n")
        pieces = list(pieces_of(text))
        self.assertEqual([(piece.line, piece.kind) for piece in pieces],
                         [(2, "block"), (7, "row"), (9, "drawing"), (10, "row"), (11, "block"),
                          (15, "part"), (16, "part"), (19, "block"), (20, "part"), (21, "part")])
        table = "## 007_ab.txt\n| Lines | What | Tests | Remark |\n|---|---|---|---|\n"
        rows = list(rows_of(table + "".join(f"| {lines} | x | `seeds/x` | r |\n" for lines in
                                            ("2-4", "7", "9", "10", "11-13", "15-16", "19-20", "21"))))
        self.assertEqual(list(without_row("007", pieces, rows)), [])
        self.assertEqual(rows[0], Row("007", 2, 4, ("seeds/x",), "r"))
        self.assertEqual(len(list(without_row("008", pieces, rows))), len(pieces))
        self.assertEqual(list(without_row("007", pieces, rows[1:])), ["007:2 (block)"])
        self.assertEqual(list(without_row("007", pieces, rows[:-1])), ["007:21 (part)"])


if __name__ == "__main__":
    unittest.main()
