#!/usr/bin/python3
"""Requests within every limit that ask for as much work as they can: each costs the server little.

What is asserted is processor time and resident memory, generously: without the bound under test the
same request takes a hundred times as much.
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ServerProcess, create_table  # noqa: E402
from load.raw_client import RawClient, Usage, head_of  # noqa: E402

TABLE = "Costly"
KB, MB = 1 << 10, 1 << 20
SECONDS_MAX = 5
MEMORY_MAX = 150 * MB


class CostlyRequests(unittest.TestCase):
    def setUp(self):
        self.server = ServerProcess("--in-memory")
        self.addCleanup(self.server.stop)
        self.connection = Connection(self.server.port, timeout=300)
        self.addCleanup(self.connection.close)
        create_table(self.connection, TABLE, ("pk", "S"), ("sk", "S"))
        self.usage = Usage(self.server.process.pid)

    def costs_little(self, what, call, memory_max=MEMORY_MAX):
        """What call() returns, which may not cost much."""
        used, before = self.usage.processor_seconds(), self.usage.resident_bytes()
        self.usage.forget_peak()
        answer = call()
        seconds = self.usage.processor_seconds() - used
        more = self.usage.peak_bytes() - before
        print(f"{what}: {seconds:.2f} s, {more / MB:.0f} MB", flush=True)
        self.assertLess(seconds, SECONDS_MAX)
        self.assertLess(more, memory_max)
        return answer

    def call(self, operation, **request):
        """(status, answer)"""
        return self.costs_little(operation, lambda: self.connection.call(
            operation, {"TableName": TABLE, **request}))

    def update(self, expression, values, **more):
        return self.call("UpdateItem", Key={"pk": {"S": "p"}, "sk": {"S": "s"}},
                         UpdateExpression=expression, ExpressionAttributeValues=values, **more)

    def test_texts_that_are_nearly_found_everywhere(self):
        long, wanted = "a" * 390_000, "a" * 195_000 + "b"
        condition = " OR ".join(["contains(t, :w)"] * 100)
        for kind in ("S", "B"):
            if kind == "B":  # base64 of zeros, and of zeros before something else
                long, wanted = "A" * 390_000, "A" * 195_000 + "//8="
            self.connection.expect("PutItem", {"TableName": TABLE, "Item": {
                "pk": {"S": "p"}, "sk": {"S": "s"}, "t": {kind: long}}})
            status, answer = self.update("SET a = :a", {":a": {"N": "1"}, ":w": {kind: wanted}},
                                         ConditionExpression=condition)
            self.assertEqual((status, answer["__type"].split("#")[1]),
                             (400, "ConditionalCheckFailedException"))

    def test_an_update_that_is_too_large_many_times_over(self):
        item = {"pk": {"S": "p"}, "sk": {"S": "s"}, "n": {"N": "1"},
                **{f"s{i}": {"SS": ["a"]} for i in range(300)}}
        self.connection.expect("PutItem", {"TableName": TABLE, "Item": item})
        many = {"L": [{"S": "x" * 1_900_000}]}
        texts = {"SS": [f"{i:06}" * 1000 for i in range(300)]}
        too_large = "Item size to update has exceeded the maximum allowed size"
        wrong_type = "An operand in the update expression has an incorrect data type"
        for expression, values, message in (
                ("SET " + ", ".join(f"a{i} = :v" for i in range(300)), many, too_large),
                ("SET " + ", ".join(f"a{i} = list_append(:v, :v)" for i in range(150)), many,
                 too_large),
                ("ADD " + ", ".join(f"s{i} :v" for i in range(300)), texts, too_large),
                # What else is wrong is told first, as ever.
                ("SET " + ", ".join(f"a{i} = :v" for i in range(20)) + ", z = list_append(:v, n)",
                 many, wrong_type),
                ("SET a = list_append(:v, :v), b = list_append(:v, :v), n.x = :v", many,
                 "The document path provided in the update expression is invalid for update")):
            status, answer = self.update(expression, {":v": values})
            self.assertEqual((status, answer["message"]), (400, message))

    def test_lists_far_beyond_their_limits(self):
        """As many elements as go into 16 MB, and as many tables."""
        client = RawClient(self.server.port, timeout=300)
        self.addCleanup(client.close)
        many = b",".join([b"{}"] * 5_500_000)
        tables = b",".join(b'"t%x":%%b' % i for i in range(400_000))
        for operation, body in (
                ("CreateTable", b'{"TableName":"New","KeySchema":[%b]}' % many),
                ("CreateTable", b'{"TableName":"New","AttributeDefinitions":[%b]}' % many),
                ("CreateTable", b'{"TableName":"New","GlobalSecondaryIndexes":[%b]}' % many),
                ("CreateTable", b'{"TableName":"New","GlobalSecondaryIndexes":[{"KeySchema":[%b]}]}'
                 % many),
                ("CreateTable", b'{"TableName":"New","Tags":[%b]}' % many),
                ("UpdateTable", b'{"TableName":"Costly","GlobalSecondaryIndexUpdates":[%b]}' % many),
                ("TransactWriteItems", b'{"TransactItems":[%b]}' % many),
                ("TransactGetItems", b'{"TransactItems":[%b]}' % many),
                ("BatchWriteItem", b'{"RequestItems":{"Costly":[%b]}}' % many),
                ("BatchGetItem", b'{"RequestItems":{"Costly":{"Keys":[%b]}}}' % many),
                ("BatchGetItem", b'{"RequestItems":{"Costly":{%b}}}'
                 % b",".join([b'"Keys":[]'] * 1_600_000)),
                ("BatchGetItem", b'{"RequestItems":{%b}}'
                 % tables.replace(b"%b", b'{"Keys":[{"pk":{}}]}')),
                ("BatchWriteItem", b'{"RequestItems":{%b}}' % tables.replace(b"%b", b'[{}]')),
                ("BatchWriteItem", b'{"RequestItems":{%b}}'
                 % b",".join([b'"Costly":[]'] * 1_300_000))):
            client.send(head_of(operation, f"Content-Length: {len(body)}"))

            def ask(body=body):
                client.send(body)
                return client.receive()
            status, answer = self.costs_little(f"{operation}, {len(body) / MB:.0f} MB", ask, 300 * MB)
            self.assertEqual(status, 400, answer[:200])

    def test_pages_whose_filter_is_enormous(self):
        """They end early, and a client that goes on gets everything."""
        items, conditions = 2_000, 100_000
        for first in range(0, items, 25):
            self.connection.expect("BatchWriteItem", {"RequestItems": {TABLE: [
                {"PutRequest": {"Item": {"pk": {"S": "p"}, "sk": {"S": f"{first + i:05}"}}}}
                for i in range(25)]}})
        of_p = {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "p"}]}}
        nothing = {f"a{i}": {"ComparisonOperator": "NULL"} for i in range(conditions)}
        status, page = self.call("Query", KeyConditions=of_p, QueryFilter=nothing, Select="COUNT")
        self.assertEqual((status, page["Count"]), (200, page["ScannedCount"]))
        self.assertIn("LastEvaluatedKey", page)
        count, pages = page["Count"], 1
        while "LastEvaluatedKey" in page and pages < 20:
            status, page = self.call("Query", KeyConditions=of_p, QueryFilter=nothing, Select="COUNT",
                                     ExclusiveStartKey=page["LastEvaluatedKey"])
            self.assertEqual(status, 200, page)
            count, pages = count + page["Count"], pages + 1
        self.assertEqual(count, items)
        # The largest filter an expression can be does not end a page.
        largest = " OR ".join(f"sk2 IN ({', '.join([':v'] * 98)})" for _ in range(9))
        status, page = self.call(
            "Query", KeyConditionExpression="pk = :v", FilterExpression=largest, Select="COUNT",
            ExpressionAttributeValues={":v": {"S": "p"}})
        self.assertEqual((status, page), (200, {"Count": 0, "ScannedCount": items}))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
