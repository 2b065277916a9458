#!/usr/bin/python3
"""User instructions of operations in process, on the memory engine, compared with each other.

work_in_process runs under callgrind with two counts; the difference in instructions divided by the
difference in counts is the cost of one operation. growth_in_process shows that reading does not
become dearer as a table grows.
"""
import functools
import os
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
FEW, MANY = 300, 1300


def instructions(program, *arguments, options=()):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *options,
                        os.path.join(ROOT, "build/release", program), *map(str, arguments)],
                       check=True, capture_output=True, timeout=300)
        report = out.read().decode(errors="replace")
    return int(re.search(r"^(?:summary|totals): (\d+)", report, re.M).group(1))


@functools.cache
def cost(workload, program="work_in_process"):
    with ThreadPoolExecutor() as both:
        many, few = both.map(lambda count: instructions(program, workload, count), (MANY, FEW))
    each = (many - few) / (MANY - FEW)
    print(f"{workload}: {each:,.0f} user instructions", flush=True)
    return each


class InProcess(unittest.TestCase):
    def test_a_batch_of_25_costs_less_than_25_puts(self):
        self.assertLess(cost("batch-of-25"), 25 * cost("put"))

    def test_a_transaction_of_2_puts_costs_at_most_3(self):
        self.assertLessEqual(cost("transaction-of-2"), 3 * cost("put"))

    def test_a_stream_costs_at_most_half_a_write(self):
        self.assertLessEqual(cost("put-with-stream"), 1.5 * cost("put"))

    def test_three_global_indexes_cost_at_most_three_and_a_half_writes(self):
        plain = cost("put")
        self.assertGreater(plain, 100, "the measurement is broken")
        self.assertLess(cost("put-with-3-indexes"), 3.5 * plain)
        self.assertLess(cost("put-that-moves-in-3-indexes"), 3.5 * plain)


class Typed(unittest.TestCase):
    """The modelling kit against the same work by hand; typed may cost a fifth more."""

    def compare(self, operation):
        made = cost("make", "typed_in_process")  # what both do before they begin
        typed = cost(operation + "-typed", "typed_in_process") - made
        by_hand = cost(operation + "-by-hand", "typed_in_process") - made
        self.assertGreater(by_hand, 1000, "the measurement is broken")
        self.assertLess(typed, 1.2 * by_hand)

    def test_a_typed_put(self):
        self.compare("put")

    def test_a_typed_get(self):
        self.compare("get")

    def test_a_typed_update(self):
        self.compare("update")

    def test_a_typed_query(self):
        self.compare("query")


class Growth(unittest.TestCase):
    def read(self, what, size):
        """Instructions after the table is filled: growth_in_process tells callgrind when."""
        each = instructions("growth_in_process", what, size, options=["--instr-atstart=no"])
        print(f"{what} of {size:,}: {each:,} user instructions", flush=True)
        self.assertGreater(each, 100_000, "the measurement is broken")
        return each

    def test_a_point_read_hardly_knows_how_many_items_there_are(self):
        self.assertLess(self.read("reads", 1_000_000), 1.5 * self.read("reads", 10_000))

    def test_a_page_costs_in_proportion_to_its_bytes(self):
        small, large = self.read("page", 100_000), self.read("page", 1_000_000)
        self.assertLess(large, 12 * small)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], warnings="ignore")
