#!/usr/bin/env python3
"""bench/producers.py -- the same kernels from several SPIR-V producers, on Heddle.

    bench/producers.py [options] [PRODUCER ...]

What a module comes from should not matter to how fast it runs. A producer is a folder of --spv,
which tools/kernels-spv.sh fills; without any named: clang-22 at -O2 and -O0, clang-15 and
llvm-spirv-15 at -O2. Every measurement is a process of its own with empty caches; producers take
turns case by case, round after round (see bench/run.py). Printed are medians over the rounds of
the processor time of a round of launches (--wall: of the best round's time), how much longer each
producer's takes than the fastest one's, and the cases where that is more than --within. clang-22
forbids contraction in its modules, clang-15 does not, so that the latter may need fewer operations.

SPDX-License-Identifier: MIT
"""
import argparse
import os
import subprocess
import sys

import run

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read_command():
    parser = argparse.ArgumentParser(description="Compare what SPIR-V producers make of the kernel cases.")
    parser.add_argument("producers", nargs="*", metavar="PRODUCER",
                        help="default: clang22-O2 clang22-O0 clang15-O2")
    parser.add_argument("--spv", default=os.path.join(ROOT, "build/spv"), metavar="DIR")
    parser.add_argument("--driver", default=os.path.join(ROOT, "build/libheddle-cl.so"))
    parser.add_argument("--kernels", default=os.path.join(ROOT, "build/kernels"))
    parser.add_argument("--cases", default="", help="comma-separated names (default: all that are for measuring)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=3, help="launch rounds per process, at least")
    parser.add_argument("--min-time", type=float, default=10, help="ms of launches per process")
    parser.add_argument("--size", choices=["small", "large"], default="large")
    parser.add_argument("--within", type=float, default=0.10, help="share that does not count (default 0.10)")
    parser.add_argument("--wall", action="store_true", help="compare time on the wall")
    args = parser.parse_args()
    args.producers = args.producers or ["clang22-O2", "clang22-O0", "clang15-O2"]
    args.timeout, args.warm, args.cpu = 300, False, not args.wall
    args.drivers = [(p, args.driver) for p in args.producers]
    args.il_dirs = {p: os.path.join(args.spv, p) for p in args.producers}
    for folder in args.il_dirs.values():
        if not os.path.isdir(folder):
            sys.exit(f"producers: no folder {folder}: make it with tools/kernels-spv.sh {args.spv}")
    return args


def main():
    args = read_command()
    cases = run.list_cases(args)
    rows = run.summarise(args, cases, run.measure_all(args, cases))
    print(f"{'case':16}" + "".join(f"{p:>14}" for p in args.producers) + "   slower than the fastest by")
    beyond, problems, means = [], 0, {p: [] for p in args.producers}
    for row in rows:
        times = {p: row["drivers"][p]["run_ms"] for p in args.producers}
        good = [t for t in times.values() if t]
        for p in args.producers:
            for problem in row["drivers"][p]["problems"]:
                print(f"{row['case']}: {p}: {problem}", file=sys.stderr)
                problems += 1
        if not good:
            continue
        line = f"{row['case']:16}" + "".join(f"{run.number(times[p]):>14}" for p in args.producers) + "  "
        for p in args.producers:
            over = times[p] / min(good) - 1 if times[p] else None
            line += "      -" if over is None else f"{over:7.0%}"
            if over is not None:
                means[p].append(over + 1)
        print(line)
        if max(good) / min(good) > 1 + args.within:
            beyond.append((max(good) / min(good), row["case"]))
    print(f"{'geometric mean':16}" + " " * 14 * len(args.producers) + "  " +
          "".join(f"{run.geometric_mean(means[p]) - 1:7.0%}" for p in args.producers if means[p]))
    print(f"{len(beyond)} of {len(rows)} cases differ by more than {args.within:.0%}: " +
          ", ".join(f"{case} {ratio:.2f}" for ratio, case in sorted(beyond, reverse=True)))
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
