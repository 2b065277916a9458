"""A consumer that follows a stream across shards, parent before child, and keeps what it saw."""


class StreamConsumer:
    """Reads everything from the beginning. `call(operation, request)` returns the answer.

    After a restart of the server it goes on with the iterators it has: they outlive the server.
    """

    def __init__(self, arn, page=1000):
        self.arn = arn
        self.page = page
        self.parents = {}    # of every shard ever seen
        self.iterators = {}  # of shards being read
        self.ended = set()
        self.records = []    # (shard, record), in the order of reading

    def discover(self, call):
        """Takes note of new shards, all pages of them."""
        request = {"StreamArn": self.arn, "Limit": 3}
        while True:
            description = call("DescribeStream", request)["StreamDescription"]
            for shard in description["Shards"]:
                self.parents.setdefault(shard["ShardId"], shard.get("ParentShardId"))
            if "LastEvaluatedShardId" not in description:
                return description
            request["ExclusiveStartShardId"] = description["LastEvaluatedShardId"]

    def readable(self):
        """Shards that are not at their end, but whose parents are."""
        return [shard for shard, parent in self.parents.items() if shard not in self.ended and
                (parent not in self.parents or parent in self.ended)]

    def poll(self, call):
        """One page of each readable shard. Returns how many records and ends there were."""
        self.discover(call)
        news = 0
        for shard in self.readable():
            if shard not in self.iterators:
                self.iterators[shard] = call("GetShardIterator", {
                    "StreamArn": self.arn, "ShardId": shard,
                    "ShardIteratorType": "TRIM_HORIZON"})["ShardIterator"]
            answer = call("GetRecords", {
                "ShardIterator": self.iterators[shard], "Limit": self.page})
            self.records += [(shard, record) for record in answer["Records"]]
            news += len(answer["Records"])
            if answer.get("NextShardIterator"):
                self.iterators[shard] = answer["NextShardIterator"]
            else:
                del self.iterators[shard]
                self.ended.add(shard)
                news += 1
        return news

    def drain(self, call):
        """Reads until there is nothing new."""
        while self.poll(call):
            pass
