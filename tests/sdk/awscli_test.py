#!/usr/bin/python3
"""The AWS command line against Partita: what a newcomer types first."""
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import ScratchDirectory, ServerProcess  # noqa: E402


class AwsCli:
    def aws(self, *words, fails=False):
        """Runs `aws dynamodb …` and returns the answer, or the error text when it should fail."""
        environment = dict(os.environ, AWS_ACCESS_KEY_ID="any", AWS_SECRET_ACCESS_KEY="any",
                           AWS_DEFAULT_REGION="us-east-1", AWS_PAGER="", AWS_MAX_ATTEMPTS="1",
                           AWS_CONFIG_FILE="/nonexistent",
                           AWS_SHARED_CREDENTIALS_FILE="/nonexistent")
        done = subprocess.run(
            ["/usr/bin/aws", "dynamodb", *words, "--endpoint-url", self.server.url,
             "--output", "json"], capture_output=True, text=True, env=environment, check=False)
        if fails:
            self.assertNotEqual(done.returncode, 0)
            return done.stderr
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def test_from_create_table_to_delete_table(self):
        with ScratchDirectory() as directory, ServerProcess(*self.place(directory)) as self.server:
            self.aws("create-table", "--table-name", "Music", "--billing-mode", "PAY_PER_REQUEST",
                     "--attribute-definitions", "AttributeName=Artist,AttributeType=S",
                     "AttributeName=Year,AttributeType=N", "--key-schema",
                     "AttributeName=Artist,KeyType=HASH", "AttributeName=Year,KeyType=RANGE")
            self.aws("wait", "table-exists", "--table-name", "Music")
            for year in ("1965", "1966"):
                self.aws("put-item", "--table-name", "Music", "--item",
                         json.dumps({"Artist": {"S": "Nina"}, "Year": {"N": year},
                                     "cover": {"B": "AAEC"}}))
            key = json.dumps({"Artist": {"S": "Nina"}, "Year": {"N": "1965"}})
            got = self.aws("get-item", "--table-name", "Music", "--key", key)
            self.assertEqual(got["Item"]["cover"], {"B": "AAEC"})
            updated = self.aws(
                "update-item", "--table-name", "Music", "--key", key, "--update-expression",
                "SET Title = :t", "--expression-attribute-values", '{":t": {"S": "Feeling Good"}}',
                "--return-values", "UPDATED_NEW")
            self.assertEqual(updated["Attributes"], {"Title": {"S": "Feeling Good"}})
            found = self.aws(
                "query", "--table-name", "Music", "--key-condition-expression",
                "Artist = :a AND #y > :y", "--expression-attribute-names", '{"#y": "Year"}',
                "--expression-attribute-values", '{":a": {"S": "Nina"}, ":y": {"N": "1965"}}')
            self.assertEqual([item["Year"]["N"] for item in found["Items"]], ["1966"])
            scanned = self.aws("scan", "--table-name", "Music", "--page-size", "1")
            self.assertEqual(scanned["Count"], 2)
            message = self.aws("delete-item", "--table-name", "Music", "--key", key,
                               "--condition-expression", "attribute_not_exists(Title)", fails=True)
            self.assertIn("ConditionalCheckFailedException", message)
            self.aws("delete-item", "--table-name", "Music", "--key", key)
            self.assertEqual(self.aws("list-tables"), {"TableNames": ["Music"]})
            self.aws("delete-table", "--table-name", "Music")
            self.aws("wait", "table-not-exists", "--table-name", "Music")
            self.assertIn("ResourceNotFoundException",
                          self.aws("describe-table", "--table-name", "Music", fails=True))


class InMemory(AwsCli, unittest.TestCase):
    @staticmethod
    def place(_):
        return ("--in-memory",)


class OnDisk(AwsCli, unittest.TestCase):
    @staticmethod
    def place(directory):
        return ("--data", os.path.join(directory, "data"))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
