#!/usr/bin/python3
"""A bank: 32 clients move money between accounts while the server is killed and started again.

Every transfer is one transaction with a token: two balances and an entry in the ledger. A client
that lost its answer asks again with the same token, so each transfer happens exactly once. In the
end the total is right to the cent and every balance is what the ledger says.
"""
import argparse
import os
import random
import signal
import sys
import threading
import time
import unittest
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ScratchDirectory, ServerProcess, create_table  # noqa: E402
from worker import LOST  # noqa: E402

CLIENTS = 32
ACCOUNTS = 20
CENTS_EACH = 100_000
ROUNDS = 5


def account(number):
    return {"id": {"S": f"account {number}"}}


class Client(threading.Thread):
    """Transfers money until it is told to stop; never gives a transfer up."""

    def __init__(self, number, bank):
        super().__init__()
        self.random = random.Random(bank.seed * 1000 + number)
        self.bank = bank
        self.made = []
        self.refused = 0
        self.failure = None

    def run(self):
        try:
            while not self.bank.closing.is_set():
                self.transfer()
        except RuntimeError as failure:
            self.failure = failure

    def transfer(self):
        source, target = self.random.sample(range(ACCOUNTS), 2)
        cents = self.random.randrange(1, 5000)
        token = str(uuid.UUID(int=self.random.getrandbits(128)))
        amount = {":n": {"N": str(cents)}}
        request = {"ClientRequestToken": token, "TransactItems": [
            {"Update": {"TableName": "Bank", "Key": account(source),
                        "UpdateExpression": "SET cents = cents - :n",
                        "ConditionExpression": "cents >= :n",
                        "ExpressionAttributeValues": amount}},
            {"Update": {"TableName": "Bank", "Key": account(target),
                        "UpdateExpression": "SET cents = cents + :n",
                        "ExpressionAttributeValues": amount}},
            {"Put": {"TableName": "Bank", "Item": {
                "id": {"S": f"entry {token}"}, "source": {"N": str(source)},
                "target": {"N": str(target)}, "amount": {"N": str(cents)}},
                "ConditionExpression": "attribute_not_exists(id)"}}]}
        while True:
            try:
                connection = Connection(self.bank.port, timeout=20)
                try:
                    status, answer = connection.call("TransactWriteItems", request)
                finally:
                    connection.close()
            except LOST:
                time.sleep(0.02)  # the server comes back; ask again with the same token
                continue
            if status == 200:
                self.made.append((token, source, target, cents))
                return
            kind = answer["__type"].split("#")[-1]
            if kind == "TransactionInProgressException":
                continue
            if kind != "TransactionCanceledException":
                raise RuntimeError(f"{status} {answer}")
            codes = [reason["Code"] for reason in answer["CancellationReasons"]]
            if "TransactionConflict" in codes:
                continue  # somebody else was there first
            if codes != ["ConditionalCheckFailed", "None", "None"]:
                raise RuntimeError(f"{codes}: a transfer happened that was not acknowledged")
            self.refused += 1
            return


class Bank:
    def __init__(self, seed):
        self.seed = seed
        self.port = None
        self.closing = threading.Event()
        self.clients = [Client(number, self) for number in range(CLIENTS)]

    def open(self, port):
        self.port = port
        connection = Connection(port)
        create_table(connection, "Bank", ("id", "S"))
        for number in range(ACCOUNTS):
            connection.expect("PutItem", {"TableName": "Bank", "Item": {
                **account(number), "cents": {"N": str(CENTS_EACH)}}})
        connection.close()
        for client in self.clients:
            client.start()

    def close(self):
        self.closing.set()
        for client in self.clients:
            client.join(60)


def total(connection):
    """What all accounts hold at one moment, or none if a transfer is under way."""
    status, answer = connection.call("TransactGetItems", {"TransactItems": [
        {"Get": {"TableName": "Bank", "Key": account(number)}} for number in range(ACCOUNTS)]})
    if status != 200:
        return None
    return sum(int(response["Item"]["cents"]["N"]) for response in answer["Responses"])


def scan(connection):
    items, start = [], {}
    while True:
        page = connection.expect("Scan", {"TableName": "Bank", "ConsistentRead": True, **start})
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


class BankTest(unittest.TestCase):
    seed = 0
    rounds = ROUNDS

    def check(self, connection, bank):
        for client in bank.clients:
            if client.failure:
                raise client.failure
            self.assertFalse(client.is_alive())
        items = scan(connection)
        balances = {item["id"]["S"]: int(item["cents"]["N"]) for item in items if "cents" in item}
        self.assertEqual(sum(balances.values()), ACCOUNTS * CENTS_EACH)
        ledger = {item["id"]["S"].removeprefix("entry "): item for item in items
                  if "amount" in item}
        made = [transfer for client in bank.clients for transfer in client.made]
        self.assertEqual(sorted(ledger), sorted(token for token, *_ in made))
        expected = {f"account {number}": CENTS_EACH for number in range(ACCOUNTS)}
        for _, source, target, cents in made:
            expected[f"account {source}"] -= cents
            expected[f"account {target}"] += cents
        self.assertEqual(balances, expected)
        self.assertGreater(len(made), 20, "nobody transferred anything")
        print(f"{len(made)} transfers", flush=True)

    def watch(self, port, seconds):
        """Looks at the total again and again."""
        connection = Connection(port)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            seen = total(connection)
            if seen is not None:
                self.assertEqual(seen, ACCOUNTS * CENTS_EACH)
        connection.close()

    def test_killed_again_and_again(self):
        print(f"seed {self.seed}", flush=True)
        chance = random.Random(self.seed)
        bank = Bank(self.seed)
        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory)
            bank.open(server.port)
            try:
                for _ in range(self.rounds):
                    self.watch(server.port, chance.uniform(0.3, 1.0))
                    server.stop(signal.SIGKILL)
                    server = ServerProcess("--data", directory)
                    bank.port = server.port
                self.watch(server.port, 0.5)
            finally:
                bank.close()
            self.check(Connection(server.port), bank)
            self.assertEqual(server.stop(), 0)

    def test_on_an_engine_that_conflicts(self):
        bank = Bank(self.seed + 1)
        with ServerProcess("--engine", "rehearsal") as server:
            bank.open(server.port)
            try:
                self.watch(server.port, 2)
            finally:
                bank.close()
            self.check(Connection(server.port), bank)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options, rest = parser.parse_known_args()
    BankTest.seed, BankTest.rounds = options.seed, options.rounds
    unittest.main(argv=[sys.argv[0], *rest], warnings="ignore")
