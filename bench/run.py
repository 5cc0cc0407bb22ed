#!/usr/bin/env python3
"""bench/run.py -- the kernel cases on several OpenCL drivers, side by side.

    bench/run.py [options] NAME=DRIVER [NAME=DRIVER ...]

DRIVER is what OCL_ICD_VENDORS takes: a driver's shared object, an .icd file, or a folder of
them. The first driver is the one that the others are compared with: a ratio above 1 says that
it is faster than the other.

Every measurement is a process of its own (the `kernels` program, one case), and the drivers
take turns case by case, round after round, so that a busy machine hurts all alike. Reported
are, per case, medians over the rounds of
    run     one round of the case's launches, enqueue to finish: best of several; with --cpu
            the processor time that all threads took for it
    first   program creation, build, kernel creation and the first round, with empty caches
and the launch latency: the median round of the case `empty`. At the end stand the geometric
means of the ratios. With --roof each case also stands beside
what the machine could do at best: the time that its least memory traffic and arithmetic take at the
speeds that bench/roof.c reaches, and the same work written with vectors by hand.
Results are compared with the host's reference in each process, and exact
results (digests) between the drivers here. Exit status 1 when one is wrong or missing.

SPDX-License-Identifier: MIT
"""

import argparse
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import picture

LATENCY_CASE = "empty"
BEST = "best"  # of those that the first driver is compared with


def read_command():
    parser = argparse.ArgumentParser(description="Compare OpenCL drivers on the kernel cases.")
    parser.add_argument("drivers", nargs="+", metavar="NAME=DRIVER")
    parser.add_argument("--kernels", default=None, help="the kernels program (default: found)")
    parser.add_argument("--cases", default="",
                        help="comma-separated names (default: all that are for measuring)")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds (default 3)")
    parser.add_argument("--repeat", type=int, default=5, help="launch rounds per process, at least")
    parser.add_argument("--min-time", type=float, default=100, help="ms of launches per process")
    parser.add_argument("--size", choices=["small", "large"], default="large")
    parser.add_argument("--il-dir", action="append", default=[], metavar="[NAME=]DIR",
                        help="take SPIR-V from DIR, for one driver or for all")
    parser.add_argument("--warm", action="store_true", help="keep the drivers' disk caches")
    parser.add_argument("--cpu", action="store_true",
                        help="compare processor time instead: what a busy machine allows")
    parser.add_argument("--roof", action="store_true", help="compare with what the machine could do at best")
    parser.add_argument("--picture", metavar="FILE",
                        help="draw the ratios, or with --roof the shares of the roof: an SVG file")
    parser.add_argument("--markdown", metavar="FILE", help="write the table of run times, too")
    parser.add_argument("--timeout", type=float, default=300, help="seconds per process")
    parser.add_argument("--json", metavar="FILE",
                        help="write everything measured to FILE (- for stdout)")
    args = parser.parse_args()
    args.drivers = [split_driver(parser, d) for d in args.drivers]
    names = [name for name, _ in args.drivers]
    if len(set(names)) != len(names) or BEST in names:
        parser.error(f"two drivers have one name, or one is called {BEST}")
    if args.markdown and len(names) < 2:
        parser.error("--markdown compares two drivers or more")
    args.il_dirs = dict((d.split("=", 1) if "=" in d else ("", d)) for d in args.il_dir)
    for name in args.il_dirs:
        if name and name not in names:
            parser.error(f"--il-dir names no driver: {name}")
    args.kernels = args.kernels or find_kernels(parser)
    return args


def split_driver(parser, text):
    name, sep, path = text.partition("=")
    if not sep or not name or not path:
        parser.error(f"not NAME=DRIVER: {text}")
    if not os.path.exists(path):
        parser.error(f"{name}: no file {path}")
    return name, os.path.abspath(path)


def find_kernels(parser):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for place in ("build/kernels", "build/tests/kernels"):
        path = os.path.join(root, place)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    parser.error("no kernels program: build it, or name it with --kernels")
    return None


def list_cases(args):
    out = subprocess.run([args.kernels, "--list"], stdout=subprocess.PIPE, check=True, text=True)
    known = dict(line.split()[:2] for line in out.stdout.splitlines() if line.strip())
    chosen = [c for c in args.cases.split(",") if c]
    unknown = [c for c in chosen if c not in known]
    if unknown:
        sys.exit(f"bench: no case named {', '.join(unknown)}")
    return [c for c, use in known.items() if (c in chosen if chosen else use == "bench")]


def environment(args, driver, caches):
    """The process's environment: one driver, and caches that are empty or shared by a run."""
    env = dict(os.environ, OCL_ICD_VENDORS=driver)
    if not args.warm:
        env.update(XDG_CACHE_HOME=caches, POCL_CACHE_DIR=os.path.join(caches, "pocl"),
                   HEDDLE_CACHE_DIR=os.path.join(caches, "heddle"))
    return env


def measure(args, name, driver, case):
    """One process: the case's record, or one that says why there is none."""
    command = [args.kernels, case, "--json", "--size", args.size, "--repeat", str(args.repeat),
               "--min-time", str(args.min_time)]
    il_dir = args.il_dirs.get(name, args.il_dirs.get(""))
    if il_dir:
        command += ["--il-dir", il_dir]
    caches = tempfile.mkdtemp(prefix="bench-cache-")
    os.mkdir(os.path.join(caches, "pocl"))
    os.mkdir(os.path.join(caches, "heddle"))
    try:
        done = subprocess.run(command, env=environment(args, driver, caches), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=args.timeout, check=False)
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                return json.loads(line)
        return {"name": case, "status": "failed",
                "reason": f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"}
    except subprocess.TimeoutExpired:
        return {"name": case, "status": "failed", "reason": f"no end after {args.timeout:g} s"}
    except json.JSONDecodeError as error:
        return {"name": case, "status": "failed", "reason": f"unreadable record: {error}"}
    finally:
        shutil.rmtree(caches, ignore_errors=True)


def measure_all(args, cases):
    """records[case][driver] = list of records, one per round."""
    records = {case: {name: [] for name, _ in args.drivers} for case in cases}
    for turn in range(args.rounds):
        for case in cases:
            # Who comes first changes, so that nobody always finds the caches cold.
            shift = turn % len(args.drivers)
            for name, driver in args.drivers[shift:] + args.drivers[:shift]:
                if sys.stderr.isatty():
                    print(f"\r\033[Kround {turn + 1}/{args.rounds}  {case}  {name}", end="",
                          file=sys.stderr, flush=True)
                records[case][name].append(measure(args, name, driver, case))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return records


def median_of(records, *keys):
    good = [sum(r[k] for k in keys) for r in records if r["status"] == "ok"]
    return statistics.median(good) if good else None


def summarise(args, cases, records):
    rows = []
    for case in cases:
        row = {"case": case, "drivers": {}}
        for name, _ in args.drivers:
            got = records[case][name]
            row["drivers"][name] = {
                "run_ms": median_of(got, "cpu_ms" if args.cpu else
                                    "median_ms" if case == LATENCY_CASE else "best_ms"),
                "build_and_first_ms": median_of(got, "build_ms", "first_ms"),
                "problems": sorted({r["reason"] for r in got if r["status"] != "ok"}),
                "work": next(({k: r[k] for k in ("bytes", "flops", "is_double")} for r in got
                              if r["status"] == "ok" and "bytes" in r), None),
                "digests": sorted({r["digest"] for r in got if r["status"] == "ok" and r["exact"]}),
            }
        digests = {d for v in row["drivers"].values() for d in v["digests"]}
        row["agree"] = len(digests) <= 1
        rows.append(row)
    return rows


def ratio(first, other):
    return other / first if first and other else None


def geometric_mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


def values_of(args, row, what):
    """What each driver takes, and the least of those it is compared with if they are several: BEST."""
    names = [name for name, _ in args.drivers]
    values = {n: row["drivers"][n][what] for n in names}
    if len(names) > 2:
        values[BEST] = min((values[n] for n in names[1:] if values[n]), default=None)
    return values


def compared_with(args):
    others = [name for name, _ in args.drivers[1:]]
    return others + ([BEST] if len(others) > 1 else [])


def print_table(args, rows, what, title):
    names = [name for name, _ in args.drivers]
    first, others = names[0], compared_with(args)
    print(f"\n{title}")
    head = f"{'case':14}" + "".join(f"{n:>12}" for n in names)
    print(head + "".join(f"{'vs ' + n:>14}" for n in others))
    ratios = {n: [] for n in others}
    for row in rows:
        values = values_of(args, row, what)
        line = f"{row['case']:14}" + "".join(f"{number(values[n]):>12}" for n in names)
        for n in others:
            r = ratio(values[first], values[n])
            ratios[n].append(r)
            line += f"{number(r, 2):>14}"
        print(line)
    means = {n: geometric_mean(ratios[n]) for n in others}
    if others:
        count = {n: sum(1 for r in ratios[n] if r) for n in others}
        print(f"{'geometric mean':14}" + " " * 12 * len(names) +
              "".join(f"{number(means[n], 2) + f' ({count[n]})':>14}" for n in others))
    return means


def write_markdown(args, rows):
    """The times and the last ratio as a table for docs/performance/kernels.md."""
    names = [name for name, _ in args.drivers]
    last = compared_with(args)[-1]
    with open(args.markdown, "w", encoding="utf-8") as f:
        f.write("| case | " + " | ".join(names) + f" | {last} / {names[0]} |\n")
        f.write("| --- |" + " --: |" * (len(names) + 1) + "\n")
        for row in rows:
            values = values_of(args, row, "run_ms")
            cells = [number(values[n], 2) for n in names] + [number(ratio(values[names[0]], values[last]), 2)]
            f.write(f"| {row['case']} | " + " | ".join(cells) + " |\n")


# Cases whose work bench/roof.c does by hand, and the name that it has there.
BY_HAND = {"copy": "copy", "saxpy": "saxpy", "gridstride": "saxpy", "reduction": "reduction", "stencil": "stencil",
           "matmul_naive": "matmul", "matmul_tiled": "matmul", "matmul_blocked": "matmul"}


def measure_roof(args):
    """The record of bench/roof.c, built for this machine."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "roof.c")
    with tempfile.TemporaryDirectory(prefix="bench-roof-") as folder:
        program = os.path.join(folder, "roof")
        compiler = os.environ.get("CC", "cc").split()
        loops = ["-fno-builtin"] if "clang" in compiler[-1] else ["-fno-tree-loop-distribute-patterns"] # no memcpy
        subprocess.run(compiler + ["-std=gnu17", "-O3", "-march=native", *loops, "-fopenmp", "-o", program, source], check=True)
        out = subprocess.run([program] + (["--cpu"] if args.cpu else []), stdout=subprocess.PIPE, text=True, check=True,
                             env=dict(os.environ, GOMP_SPINCOUNT="10000")) # long enough between loops, not between cases
    return json.loads(out.stdout)


def add_roof(args, rows, roof):
    """To each row: ms that its memory traffic and its arithmetic take at best, and by hand."""
    threads = roof["threads"] if args.cpu else 1 # processor time is that of all threads
    for row in rows:
        work = next((v["work"] for v in row["drivers"].values() if v["work"]), None)
        hand = roof["hand_ms"].get(BY_HAND.get(row["case"])) if args.size == "large" else None
        bounds = {"memory": work["bytes"] / roof["triad_gbs"] / 1e6,
                  "arithmetic": work["flops"] / roof["f64_gflops" if work["is_double"] else "f32_gflops"] / 1e6,
                  } if work else {"memory": 0, "arithmetic": 0}
        plain = roof["plain_ms"].get(row["case"]) if args.size == "large" else None
        bound = max(bounds, key=bounds.get)
        best = hand if hand else bounds[bound] or None
        row["roof"] = {"memory_ms": bounds["memory"] * threads or None,
                       "arithmetic_ms": bounds["arithmetic"] * threads or None,
                       "hand_ms": hand * threads if hand else None, "bound": bound if best and not hand else "hand",
                       "plain_ms": plain * threads if plain else None,
                       "of_plain": {n: plain * threads / v["run_ms"] for n, v in row["drivers"].items()
                                    if plain and v["run_ms"]},
                       "share": {n: best * threads / v["run_ms"] for n, v in row["drivers"].items()
                                 if best and v["run_ms"]}}


def print_roof(args, rows, roof):
    names = [name for name, _ in args.drivers]
    print(f"\nroof: streams {roof['triad_gbs']:.1f} GB/s, copies {roof['copy_gbs']:.1f} GB/s, "
          f"{roof['f32_gflops']:.0f} GFLOP/s in float, {roof['f64_gflops']:.0f} in double, {roof['threads']} threads; "
          "shares of the time by hand where there is one, else of the slower of memory and arithmetic")
    print(f"{'case':14}{'memory ms':>12}{'arith. ms':>12}{'by hand ms':>12}" + "".join(f"{n:>12}" for n in names))
    for row in rows:
        r = row["roof"]
        if r["share"]:
            print(f"{row['case']:14}{number(r['memory_ms']):>12}{number(r['arithmetic_ms']):>12}{number(r['hand_ms']):>12}" +
                  "".join(f"{number(r['share'].get(n), 2):>12}" for n in names))
    print(f"\n{'plain C loop':14}{'ms':>12}" + "".join(f"{n:>12}" for n in names))
    for row in rows:
        if row["roof"]["of_plain"]:
            print(f"{row['case']:14}{number(row['roof']['plain_ms']):>12}" +
                  "".join(f"{number(row['roof']['of_plain'].get(n), 2):>12}" for n in names))


def draw(args, rows):
    names = [name for name, _ in args.drivers]
    if args.roof:
        bars = [(r["case"], r["roof"]["share"]) for r in rows if r["roof"]["share"]]
        picture.draw_shares(args.picture, "Share of what the machine could do at best", bars)
        return
    first = names[0]
    bars = [(r["case"], {n: ratio(r["drivers"][first]["run_ms"], r["drivers"][n]["run_ms"]) for n in names[1:]
                         if ratio(r["drivers"][first]["run_ms"], r["drivers"][n]["run_ms"])}) for r in rows]
    picture.draw_ratios(args.picture, f"Run time: how many times that of {first}", [b for b in bars if b[1]])


def print_problems(rows):
    wrong = False
    for row in rows:
        for name, values in row["drivers"].items():
            for problem in values["problems"]:
                print(f"problem: {row['case']} on {name}: {problem}")
                wrong = True
        if not row["agree"]:
            print(f"problem: {row['case']}: the drivers' results differ")
            wrong = True
    return wrong


def main():
    args = read_command()
    cases = list_cases(args)
    start = time.time()
    records = measure_all(args, cases)
    rows = summarise(args, cases, records)
    report = sys.stderr if args.json == "-" else sys.stdout
    with_stdout, sys.stdout = sys.stdout, report

    timed = [r for r in rows if r["case"] != LATENCY_CASE]
    latency = [r for r in rows if r["case"] == LATENCY_CASE]
    print(f"{len(cases)} cases, size {args.size}, {args.rounds} rounds, "
          f"{len(os.sched_getaffinity(0))} cores, {time.time() - start:.0f} s; "
          "times in ms, ratios above 1: the first driver is faster")
    means = {}
    if timed:
        means["run"] = print_table(args, timed, "run_ms", "run")
        means["build_and_first"] = print_table(args, rows, "build_and_first_ms",
                                               "build + first launch")
    if latency:
        means["latency"] = print_table(args, latency, "run_ms", "launch latency (empty kernel)")
    roof = None
    if args.roof:
        roof = measure_roof(args)
        add_roof(args, rows, roof)
        print_roof(args, timed, roof)
    if args.picture:
        draw(args, timed)
    if args.markdown:
        write_markdown(args, timed)
    wrong = print_problems(rows)
    sys.stdout = with_stdout

    if args.json:
        text = json.dumps({"machine": platform.machine(), "cores": len(os.sched_getaffinity(0)),
                           "size": args.size, "rounds": args.rounds,
                           "drivers": dict(args.drivers), "geometric_means": means, "roof": roof,
                           "cases": rows}, indent=1)
        if args.json == "-":
            print(text)
        else:
            with open(args.json, "w", encoding="utf-8") as f:
                f.write(text + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
