#!/usr/bin/env python3
"""Random kernels launched a few work-items wide: with x and y as one dimension they leave what the interpreter leaves.

    tests/lanes/fold_test.py [--build build] [--count N] [--seed S]

Each run takes another seed, and prints it. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import random
import shutil
import subprocess
import tempfile

TYPES = (("int", "i32"), ("uint", "u32"), ("float", "f32"), ("uchar", "u8"), ("short", "i16"), ("ulong", "u64"))
ENGINES = (("--width", "16"), ("--width", "8"), ("--width", "4", "--dispatch"))


class Kernel:
    """A kernel whose work-items write places of their own, and the words to run it."""

    def __init__(self, name, r):
        self.r, self.length, self.rows = r, r.choice([r.randrange(2, 16), r.randrange(17, 48)]), r.choice([16, 17, 20, 32, 33, 40])
        self.planes = r.choice([0, 0, 2, 3])
        (c_type, run_type), total = r.choice(TYPES), self.length * self.rows * max(self.planes, 1)
        guard = r.choice(["", "", "if (x < %d && y < %d) " % (r.randint(1, self.length), r.randint(1, self.rows)),
                          "if ((x + y) % 2) ", "if (y != 3) "])
        value = " + ".join("in[%s]" % self.index(["w", "v"]) for _ in range(r.randint(1, 2)))
        value += r.choice(["", " + x", " - y", " * (x + 1)", " + in[x]", " + in[y]", " + ((x ^ y) & 7)"])
        if r.random() < 0.3:
            value = "0; for (int i = 0; i < (int)(x %% 3) + 2; i++) s += in[%s + i]" % self.index(["w"])
        self.text = ("kernel void %s(global %s *out, global const %s *in, int w, int v)\n{ %s x = get_global_id(0), "
                     "y = get_global_id(1), z = get_global_id(2);\n  %s s = %s; %sout[%s] = s; }\n"
                     % (name, c_type, c_type, r.choice(["int", "uint", "long", "size_t"]), c_type, value, guard,
                        self.index([])))
        sizes = [self.length, self.rows] + [self.planes] * (self.planes != 0)
        self.words = [name, "--global", ",".join(map(str, sizes)), "--arg", "%s[%d]=zeros" % (run_type, total), "--arg",
                      "%s[%d]=range" % (run_type, 4 * total + 600), "--arg", "i32=%d" % (self.length + r.choice([0, 0, 1, -1])),
                      "--arg", "i32=%d" % self.length]
        if r.random() < 0.2:
            self.words += ["--local", ",".join([str(self.length), "1", "1"][:len(sizes)])]

    def index(self, others):
        """The number of a work-item, or what takes an argument for the length of a row."""
        row = self.r.choice([str(self.length), "(int)get_global_size(0)"] + others)
        place = self.r.choice(["y * %s + x", "x + %s * y", "%s * y + x"]) % row
        if self.planes == 0:
            return place
        return self.r.choice(["z * %d + (%s)" % (self.length * self.rows, place),
                              "(z * %d + y) * %s + x" % (self.rows, row)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    args = parser.parse_args()
    if shutil.which(os.environ.get("HEDDLE_CLANG", "clang-22")) is None:
        print("0 passed, 0 failed, 1 skipped")
        return 0
    print("seed", args.seed)
    r = random.Random(args.seed)
    kernels = [Kernel("k%d" % i, r) for i in range(args.count)]
    counts = {True: 0, False: 0}
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
        source.write("".join(k.text for k in kernels))
        source.flush()
        for k in kernels:
            results = [subprocess.run([os.path.join(args.build, "heddle"), "run", source.name, *k.words, *engine, "--print", "0"],
                                      capture_output=True, text=True, check=False)
                       for engine in (("--engine", "interpreted"), *ENGINES)]
            good = results[0].returncode == 0 and all(p.stdout == results[0].stdout for p in results)
            counts[good] += 1
            if not good:
                print("not what the interpreter leaves: heddle run", *k.words, "\n" + k.text,
                      *(p.stderr[:300] for p in results))
    print("%d passed, %d failed, 0 skipped" % (counts[True], counts[False]))
    return counts[False] != 0


if __name__ == "__main__":
    raise SystemExit(main())
