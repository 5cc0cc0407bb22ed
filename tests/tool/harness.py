"""What tests of the command share: heddle in a folder of its own, and what held and what did not.

    with harness.Tool() as t:
        t.check(t.run('val', t.path('a.spvasm', TEXT))[0] == 0, 'is valid')
    sys.exit(t.end())

SPDX-License-Identifier: MIT
"""
import argparse
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import served


class Tool:
    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
        parser.add_argument('-v', dest='verbose', action='store_true')
        options = parser.parse_args()
        self.heddle = os.path.join(os.path.abspath(options.build), 'heddle')
        self.verbose = options.verbose
        self.passed = self.failed = self.skipped = 0

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def path(self, name, text=None):
        """A file in the folder, with that text."""
        path = os.path.join(self.folder, name)
        if text is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as f:
                f.write(text)
        return path

    def run(self, *args, stdin=None):
        """heddle's exit code, output and findings."""
        p = served.run([self.heddle, *args], capture_output=True, text=True, input=stdin, timeout=300)
        return p.returncode, p.stdout, p.stderr

    def check(self, holds, why):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print('failed:', why)

    def end(self):
        """Print the line of counts; the program's exit status."""
        print(f'{self.passed} passed, {self.failed} failed, {self.skipped} skipped')
        return 1 if self.failed else 0
