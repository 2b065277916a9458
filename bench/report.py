"""Medians, ratios, and how they are shown."""
import statistics

# (what, workload, connections, ours, theirs, goal)
GOALS = [
    ("GetItem, memory", "GetItem", 16, "Partita memory", "nginx 1 KB", 0.9),
    ("GetItem, memory", "GetItem", 16, "Partita memory", "Dynoxide memory", 10),
    ("GetItem, memory", "GetItem", 16, "Partita memory", "least server", "none: the load's limit"),
    ("GetItem, least server", "GetItem", 16, "least server", "Dynoxide memory", "none: the load's limit"),
    ("GetItem, memory, one connection", "GetItem", 1, "Partita memory", "nginx 1 KB", "none"),
    ("GetItem, memory, one connection", "GetItem", 1, "Partita memory", "Dynoxide memory", "none"),
    ("PutItem, memory", "PutItem", 16, "Partita memory", "nginx 2 B", 0.8),
    ("PutItem, memory", "PutItem", 16, "Partita memory", "Dynoxide memory", 15),
    ("GetItem, rocksdb, warm", "GetItem", 16, "Partita rocksdb", "nginx 1 KB", 0.7),
    ("PutItem, rocksdb, synced", "PutItem", 16, "Partita rocksdb", "redis AOF always", 0.8),
    ("PutItem, rocksdb, synced, 64 connections", "PutItem", 64, "Partita rocksdb", "Dynoxide file",
     15),
    ("UpdateItem with a condition, memory", "UpdateItem", 16, "Partita memory", "Dynoxide memory",
     12),
    ("Query of 10 items of 100 B, memory", "Query10", 16, "Partita memory", "Dynoxide memory", 8),
    ("Scan page of 1 MB, memory", "Scan1MB", 16, "Partita memory", "Dynoxide memory", 50),
    ("BatchWriteItem of 25, memory", "BatchWrite25", 16, "Partita memory", "Dynoxide memory", 30),
    ("TransactWriteItems of 2, memory", "TransactWrite2", 16, "Partita memory", "Dynoxide memory",
     12),
]


class Results:
    def __init__(self):
        self.cells = {}  # (subject, workload, connections) -> [Measurement], one per round
        self.notes = {}  # subject -> {name: value}

    def add(self, subject, workload, connections, measurement):
        self.cells.setdefault((subject, workload, connections), []).append(measurement)

    def note(self, subject, name, value):
        self.notes.setdefault(subject, {})[name] = value

    def median(self, subject, workload, connections, field):
        runs = self.cells[subject, workload, connections]
        return statistics.median(getattr(run, field) for run in runs)

    def ratio(self, workload, connections, ours, theirs):
        """The median over the rounds of ours / theirs, or None if one was not measured."""
        left = self.cells.get((ours, workload, connections))
        right = self.cells.get((theirs, workload, connections))
        if not left or not right:
            return None
        return statistics.median(a.per_second / max(b.per_second, 0.1) for a, b in zip(left, right))


def markdown(results):
    lines = ["| Server | Operation | Connections | per second | p50 µs | p99 µs | CPU µs | failed |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]
    for subject, workload, connections in sorted(results.cells, key=lambda c: (c[1], c[2])):
        median = lambda field: results.median(subject, workload, connections, field)  # noqa: E731
        failed = sum(r.failed for r in results.cells[subject, workload, connections])
        lines.append(f"| {subject} | {workload} | {connections} | {median('per_second'):,.0f} "
                     f"| {median('p50_us'):,.0f} | {median('p99_us'):,.0f} "
                     f"| {median('cpu_us'):.1f} | {failed} |")
    lines += ["", "| Ratio | to | measured | goal |", "|---|---|--:|--:|"]
    for what, workload, connections, ours, theirs, goal in GOALS:
        ratio = results.ratio(workload, connections, ours, theirs)
        if ratio is not None:
            lines.append(f"| {what} | {theirs} | {ratio:.2f} | {goal} |")
    lines += ["", "| Server | cold start ms | idle MB | with the items MB | syncs per write |",
              "|---|--:|--:|--:|--:|"]
    for subject, notes in results.notes.items():
        shown = [f"{notes[name]:.2f}" if name in notes else ""
                 for name in ("cold start ms", "idle MB", "filled MB", "syncs per write")]
        lines.append(f"| {subject} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def plot(results, path):
    """Throughput by operation as an SVG of plain bars, on a logarithmic scale."""
    import math
    bars = [(workload, subject, results.median(subject, workload, connections, "per_second"))
            for subject, workload, connections in sorted(results.cells, key=lambda c: (c[1], c[0]))
            if connections == 16 and workload in ("GetItem", "PutItem")]
    height, row = 40 + 18 * len(bars), 18
    top = math.log10(max(value for _, _, value in bars))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             '<text x="10" y="20">requests per second, one core, 16 connections (log scale)</text>']
    for index, (workload, subject, value) in enumerate(bars):
        y = 34 + row * index
        width = 380 * (math.log10(value) - 2) / (top - 2)
        colour = "#2a7" if subject.startswith("Partita") else "#99a"
        parts.append(f'<text x="10" y="{y + 11}">{workload}</text>'
                     f'<text x="90" y="{y + 11}">{subject}</text>'
                     f'<rect x="220" y="{y}" width="{max(width, 1):.0f}" height="13" fill="{colour}"/>'
                     f'<text x="{226 + max(width, 1):.0f}" y="{y + 11}">{value:,.0f}</text>')
    parts.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(parts))
