#!/usr/bin/python3
"""A table written by the modelling kit is read correctly by boto3, and the other way round."""
import os
import subprocess
import sys
import unittest
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Key
from boto3.dynamodb.types import Binary

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import ROOT, ScratchDirectory, ServerProcess  # noqa: E402

KIT_TABLE = os.path.join(ROOT, "build/release/kit_table")


def kit_table(what, directory):
    return subprocess.run([KIT_TABLE, what, directory], check=True, capture_output=True,
                          text=True, timeout=60).stdout


class KitTable(unittest.TestCase):
    def test_both_read_what_the_other_wrote(self):
        with ScratchDirectory() as scratch:
            data = os.path.join(scratch, "data")
            kit_table("write", data)
            server = ServerProcess("--data", data)
            try:
                self.use_boto3(server.url)
            finally:
                server.stop()
            self.assertEqual(kit_table("read", data), "d1 A draft 7 0.5 Bob 2\n")

    def use_boto3(self, url):
        resource = boto3.resource("dynamodb", endpoint_url=url, region_name="us-east-1",
                                  aws_access_key_id="any", aws_secret_access_key="any")
        table = resource.Table("Library")
        found = table.query(IndexName="GSI1",
                            KeyConditionExpression=Key("GSI1PK").eq("STATUS#published"))["Items"]
        self.assertEqual(found, [{
            "PK": "ARTICLE#c%231", "SK": "METADATA", "_type": "article",
            "GSI1PK": "STATUS#published", "GSI1SK": "2024-06-01T12:00:00.123Z#c%231",
            "id": "c#1", "title": "Grüße aus C++", "status": "published", "words": 1200,
            "price": Decimal("19.99"), "rating": Decimal("4.5"), "featured": True,
            "cover": Binary(b"\x00\xff"), "author": {"name": "Ada", "email": "ada@example.com"},
            "sections": ["one", "two"], "readers": {"de": 3, "nz": 4}, "tags": {"db", "c++"},
            "editions": {1, 2}, "written": "2024-06-01T12:00:00.123Z",
            "expires": 1900000000}])
        marker = "UNIQUE#article#title#Grüße aus C++"
        self.assertEqual(table.get_item(Key={"PK": marker, "SK": marker})["Item"]["_type"], "_unique")
        table.put_item(Item={
            "PK": "ARTICLE#d1", "SK": "METADATA", "_type": "article", "GSI1PK": "STATUS#draft",
            "GSI1SK": "2024-06-02T00:00:00.000Z#d1", "id": "d1", "title": "A draft",
            "status": "draft", "words": 7, "price": Decimal("0.5"), "author": {"name": "Bob"},
            "tags": {"x", "y"}, "written": "2024-06-02T00:00:00.000Z", "not": "a member"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], warnings="ignore")
