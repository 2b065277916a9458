"""What is measured: operations with prepared bodies, the same for every DynamoDB-like server."""
import json
import random

TABLE = "Bench"
PAGES = "BenchPages"
ITEM_BYTES = 1024


def key_of(number):
    return f"user#{number:08d}"


def item(number):
    """An item of 1 KB: a key, a few small attributes and a payload that fills it up."""
    attributes = {
        "pk": {"S": key_of(number)},
        "name": {"S": f"Customer {number}"},
        "visits": {"N": str(number % 1000)},
        "active": {"BOOL": True},
        "city": {"S": "Reykjavik"},
    }
    attributes["payload"] = {"S": "x" * (ITEM_BYTES - 92)}
    return attributes


def put(number):
    return {"TableName": TABLE, "Item": item(number)}


def get(number):
    return {"TableName": TABLE, "Key": {"pk": {"S": key_of(number)}}}


def update(number):
    return {
        "TableName": TABLE,
        "Key": {"pk": {"S": key_of(number)}},
        "UpdateExpression": "SET visits = visits + :one",
        "ConditionExpression": "active = :yes",
        "ExpressionAttributeValues": {":one": {"N": "1"}, ":yes": {"BOOL": True}},
    }


def query(number):
    return {
        "TableName": PAGES,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": f"group#{number % 100:04d}"}},
        "Limit": 10,
    }


def scan(_):
    return {"TableName": TABLE}


def batch_write(number):
    return {"RequestItems": {TABLE: [{"PutRequest": {"Item": item((number + i * 1009) % 100000)}}
                                     for i in range(25)]}}


def transact_write(number):
    return {"TransactItems": [{"Put": {"TableName": TABLE, "Item": item((number + i * 1009) % 100000)}}
                              for i in range(2)]}


def page_item(number):
    """An item of 100 bytes in a collection of its group."""
    return {
        "TableName": PAGES,
        "Item": {
            "pk": {"S": f"group#{number % 100:04d}"},
            "sk": {"N": str(number // 100)},
            "payload": {"S": "y" * 72},
        },
    }


TABLES = [
    {
        "TableName": TABLE,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    },
    {
        "TableName": PAGES,
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
    },
]

# name -> (operation, body maker)
WORKLOADS = {
    "GetItem": ("GetItem", get),
    "PutItem": ("PutItem", put),
    "UpdateItem": ("UpdateItem", update),
    "Query10": ("Query", query),
    "Scan1MB": ("Scan", scan),
    "BatchWrite25": ("BatchWriteItem", batch_write),
    "TransactWrite2": ("TransactWriteItems", transact_write),
}


def write_bodies(path, make, items, count=2000, seed=1):
    """Bodies for random items, one per line."""
    chosen = random.Random(seed)
    with open(path, "w") as file:
        for _ in range(count):
            file.write(json.dumps(make(chosen.randrange(items)), separators=(",", ":")) + "\n")
