#!/usr/bin/python3
"""Completion as a user meets it: a bash at a terminal, keys and tabs."""
import os
import pty
import select
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import PROGRAM, ScratchDirectory  # noqa: E402

PATIENCE_SECONDS = 30


class Terminal:
    """An interactive bash in which `partita` is the program under test."""

    def __init__(self, folder):
        process, self.file = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.environ.update(PATH=os.path.dirname(PROGRAM) + ":" + os.environ["PATH"], TERM="dumb",
                              PS1="", HISTFILE="/dev/null", INPUTRC="/dev/null")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.process = process
        self.text = ""

    def type(self, keys):
        os.write(self.file, keys.encode())

    def expect(self, part):
        """Waits until `part` is on the screen, and forgets what is there."""
        end = time.monotonic() + PATIENCE_SECONDS
        while part not in self.text:
            if not select.select([self.file], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"{part!r} is not in {self.text!r}")
            self.text += os.read(self.file, 4096).decode(errors="replace")
        self.text = ""

    def close(self):
        os.close(self.file)
        os.waitpid(self.process, 0)


class Completion(unittest.TestCase):
    def test_bash_completes_commands_flags_and_values(self):
        with ScratchDirectory() as folder:
            os.mkdir(os.path.join(folder, "some-folder"))
            with open(os.path.join(folder, "my.toml"), "w", encoding="ascii"):
                pass
            terminal = Terminal(folder)
            self.addCleanup(terminal.close)
            terminal.type("source <(partita completion bash) && echo lo''aded\n")
            terminal.expect("loaded")
            for typed, completed in (("partita ser\t", "partita serve "),
                                     ("partita serve --durab\t", "--durability "),
                                     ("partita serve --durability rel\t", "relaxed "),
                                     ("partita serve --log-level=warn\t", "=warning "),
                                     ("partita serve --data some\t", "some-folder/"),
                                     ("partita serve --config my\t", "my.toml "),
                                     ("partita clock fr\t", "freeze "),
                                     ("partita completion fi\t", "fish ")):
                with self.subTest(typed):
                    terminal.type(typed)
                    terminal.expect(completed)
                    terminal.type("\x15")  # forget the line

    def script(self, shell):
        return subprocess.run([PROGRAM, "completion", shell], capture_output=True, text=True,
                              check=True).stdout

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_its_script(self):
        subprocess.run(["zsh", "-n", "/dev/stdin"], input=self.script("zsh"), text=True, check=True)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        done = subprocess.run(
            ["fish", "--private", "-c", 'source -; complete -C "partita serve --durability rel"'],
            input=self.script("fish"), capture_output=True, text=True, check=True)
        self.assertTrue(done.stdout.startswith("relaxed"), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
