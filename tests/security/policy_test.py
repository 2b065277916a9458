#!/usr/bin/python3
"""What an access key may do: IAM-style statements on every operation, with a stock client."""
import os
import sys
import unittest

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import ScratchDirectory, ServerProcess  # noqa: E402

ARN = "arn:aws:dynamodb:us-east-1:314159265358:table/"
STREAM = ARN + "Songs/stream/2026-01-01T00:00:00.000"
STREAM_OPERATIONS = ("list_streams", "describe_stream", "get_shard_iterator", "get_records")


def statement(effect, actions, resources, condition=""):
    return (f'[[access_key.statement]]\nEffect = "{effect}"\nAction = {list(actions)}\n'
            f'Resource = {list(resources)}\n{condition}\n').replace("'", '"')


OWN_KEYS = 'Condition."ForAllValues:StringEquals" = { "dynamodb:LeadingKeys" = ["${aws:username}"] }'
COLUMNS = ('Condition."ForAllValues:StringEquals" = { "dynamodb:Attributes" = '
           '["pk", "sk", "title"] }\n'
           'Condition.StringEqualsIfExists = { "dynamodb:Select" = '
           '["SPECIFIC_ATTRIBUTES", "COUNT"], "dynamodb:ReturnValues" = ["NONE", "UPDATED_NEW"] }')
TABLES = ["arn:aws:dynamodb:*:*:table/Songs", "arn:aws:dynamodb:*:*:table/Songs/index/*"]
USERS = {
    "admin": "",
    "nothing": "statement = []\n",
    "reader": statement("Allow", ["dynamodb:Get*", "dynamodb:BatchGetItem", "dynamodb:Query"],
                        ["arn:aws:dynamodb:*:*:table/Song?"]),
    "indexes": statement("Allow", ["dynamodb:Query", "dynamodb:Scan"],
                         ["arn:aws:dynamodb:us-east-1:*:table/*/index/by_title"]),
    "no-deletes": (statement("Allow", ["*"], ["*"])
                   + statement("Deny", ["dynamodb:Delete*"], ["*"])
                   + statement("Deny", ["dynamodb:*"], ["arn:aws:dynamodb:us-east-1:*:table/Secret*"])),
    "alice": statement("Allow", ["dynamodb:*"], TABLES, OWN_KEYS),
    "columns": statement("Allow", ["dynamodb:*"], TABLES, COLUMNS),
    "own-records": statement("Allow", ["dynamodb:*"], ["*"], OWN_KEYS),
    "some-columns": statement("Allow", ["dynamodb:*"], ["*"], COLUMNS),
    "not-of-bob": (statement("Allow", ["dynamodb:*"], ["*"]) + statement(
        "Deny", ["dynamodb:*"], ["*"],
        'Condition."ForAnyValue:StringEquals" = { "dynamodb:LeadingKeys" = ["bob"] }')),
    "checker": statement("Allow", ["dynamodb:ConditionCheckItem", "dynamodb:PutItem"], TABLES),
}


def key(pk, sk="1"):
    return {"pk": {"S": pk}, "sk": {"S": sk}}


class Policies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        path = os.path.join(cls.scratch.__enter__(), "credentials.toml")
        with open(path, "w", encoding="utf-8") as file:
            for user, statements in USERS.items():
                file.write(f'[[access_key]]\nid = "KEY-{user}"\nsecret = "{user}"\n'
                           f'user = "{user}"\n{statements}\n')
        cls.server = ServerProcess("--in-memory", arguments=("--credentials", path))
        admin = cls.client("admin")
        for table in ("Songs", "SecretSongs"):
            admin.create_table(
                TableName=table, BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"},
                           {"AttributeName": "sk", "KeyType": "RANGE"}],
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"}
                                      for name in ("pk", "sk", "title")],
                GlobalSecondaryIndexes=[{
                    "IndexName": "by_title", "Projection": {"ProjectionType": "ALL"},
                    "KeySchema": [{"AttributeName": "title", "KeyType": "HASH"}]}])
            for owner in ("alice", "bob"):
                admin.put_item(TableName=table, Item={
                    **key(owner), "title": {"S": f"of {owner}"}, "salary": {"N": "1"}})

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.scratch.__exit__()

    @classmethod
    def client(cls, user, service="dynamodb"):
        return boto3.client(service, endpoint_url=cls.server.url, region_name="us-east-1",
                            aws_access_key_id=f"KEY-{user}", aws_secret_access_key=user,
                            config=Config(retries={"max_attempts": 0}))

    def allowed(self, user, operation, **request):
        return getattr(self.client(user), operation)(**request)

    def denied(self, user, operation, action=None, resource=None, **request):
        with self.assertRaises(ClientError) as caught:
            service = "dynamodbstreams" if operation in STREAM_OPERATIONS else "dynamodb"
            getattr(self.client(user, service), operation)(**request)
        error = caught.exception.response["Error"]
        self.assertEqual(error["Code"], "AccessDeniedException", error)
        self.assertTrue(error["Message"].startswith(
            f"User: arn:aws:iam::314159265358:user/{user} is not authorized to perform: "
            f"dynamodb:{action or ''}"), error["Message"])
        if resource:
            self.assertIn(f" on resource: {resource} ", error["Message"])
        return error["Message"]

    def every_operation(self):
        """One request for each operation of the API."""
        k, put = key("alice"), {**key("alice"), "title": {"S": "t"}}
        return {
            "create_table": {"TableName": "New", "BillingMode": "PAY_PER_REQUEST",
                             "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                             "AttributeDefinitions": [{"AttributeName": "pk",
                                                       "AttributeType": "S"}]},
            "describe_table": {"TableName": "Songs"}, "list_tables": {},
            "update_table": {"TableName": "Songs", "TableClass": "STANDARD"},
            "update_time_to_live": {"TableName": "Songs", "TimeToLiveSpecification": {
                "AttributeName": "until", "Enabled": True}},
            "delete_table": {"TableName": "Songs"},
            "tag_resource": {"ResourceArn": ARN + "Songs", "Tags": [{"Key": "a", "Value": "b"}]},
            "untag_resource": {"ResourceArn": ARN + "Songs", "TagKeys": ["a"]},
            "list_tags_of_resource": {"ResourceArn": ARN + "Songs"},
            "list_streams": {}, "describe_stream": {"StreamArn": STREAM},
            "get_shard_iterator": {"StreamArn": STREAM, "ShardId": "shardId-" + "0" * 20,
                                   "ShardIteratorType": "LATEST"},
            "get_records": {"ShardIterator": STREAM + "|1|" + "A" * 40},
            "describe_limits": {}, "describe_endpoints": {},
            "describe_time_to_live": {"TableName": "Songs"},
            "describe_continuous_backups": {"TableName": "Songs"},
            "put_item": {"TableName": "Songs", "Item": put},
            "get_item": {"TableName": "Songs", "Key": k},
            "update_item": {"TableName": "Songs", "Key": k, "UpdateExpression": "REMOVE salary"},
            "delete_item": {"TableName": "Songs", "Key": k},
            "query": {"TableName": "Songs", "KeyConditionExpression": "pk = :p",
                      "ExpressionAttributeValues": {":p": {"S": "alice"}}},
            "scan": {"TableName": "Songs"},
            "batch_get_item": {"RequestItems": {"Songs": {"Keys": [k]}}},
            "batch_write_item": {"RequestItems": {"Songs": [{"PutRequest": {"Item": put}}]}},
            "transact_get_items": {"TransactItems": [{"Get": {"TableName": "Songs", "Key": k}}]},
            "transact_write_items": {"TransactItems": [{"Put": {"TableName": "Songs",
                                                                "Item": put}}]}}

    def test_a_key_with_no_statement_that_allows_may_do_nothing(self):
        for operation, request in self.every_operation().items():
            message = self.denied("nothing", operation, **request)
            self.assertIn("because no identity-based policy allows the dynamodb:", message)

    def test_actions_and_tables(self):
        item = self.allowed("reader", "get_item", TableName="Songs", Key=key("alice"))["Item"]
        self.assertEqual(item["title"]["S"], "of alice")
        self.allowed("reader", "get_item", TableName=ARN + "Songs", Key=key("alice"))
        self.denied("reader", "put_item", "PutItem", ARN + "Songs", TableName="Songs",
                    Item=key("x"))
        self.denied("reader", "get_item", "GetItem", ARN + "SecretSongs", TableName="SecretSongs",
                    Key=key("alice"))
        self.denied("reader", "get_item", "GetItem", ARN + "SecretSongs",
                    TableName="arn:aws:dynamodb:us-east-1:1:table/SecretSongs", Key=key("alice"))
        self.denied("reader", "list_tables", "ListTables", ARN + "*")
        self.denied("reader", "query", "Query", ARN + "Songs/index/by_title", TableName="Songs",
                    IndexName="by_title", KeyConditionExpression="title = :t",
                    ExpressionAttributeValues={":t": {"S": "of bob"}})

    def test_indexes(self):
        ask = {"TableName": "Songs", "KeyConditionExpression": "title = :t",
               "ExpressionAttributeValues": {":t": {"S": "of bob"}}}
        found = self.allowed("indexes", "query", IndexName="by_title", **ask)
        self.assertEqual(found["Count"], 1)
        self.allowed("indexes", "scan", TableName="Songs", IndexName="by_title")
        self.denied("indexes", "scan", "Scan", ARN + "Songs", TableName="Songs")

    def test_denial_wins(self):
        self.allowed("no-deletes", "put_item", TableName="Songs", Item=key("temporary"))
        message = self.denied("no-deletes", "delete_item", "DeleteItem", TableName="Songs",
                              Key=key("temporary"))
        self.assertTrue(message.endswith("with an explicit deny in an identity-based policy"))
        self.denied("no-deletes", "transact_write_items", "DeleteItem", TransactItems=[
            {"Put": {"TableName": "Songs", "Item": key("x")}},
            {"Delete": {"TableName": "Songs", "Key": key("temporary")}}])
        # A table has one name, however its ARN is written.
        for name in ("SecretSongs", ARN + "SecretSongs",
                     "arn:aws:dynamodb:eu-west-1:1:table/SecretSongs"):
            self.denied("no-deletes", "get_item", "GetItem", TableName=name, Key=key("alice"))
        self.denied("no-deletes", "list_tags_of_resource", "ListTagsOfResource",
                    ResourceArn="arn:aws:dynamodb:eu-west-1:314159265358:table/SecretSongs")

    def test_batches_ask_for_each_table(self):
        self.allowed("reader", "batch_get_item",
                     RequestItems={"Songs": {"Keys": [key("alice"), key("bob")]}})
        self.denied("reader", "batch_get_item", "BatchGetItem", ARN + "SecretSongs", RequestItems={
            "Songs": {"Keys": [key("alice")]}, "SecretSongs": {"Keys": [key("alice")]}})
        self.denied("reader", "batch_write_item", "BatchWriteItem",
                    RequestItems={"Songs": [{"PutRequest": {"Item": key("x")}}]})

    def test_transactions_ask_for_each_action(self):
        check = {"ConditionCheck": {"TableName": "Songs", "Key": key("alice"),
                                    "ConditionExpression": "attribute_exists(pk)"}}
        put = {"Put": {"TableName": "Songs", "Item": key("checked")}}
        self.allowed("checker", "transact_write_items", TransactItems=[check, put])
        update = {"Update": {"TableName": "Songs", "Key": key("u"), "UpdateExpression": "SET a = :a",
                             "ExpressionAttributeValues": {":a": {"S": "a"}}}}
        self.denied("checker", "transact_write_items", "UpdateItem", TransactItems=[check, update])
        self.denied("checker", "transact_get_items", "GetItem",
                    TransactItems=[{"Get": {"TableName": "Songs", "Key": key("alice")}}])
        self.allowed("reader", "transact_get_items",
                     TransactItems=[{"Get": {"TableName": "Songs", "Key": key("alice")}}])

    def test_leading_keys(self):
        mine, other = key("alice"), key("bob")
        for operation, request in (
                ("get_item", lambda k: {"Key": k}), ("put_item", lambda k: {"Item": k}),
                ("delete_item", lambda k: {"Key": {**k, "sk": {"S": "none"}}}),
                ("update_item", lambda k: {"Key": k, "AttributeUpdates": {
                    "plays": {"Action": "ADD", "Value": {"N": "1"}}}}),
                ("query", lambda k: {"KeyConditionExpression": "#p = :p AND sk > :s",
                                     "ExpressionAttributeNames": {"#p": "pk"},
                                     "ExpressionAttributeValues": {":p": k["pk"],
                                                                   ":s": {"S": "0"}}}),
                ("query", lambda k: {"KeyConditions": {"pk": {
                    "ComparisonOperator": "EQ", "AttributeValueList": [k["pk"]]}}})):
            self.allowed("alice", operation, TableName="Songs", **request(mine))
            self.denied("alice", operation, TableName="Songs", **request(other))
        self.allowed("alice", "batch_get_item", RequestItems={"Songs": {"Keys": [mine]}})
        self.denied("alice", "batch_get_item", RequestItems={"Songs": {"Keys": [mine, other]}})
        self.denied("alice", "batch_write_item", RequestItems={"Songs": [
            {"PutRequest": {"Item": mine}}, {"DeleteRequest": {"Key": other}}]})
        self.denied("alice", "transact_write_items", TransactItems=[
            {"Put": {"TableName": "Songs", "Item": key("alice", "2")}},
            {"Delete": {"TableName": "Songs", "Key": other}}])
        self.denied("alice", "scan", TableName="Songs")
        # The leading key of an index is its own.
        title = {"IndexName": "by_title", "KeyConditionExpression": "title = :t"}
        self.denied("alice", "query", TableName="Songs", **title,
                    ExpressionAttributeValues={":t": {"S": "of alice"}})
        self.allowed("alice", "query", TableName="Songs", **title,
                     ExpressionAttributeValues={":t": {"S": "alice"}})
        for trick in ("pk = :p OR pk = :q", "pk <> :p", "pk > :p", "sk = :p",
                      "begins_with(pk, :p)"):
            with self.assertRaises(ClientError):
                self.allowed("alice", "query", TableName="Songs", KeyConditionExpression=trick,
                             ExpressionAttributeValues={":p": {"S": "alice"}, ":q": {"S": "bob"}})

    def test_attributes(self):
        k = key("bob")
        named = {"TableName": "Songs", "Key": k}
        item = self.allowed("columns", "get_item", **named, ProjectionExpression="pk, title")["Item"]
        self.assertEqual(set(item), {"pk", "title"})
        self.allowed("columns", "get_item", **named, AttributesToGet=["title"])
        for more in ({}, {"ProjectionExpression": "title, salary"},
                     {"ProjectionExpression": "#t.x", "ExpressionAttributeNames": {"#t": "salary"}},
                     {"AttributesToGet": ["salary"]}):
            self.denied("columns", "get_item", **named, **more)
        query = {"TableName": "Songs", "KeyConditionExpression": "pk = :p",
                 "ExpressionAttributeValues": {":p": {"S": "bob"}}}
        self.allowed("columns", "query", **query, Select="COUNT")
        self.allowed("columns", "query", **query, ProjectionExpression="title")
        self.denied("columns", "query", **query)
        self.denied("columns", "query", **{**query, "ExpressionAttributeValues": {
            ":p": {"S": "bob"}, ":n": {"N": "1"}}}, FilterExpression="salary > :n", Select="COUNT")
        self.denied("columns", "scan", TableName="Songs", ProjectionExpression="salary")
        self.allowed("columns", "scan", TableName="Songs", ProjectionExpression="title")
        self.denied("columns", "put_item", TableName="Songs", Item={**k, "salary": {"N": "9"}})
        self.denied("columns", "put_item", TableName="Songs", Item=k, ReturnValues="ALL_OLD")
        self.denied("columns", "put_item", TableName="Songs", Item=k,
                    ConditionExpression="attribute_exists(salary)")
        self.denied("columns", "put_item", TableName="Songs", Item=k,
                    ConditionExpression="attribute_exists(nope)")
        self.denied("columns", "put_item", TableName="Songs", Item=k,
                    Expected={"salary": {"Exists": False}})
        self.denied("columns", "transact_write_items", TransactItems=[{"Delete": {
            **named, "ConditionExpression": "attribute_exists(title)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}])
        update = {"ExpressionAttributeValues": {":t": {"S": "of bob"}}}
        self.allowed("columns", "update_item", **named, UpdateExpression="SET title = :t", **update)
        self.denied("columns", "update_item", **named, UpdateExpression="SET title = :t", **update,
                    ReturnValues="ALL_NEW")
        self.denied("columns", "update_item", **named, **update,
                    UpdateExpression="SET title = if_not_exists(salary, :t)")
        self.denied("columns", "update_item", **named, AttributeUpdates={
            "salary": {"Action": "DELETE"}})
        self.denied("columns", "transact_write_items", TransactItems=[{"ConditionCheck": {
            **named, "ConditionExpression": "salary > :n",
            "ExpressionAttributeValues": {":n": {"N": "0"}}}}])
        self.denied("columns", "batch_get_item", RequestItems={"Songs": {"Keys": [k]}})
        self.allowed("columns", "batch_get_item", RequestItems={
            "Songs": {"Keys": [k], "ProjectionExpression": "title"}})

    def test_records_of_a_stream_are_items_of_any_key(self):
        def iterator(user):
            client = self.client(user, "dynamodbstreams")
            stream = client.describe_stream(StreamArn=arn)["StreamDescription"]
            return client.get_shard_iterator(
                StreamArn=arn, ShardId=stream["Shards"][0]["ShardId"],
                ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        admin = self.client("admin")
        admin.create_table(
            TableName="Followed", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        arn = admin.describe_table(TableName="Followed")["Table"]["LatestStreamArn"]
        admin.put_item(TableName="Followed", Item={"pk": {"S": "bob"}, "salary": {"N": "1"}})
        for user in ("own-records", "some-columns", "not-of-bob"):
            self.denied(user, "get_records", "GetRecords", arn, ShardIterator=iterator(user))
        read = self.client("no-deletes", "dynamodbstreams").get_records(
            ShardIterator=iterator("no-deletes"))
        self.assertEqual(len(read["Records"]), 1)

    def test_every_operation_is_known_here(self):
        """An operation that is added to the API is to be added above, and decided on."""
        import re  # pylint: disable=import-outside-toplevel
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
        with open(os.path.join(root, "src/wire/dispatch.cc"), encoding="utf-8") as file:
            table = re.search(r"kOperations\[\] = \{(.*?)\n\};", file.read(), re.S).group(1)
        names = re.findall(r'\{"(\w+)"', table)
        self.assertEqual(sorted(re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() for name in names),
                         sorted(self.every_operation()))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
