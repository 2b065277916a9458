#!/usr/bin/python3
"""A separate project finds the installed Partita, builds against it and runs.

  install_test.py BUILD_FOLDER
"""
import os
import subprocess
import sys
import tempfile


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(" ".join(command) + "\n" + result.stdout + result.stderr)
    return result.stdout


def check_program(prefix):
    """The service, its configuration and the completions fit the place they were installed to."""
    program, config = os.path.join(prefix, "bin/partita"), os.path.join(prefix, "etc/partita.toml")
    with open(os.path.join(prefix, "lib/systemd/system/partita.service"), encoding="utf-8") as unit:
        if f"ExecStart={program} serve --config {config}\n" not in unit.read():
            sys.exit("the unit does not start what was installed")
    run(program, "serve", "--config", config, "--print-config")
    run("bash", "-n", os.path.join(prefix, "share/bash-completion/completions/partita"))
    for path in ("share/zsh/site-functions/_partita", "share/fish/vendor_completions.d/partita.fish",
                 "share/partita/partita.toml"):
        if os.path.getsize(os.path.join(prefix, path)) < 100:
            sys.exit(f"{path} is empty")


def main():
    build = os.path.abspath(sys.argv[1])
    project = os.path.join(os.path.dirname(os.path.abspath(__file__)), "project")
    with tempfile.TemporaryDirectory() as folder:
        prefix, tree = os.path.join(folder, "prefix"), os.path.join(folder, "tree")
        run("cmake", "--install", build, "--prefix", prefix)
        # Nothing of the source tree may be needed: headers come from the prefix alone.
        run("cmake", "-S", project, "-B", tree, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", tree)
        output = run(os.path.join(tree, "shopping"), os.path.join(folder, "data"))
        if output != "2 litres of milk\n":
            sys.exit("unexpected: " + output)
        output = run(os.path.join(tree, "client"))
        if output != "nobody is there\n":
            sys.exit("unexpected: " + output)
        check_program(prefix)
        version = run(os.path.join(prefix, "bin/partita"), "--version")
        print("installed and embedded:", version.strip())


if __name__ == "__main__":
    main()
