#!/usr/bin/env python3
"""What a bounds check guards is there twice, not more often: code for all lanes without masks, and the code as it was.

    tests/lanes/copies_test.py [--build build]

Counts the blocks of lane IR in `heddle run --dump lanes`; ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import re
import subprocess
import tempfile

KERNELS = {
    "plain": ("kernel void k(global float *y, global const float *x, uint n) { uint i = (uint)get_global_id(0);"
              " if (i < n) y[i] = x[i] * 2.0f + 1.0f; }", 24),
    "nested": ("kernel void k(global float *y, global const float *x, uint n) { uint i = (uint)get_global_id(0);"
               " if (i < n) { float s = 0; for (uint j = 0; j < n; j++) if (i + j < n) s += x[i + j]; y[i] = s; } }", 70),
    "tail": ("kernel void k(global float *y, global const float *x, uint n) { uint i = (uint)get_global_id(0) * 4;"
             " if (i + 4 <= n) vstore4(vload4(0, x + i), 0, y + i); else for (; i < n; i++) y[i] = x[i]; }", 50),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, most) in KERNELS.items():
            path = os.path.join(folder, name + ".cl")
            with open(path, "w", encoding="utf-8") as f:
                f.write(source)
            for width in ("4", "8", "16"):
                out = subprocess.run([os.path.join(args.build, "heddle"), "run", path, "--global", "40", "--width", width,
                                      "--arg", "f32[40]=zeros", "--arg", "f32[40]=range", "--arg", "u32=37", "--no-print",
                                      "--dump", "lanes"], capture_output=True, text=True, check=False)
                blocks = out.stdout.count("\nblock ")
                has_plain = re.search(r"STORE\.\w+ void imm", out.stdout) is not None
                if out.returncode == 0 and 4 < blocks <= most and has_plain:
                    passed += 1
                else:
                    failed += 1
                    print(f"{name}, {width} lanes: {blocks} blocks, at most {most} expected; "
                          f"a store without a mask: {has_plain}\n{out.stderr}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
