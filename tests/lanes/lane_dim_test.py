#!/usr/bin/env python3
"""Lanes count along the dimension in which neighbours access what lies side by side.

    tests/lanes/lane_dim_test.py [--build build]

Looks for loads and stores with an address for each lane in what `heddle run --dump lanes` shows; ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import re
import subprocess
import tempfile

# kernel, what it does with its work-item, words for the run, accesses at addresses of each lane's own that are expected
KERNELS = (
    ("row_in_x", "o[get_global_id(0) * n + get_global_id(1)] = 2 * a[get_global_id(0) * n + get_global_id(1)];",
     "--global 64,64", 0),
    ("row_in_x, groups", "o[get_global_id(0) * n + get_global_id(1)] = a[get_local_id(0) * n + get_local_id(1)];",
     "--global 64,64 --local 16,16", 0),
    ("row_in_x, groups without room", "o[get_global_id(0) * n + get_global_id(1)] = a[get_local_id(0) * n + get_local_id(1)];",
     "--global 64,64 --local 64,1", 2),
    ("row_in_x, told to", "o[get_global_id(0) * n + get_global_id(1)] = 1;", "--global 64,64 --lane-dim 1", 1),
    ("row_in_x, few columns", "o[get_global_id(0) * n + get_global_id(1)] = 1;", "--global 64,4", 1),
    ("row_in_y", "o[get_global_id(1) * n + get_global_id(0)] = 2 * a[get_global_id(1) * n + get_global_id(0)];",
     "--global 64,64", 0),
    ("row_in_y, told to", "o[get_global_id(1) * n + get_global_id(0)] = 1;", "--global 64,64 --lane-dim 2", 1),
    ("rows of four", "o[get_global_id(1) * 4 + get_global_id(0)] = 2 * a[4 * get_global_id(1) + get_global_id(0)];",
     "--global 4,64", 0),
    ("rows of an argument", "o[get_global_id(1) * n + get_global_id(0)] = 1;", "--global 4,64", 1),  # and one behind a test
    ("rows as in the launch", "o[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1;", "--global 7,64", 0),
    ("rows of four, told not to", "o[get_global_id(1) * 4 + get_global_id(0)] = 1;", "--global 4,64 --lane-dim 1", 1),
    ("transposed", "o[get_global_id(0) * n + get_global_id(1)] = a[get_global_id(1) * n + get_global_id(0)];",
     "--global 64,64", 1),
    ("product", "float s = 0; int i = get_global_id(0), j = get_global_id(1);"
     "for (int k = 0; k < n; k++) s += a[i * n + k] * a[k * n + j]; o[i * n + j] = s;", "--global 64,64", 0),
    ("plane_in_x", "o[(get_global_id(0) * 16 + get_global_id(1)) * 16 + get_global_id(2)] = 1;", "--global 16,16,16", 0),
    ("order", "o[get_global_id(0) * n + get_global_id(1)] = get_global_linear_id();", "--global 64,64", 1),
    ("sub-groups", "o[get_global_id(0) * n + get_global_id(1)] = get_sub_group_local_id();", "--global 64,64", 1),
)
# the same, but only stores are counted
STORES = (
    ("transposed, stores", "o[get_global_id(0) * n + get_global_id(1)] = a[get_global_id(1) * n + get_global_id(0)];",
     "--global 64,64", 0),
    ("planes transposed, stores", "n /= 4; o[(get_global_id(0) * n + get_global_id(1)) * n + get_global_id(2)] = "
     "a[(get_global_id(2) * n + get_global_id(1)) * n + get_global_id(0)];", "--global 16,16,16", 1),
)
ARGS = "--cl=-cl-std=CL3.0 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg i32=64 --width 16 --no-print --dump lanes".split()


def scattered(text, operations):
    """Loads and stores (or one of them) of the last function printed whose addresses are the lanes' own, without a step."""
    last = text[text.rindex("kernel @"):]
    lines = dict(re.findall(r"^ +(%\d+) = (.*)$", last, re.M))
    addresses = re.findall(rf"= (?:{operations})\.\w+ .*?(%\d+)", last)
    return sum(re.search(r" (uniform|affine|address)\b", lines[a]) is None for a in addresses)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    passed = failed = 0
    for name, body, words, want in KERNELS + STORES:
        with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
            source.write("kernel void k(global float *o, global const float *a, int n) { " + body + " }\n")
            source.flush()
            out = subprocess.run([os.path.join(args.build, "heddle"), "run", source.name, *words.split(), *ARGS],
                                 capture_output=True, text=True, check=False,
                                 env=dict(os.environ, HEDDLE_JAM="0"))  # tiles have tests of their own
        operations = "LOAD|STORE" if (name, body, words, want) in KERNELS else "STORE"
        found = scattered(out.stdout, operations) if out.returncode == 0 else out.stderr
        if found == want:
            passed += 1
        else:
            failed += 1
            print(f"{name}: {found} accesses at addresses of the lanes' own, {want} expected")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
