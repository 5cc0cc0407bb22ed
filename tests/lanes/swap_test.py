#!/usr/bin/env python3
"""A loop with barriers that only some lanes ask about, as compilers leave it, needs no masks.

    tests/lanes/swap_test.py [--build build]

Counts the slots that `heddle run --dump lanes` shows for src/ops/control/tests/barrier_threaded.spvasm; ends with a line of
counts.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = os.path.join(ROOT, "src/ops/control/tests/barrier_threaded.spvasm")
MOST_SLOTS = 3  # of the branch before the loop; with the loop under masks there are more than twenty


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    passed = failed = 0
    for width in ("4", "8", "16"):
        out = subprocess.run([os.path.join(args.build, "heddle"), "run", MODULE, "k", "--dump", "lanes", "--width", width],
                             capture_output=True, text=True, check=False)
        slots = out.stdout.count("= SLOT ")
        if out.returncode == 0 and "= NEXT " in out.stdout and slots <= MOST_SLOTS:
            passed += 1
        else:
            failed += 1
            print(f"{width} lanes: {slots} slots, at most {MOST_SLOTS} expected\n{out.stderr}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
