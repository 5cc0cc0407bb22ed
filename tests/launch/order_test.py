#!/usr/bin/env python3
"""In which groups a launch does what nothing in the kernel tells groups of: along planes and columns of arrays.

    tests/launch/order_test.py [--build build]

One thread gives each work-item a number as it comes. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile

NEXT_Z, NEXT_Y = "(x * ny + y) * nz + z", "(x * nz + z) * ny + y"
# name, where work-item (x, y, z) leaves its number, global size, local size, x, y and z that the first 256 of them have
CASES = (
    ("neighbours in z lie side by side", NEXT_Z, (64, 64, 64), None, (16, 16, 1)),
    ("the same in groups", NEXT_Z, (64, 64, 64), (16, 4, 4), (16, 16, 1)),
    ("neighbours in y lie side by side", NEXT_Y, (64, 64, 64), None, (16, 1, 16)),
    ("the same in groups", NEXT_Y, (64, 64, 64), (64, 4, 1), (16, 1, 16)),
    ("few rows", NEXT_Z, (64, 8, 64), None, (32, 8, 1)),
    ("planes that share no sets", NEXT_Z, (64, 36, 36), None, (64, 4, 1)),
    ("rows that are contiguous", "(z * ny + y) * nx + x", (64, 64, 64), None, (64, 4, 1)),
    ("columns in groups as wide as four sub-groups", "x * ny + y", (512, 512, 1), (64, 4, 1), (16, 16, 1)),
    ("columns that share no sets", "x * ny + y", (512, 500, 1), (64, 4, 1), (64, 4, 1)),
)


def first_items(build, source, index, sizes, local):
    """The ids of the 256 work-items that come first."""
    total = sizes[0] * sizes[1] * sizes[2]
    words = ["--global", ",".join(map(str, sizes)), "--arg", f"i32[{total}]=zeros", "--arg", "i32[1]=zeros"]
    words += [word for n in sizes for word in ("--arg", f"i32={n}")]
    words += ["--local", ",".join(map(str, local))] if local else []
    out = subprocess.run([os.path.join(build, "heddle"), "run", source, *words, "--threads", "1", "--width", "16", "--json",
                          "--print", "0"], capture_output=True, text=True, check=True)
    numbers = json.loads(out.stdout)["args"][0]["values"]
    place_of = eval("lambda x, y, z, nx, ny, nz: " + index)
    items = []
    for z in range(sizes[2]):
        for y in range(sizes[1]):
            for x in range(sizes[0]):
                if numbers[place_of(x, y, z, *sizes)] < 256:
                    items.append((x, y, z))
    return items


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    if shutil.which(os.environ.get("HEDDLE_CLANG", "clang-22")) is None:
        print(f"0 passed, 0 failed, {len(CASES)} skipped (there is no clang-22)")
        return 0
    passed = failed = 0
    for name, index, sizes, local, want in CASES:
        with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
            source.write("kernel void k(global int *o, global int *count, int nx, int ny, int nz)\n"
                         "{ int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                         f"  o[{index}] = atomic_inc(count); }}\n")
            source.flush()
            items = first_items(args.build, source.name, index, sizes, local)
        got = tuple(1 + max(i[d] for i in items) for d in range(3))
        if got == want:
            passed += 1
        else:
            failed += 1
            print(f"{name}: the first 256 work-items have ids below {got}, not {want}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
