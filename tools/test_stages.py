#!/usr/bin/python3
"""The stages of ./test: builds, runs, counts, and keeps the time (docs/testing.md).

Every stage answers a Tally. A stage that ran no test fails, so a suite cannot vanish unnoticed.
What fails is tried once more, since a busy machine can make a test with clocks, sockets and killed
servers fail; what passes then is named in the report as unstable. What a sanitizer found is not tried
again: it was there, however seldom it shows.
"""
import argparse
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(ROOT, "tests/fuzz"))
import corpus as corpus_of_fuzzers  # noqa: E402
BUILDING_SECONDS_BUDGET, RUNNING_SECONDS_BUDGET = 20 * 60, 15 * 60
FUZZERS = [os.path.basename(path)[:-len(".cc")]
           for path in sorted(glob.glob(os.path.join(ROOT, "tests/fuzz/fuzz_*.cc")))]
# ThreadSanitizer watches what is concurrent, on the memory engine: the rest has one thread.
THREAD_SUITES = ("storage_memory", "execution", "server", "database")
TRIED_AGAIN_MAX = 5  # more than that is no accident
SANITIZER_REPORT = re.compile(r"(Address|Thread|Leak|UndefinedBehavior)Sanitizer|: runtime error: ")


@dataclass
class Tally:
    passed: int = 0
    failed: list = field(default_factory=list)  # names
    skipped: list = field(default_factory=list)
    unstable: list = field(default_factory=list)  # failed, then passed; among those passed


def run(command, timeout, **options):
    """Runs a command in the root, shows its output as it comes, and returns (exit code, output)."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", start_new_session=True,
                          **options) as process:
        output = []
        watchdog = threading.Timer(timeout, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        for line in process.stdout:
            output.append(line)
            print("   ", line, end="", flush=True)
        code = process.wait()
        watchdog.cancel()
        if code == -signal.SIGKILL:
            print(f"    stopped, perhaps after its {timeout} seconds")
        return code, "".join(output)


def build(preset, targets=()):
    """Configures and builds; a build is one test that passes or fails."""
    def stage(_):
        code, _ = run(["cmake", "--preset", preset], 300, stdin=subprocess.DEVNULL)
        if code == 0:
            code, _ = run(["ninja", "-C", f"build/{preset}", "--quiet", *targets], 3600)
        return Tally(passed=1) if code == 0 else Tally(failed=[f"build {preset}"])
    return stage


def suites_without_test(preset, suites, names):
    """Test programs that were built but of which ctest ran nothing."""
    for program in sorted(glob.glob(os.path.join(ROOT, "build", preset, "*_test"))):
        suite = os.path.basename(program)[:-len("_test")]
        wanted = suites is None or suite in suites
        if wanted and not any(name.split(".")[0] == suite for name in names):
            yield f"{suite}: no test ran"


def run_ctest(preset, tests):
    """Runs the tests that match and returns ({name: passed, failed or skipped}, {name: output})."""
    report = os.path.join(ROOT, "build", preset, "ctest.xml")
    command = ["ctest", "--test-dir", f"build/{preset}", "--parallel", "2", "--no-tests=error",
               "--output-on-failure", "--progress", "--output-junit", report, *tests]
    if os.path.exists(report):
        os.remove(report)
    # ThreadSanitizer's deadlock detector gives up at 64 locks of one thread; a transaction of 100
    # items takes more, in a fixed order.
    environment = {**os.environ, "TSAN_OPTIONS": "detect_deadlocks=0"}
    run(command, 1800, env=environment)
    verdicts, outputs = {}, {}
    if not os.path.exists(report):
        return verdicts, outputs
    for case in ElementTree.parse(report).iter("testcase"):
        name, status = case.get("name"), case.get("status")
        if case.find("skipped") is not None or status in ("notrun", "disabled"):
            # What could not be built is not skipped: ctest calls it notrun too.
            verdicts[name] = "failed" if name.endswith("_NOT_BUILT") else "skipped"
        else:
            verdicts[name] = "passed" if status == "run" else "failed"
        outputs[name] = case.findtext("system-out") or ""
    return verdicts, outputs


def ctest(preset, suites=None):
    def stage(_):
        chosen = ["--tests-regex", "^(" + "|".join(suites) + r")\."] if suites else []
        verdicts, outputs = run_ctest(preset, chosen)
        if not verdicts:
            return Tally(failed=[f"ctest {preset} made no report"])
        again = [name for name, verdict in verdicts.items() if verdict == "failed"
                 and not SANITIZER_REPORT.search(outputs[name]) and not name.endswith("_NOT_BUILT")]
        unstable = []
        if again and len(again) <= TRIED_AGAIN_MAX:
            exactly = "^(" + "|".join(re.escape(name) for name in again) + ")$"
            second, _ = run_ctest(preset, ["--tests-regex", exactly])
            unstable = [name for name in again if second.get(name) == "passed"]
            verdicts.update({name: "passed" for name in unstable})
        named = {verdict: [name for name in verdicts if verdicts[name] == verdict]
                 for verdict in ("passed", "failed", "skipped")}
        ran = named["passed"] + named["failed"]
        return Tally(len(named["passed"]),
                     named["failed"] + list(suites_without_test(preset, suites, ran)),
                     named["skipped"], unstable)
    return stage


def unittest_script(script, *arguments, long_arguments=(), timeout=900):
    """A python unittest program."""
    def attempt(options):
        extra = long_arguments if options.long else ()
        code, output = run(["/usr/bin/python3", script, *arguments, *extra, "-v"], timeout)
        match = re.findall(r"^Ran (\d+) tests? in", output, re.MULTILINE)
        ran = int(match[-1]) if match else 0
        failed = re.findall(r"^(?:FAIL|ERROR): (.*)$", output, re.MULTILINE)
        skipped = re.findall(r"^(.*) \.\.\. skipped", output, re.MULTILINE)
        if code != 0 and not failed:
            failed = [f"{script}: exit code {code}"]
        return Tally(max(0, ran - len(failed) - len(skipped)), failed, skipped)

    def stage(options):
        first = attempt(options)
        if not first.failed or len(first.failed) > TRIED_AGAIN_MAX:
            return first
        second = attempt(options)
        second.unstable = [name for name in first.failed if name not in second.failed]
        return second
    return stage


def javascript_sdk(_):
    folder = os.path.join(ROOT, "tests/sdk/js")
    lock = os.path.join(folder, "package-lock.json")
    installed = os.path.join(folder, "node_modules/.package-lock.json")
    if not os.path.exists(installed) or os.path.getmtime(installed) < os.path.getmtime(lock):
        code, _ = run(["npm", "ci", "--prefix", folder, "--no-fund", "--no-audit"], 600)
        if code != 0:
            return Tally(failed=["npm ci in tests/sdk/js"])
    files = sorted(glob.glob(os.path.join(folder, "*.test.mjs")))
    code, output = run(["node", "--test", "--test-reporter=tap", *files], 600)
    count = {key: int(number) for key, number in re.findall(r"^# (pass|skipped) (\d+)$", output, re.M)}
    failed = re.findall(r"^\s*not ok \d+ - (.*)$", output, re.MULTILINE)
    if code != 0 and not failed:
        failed = [f"node --test: exit code {code}"]
    skipped = re.findall(r"^\s*ok \d+ - (.*) # SKIP", output, re.MULTILINE)
    return Tally(count.get("pass", 0), failed, skipped)


def fuzz(name, limits, timeout, corpus, operation=None):
    """Runs one fuzzer; what it finds of interest is kept for the next time. Whether it held."""
    found = os.path.join(ROOT, "build/fuzz/found", name)
    os.makedirs(found, exist_ok=True)
    dictionary = os.path.join(ROOT, "tests/fuzz", name.replace("fuzz_", "") + ".dict")
    # libFuzzer's entropic schedule goes through its whole corpus for each input of note: more than
    # half of the time. Deep stacks for each allocation come next.
    command = [f"build/fuzz/{name}", *limits, "-entropic=0", "-timeout=10", "-rss_limit_mb=2048",
               "-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={found}/crash-", found]
    command += [corpus[name]] if name in corpus else []
    command += [f"-dict={dictionary}"] if os.path.exists(dictionary) else []
    environment = {"ASAN_OPTIONS": "malloc_context_size=6:quarantine_size_mb=32", **os.environ,
                   **({"PARTITA_FUZZ_OPERATION": operation} if operation else {})}
    code, output = run(command, timeout, env=environment)
    return code == 0 and "stat::number_of_executed_units: 0" not in output


def fuzz_all(jobs, limits, timeout):
    """`jobs` are (fuzzer, operation or None)."""
    starting_points = corpus_of_fuzzers.make(os.path.join(ROOT, "build/fuzz/corpus"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        held = list(pool.map(lambda job: fuzz(job[0], limits, timeout, starting_points, job[1]), jobs))
    return Tally(sum(held), [f"{name} {operation or ''} (input: build/fuzz/found/{name}/crash-*)"
                             for (name, operation), well in zip(jobs, held) if not well])


def fuzzers(options):
    seconds = 120 if options.long else 10
    return fuzz_all([(name, None) for name in FUZZERS], [f"-max_total_time={seconds}"],
                    seconds + 120)


def fuzz_campaign(options):
    """So many inputs for each entry point: each fuzzer, and the decoding of each operation."""
    jobs = [(name, None) for name in FUZZERS if name not in ("fuzz_json", "fuzz_server")]
    jobs += [("fuzz_json", operation) for operation in corpus_of_fuzzers.server_operations()]
    tally = fuzz_all(jobs, [f"-runs={options.campaign}"], 24 * 3600)
    # An input of this one is some ten requests.
    whole = fuzz_all([("fuzz_server", None)], [f"-runs={options.campaign // 10}"], 24 * 3600)
    return Tally(tally.passed + whole.passed, tally.failed + whole.failed)


def soak(options):
    code, _ = run(["/usr/bin/python3", "tests/load/soak.py", "--minutes", str(options.soak)],
                  int(options.soak * 60) + 1200)
    return Tally(passed=1) if code == 0 else Tally(failed=["soak"])


BUILDING, RUNNING = "building", "running"
# name, kind, in --quick, the build it needs, what it does
STAGES = [
    ("build-release", BUILDING, True, None, build("release")),
    ("build-debug", BUILDING, False, None, build("debug")),
    ("build-thread", BUILDING, False, None,
     build("thread", [suite + "_test" for suite in THREAD_SUITES] + ["api_script_runner"])),
    ("build-fuzz", BUILDING, False, None, build("fuzz", FUZZERS)),
    ("release", RUNNING, True, "build-release", ctest("release")),
    ("debug", RUNNING, False, "build-debug", ctest("debug")),
    ("thread", RUNNING, False, "build-thread", ctest("thread", (*THREAD_SUITES, "api"))),
    ("sdk-python", RUNNING, True, "build-release", unittest_script("tests/sdk/boto3_test.py")),
    ("sdk-kit", RUNNING, True, "build-release", unittest_script("tests/sdk/kit_table_test.py")),
    ("throttling", RUNNING, True, "build-release", unittest_script("tests/sdk/throttle_test.py")),
    ("sdk-streams", RUNNING, True, "build-release",
     unittest_script("tests/sdk/boto3_streams_test.py")),
    ("sdk-awscli", RUNNING, True, "build-release", unittest_script("tests/sdk/awscli_test.py")),
    ("sdk-javascript", RUNNING, True, "build-release", javascript_sdk),
    ("crash", RUNNING, True, "build-release",
     unittest_script("tests/crash/kill9_test.py", long_arguments=["--rounds", "40"], timeout=3600)),
    ("bank", RUNNING, True, "build-release",
     unittest_script("tests/crash/bank_test.py", long_arguments=["--rounds", "60"], timeout=3600)),
    ("crash-indexes", RUNNING, True, "build-release",
     unittest_script("tests/crash/index_test.py", long_arguments=["--rounds", "40"], timeout=3600)),
    ("crash-expiry", RUNNING, True, "build-release",
     unittest_script("tests/crash/expiry_test.py", long_arguments=["--rounds", "20"], timeout=3600)),
    ("crash-streams", RUNNING, True, "build-release",
     unittest_script("tests/crash/stream_test.py", long_arguments=["--rounds", "40"],
                     timeout=3600)),
    ("start", RUNNING, True, "build-release", unittest_script("tests/crash/start_test.py")),
    ("operations", RUNNING, True, "build-release",
     unittest_script("tests/program/operations_test.py")),
    ("signatures", RUNNING, True, "build-release",
     unittest_script("tests/security/signature_test.py")),
    ("policies", RUNNING, True, "build-release",
     unittest_script("tests/security/policy_test.py")),
    ("clock", RUNNING, True, "build-release", unittest_script("tests/program/clock_test.py")),
    ("https", RUNNING, True, "build-release", unittest_script("tests/security/tls_test.py")),
    ("expiry", RUNNING, True, "build-release", unittest_script("tests/program/expiry_test.py")),
    ("push", RUNNING, True, "build-release", unittest_script("tests/program/push_test.py")),
    ("completion", RUNNING, True, "build-release",
     unittest_script("tests/program/completion_test.py")),
    ("documents", RUNNING, True, "build-release",
     unittest_script("tests/program/documents_test.py")),
    ("seeds", RUNNING, True, None, unittest_script("tests/program/seeds_test.py")),
    ("load", RUNNING, True, "build-release", unittest_script("tests/load/load_test.py")),
    ("costly-requests", RUNNING, True, "build-release",
     unittest_script("tests/load/costly_requests_test.py")),
    ("faults", RUNNING, True, "build-release", unittest_script("tests/load/faults_test.py")),
    ("instructions", RUNNING, True, "build-release",
     unittest_script("tests/work/instructions_test.py")),
    ("work", RUNNING, True, "build-release", unittest_script("tests/work/in_process_test.py")),
    ("fuzz", RUNNING, False, "build-fuzz", fuzzers),
]
# Only when asked for by name: they take as long as they are told to.
LONG_STAGES = {
    "campaign": ("campaign", RUNNING, False, "build-fuzz", fuzz_campaign),
    "soak": ("soak", RUNNING, False, "build-release", soak),
}


def chosen_stages(options):
    asked_for = [stage for name, stage in LONG_STAGES.items() if getattr(options, name)]
    if asked_for:
        return [stage for stage in STAGES if stage[0] in {needs[3] for needs in asked_for}] + asked_for
    if options.only:
        names = {stage[0] for stage in STAGES}
        unknown = set(options.only) - names
        if unknown:
            sys.exit(f"No stage {', '.join(sorted(unknown))}; there are: {', '.join(sorted(names))}")
        needed = {stage[3] for stage in STAGES if stage[0] in options.only} | set(options.only)
        return [stage for stage in STAGES if stage[0] in needed]
    return [stage for stage in STAGES if stage[2] or not options.quick]


def run_stages(stages, options):
    """Returns [(name, kind, seconds, Tally)]."""
    results, broken_builds = [], set()
    for name, kind, _, needs, stage in stages:
        print(f"== {name}", flush=True)
        started = time.monotonic()
        if needs in broken_builds:
            tally = Tally(failed=[f"{name}: not run, {needs} failed"])
        else:
            tally = stage(options)
            if tally.passed == 0 and not tally.failed:
                tally.failed.append(f"{name}: no test ran")
        if kind == BUILDING and tally.failed:
            broken_builds.add(name)
        results.append((name, kind, time.monotonic() - started, tally))
    return results


def print_report(results):
    print("\nstage             seconds   passed  failed  skipped")
    for name, _, seconds, tally in results:
        print(f"{name:16} {seconds:8.1f} {tally.passed:8} {len(tally.failed):7} "
              f"{len(tally.skipped):8}")
    for kind, budget in ((BUILDING, BUILDING_SECONDS_BUDGET), (RUNNING, RUNNING_SECONDS_BUDGET)):
        spent = sum(seconds for _, of_kind, seconds, _ in results if of_kind == kind)
        verdict = "" if spent <= budget else "   OVER BUDGET"
        print(f"{kind}: {spent:.0f} of {budget} seconds{verdict}")
    for title, which in (("skipped", "skipped"), ("unstable", "unstable"), ("FAILED", "failed")):
        for name, _, _, tally in results:
            for test in getattr(tally, which):
                print(f"{title}: {name}: {test}")


def main():
    parser = argparse.ArgumentParser(prog="./test")
    parser.add_argument("--long", action="store_true", help="longer fuzzing and more crash rounds")
    parser.add_argument("--quick", action="store_true", help="release build only")
    parser.add_argument("--only", action="append", metavar="STAGE", help="this stage (repeatable)")
    parser.add_argument("--soak", nargs="?", type=float, const=60, metavar="MINUTES",
                        help="mixed load that must not make the server grow (60)")
    parser.add_argument("--campaign", nargs="?", type=int, const=1_000_000, metavar="INPUTS",
                        help="so many fuzz inputs for each entry point (a million)")
    parser.add_argument("--list", action="store_true", help="name the stages")
    options = parser.parse_args()
    if options.list:
        print("\n".join(stage[0] for stage in STAGES))
        return 0
    if shutil.which("cmake") is None:
        sys.exit("cmake is missing; start the tests with ./test")
    results = run_stages(chosen_stages(options), options)
    print_report(results)
    passed = sum(tally.passed for _, _, _, tally in results)
    failed = sum(len(tally.failed) for _, _, _, tally in results)
    skipped = sum(len(tally.skipped) for _, _, _, tally in results)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
