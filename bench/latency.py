#!/usr/bin/env python3
"""bench/latency.py -- what calls, builds and memory cost on several OpenCL drivers, side by side.

    bench/latency.py [options] NAME=DRIVER [NAME=DRIVER ...]

DRIVER is what OCL_ICD_VENDORS takes. Each measurement is a process of its own (build/latency, from
`make build/latency`), and the drivers take turns, round after round, so that a busy machine hurts
all alike. Printed are medians over the rounds, of times on the wall or, with --cpu, of the processor
time that all threads of the process took; `aim` is what Heddle wants to reach. A ratio above 1 says
that the first driver is better than the other.

Programs are given as SPIR-V made by clang-22, to drivers that take none as OpenCL C. `cached` means
that another process has built the same programs before, with the caches that a driver has of its own.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from large import large_source
import picture

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(ROOT, "bench")
# Name: what it is, program, measurement, field of its record, has been built before, aim, programs built
ROWS = {
    "empty": ("empty kernel, enqueue and finish", "empty", "empty", "value", False, 1.5, 0),
    "many": ("10,000 small launches, each", "small", "many", "value", False, 0.6, 0),
    "constant": ("the same with a constant argument", "constant", "many", "value", False, 0.6, 0),
    "chain": ("launches that wait for each other, each", "small", "chain", "value", False, 0.8, 0),
    "callback": ("launch to callback", "small", "callback", "value", False, 10, 0),
    "map": ("map and unmap 4 KB", "small", "map", "value", False, 0.5, 0),
    "read": ("read 4 KB", "small", "read", "value", False, 0.5, 0),
    "write": ("write 4 KB", "small", "write", "value", False, 0.5, 0),
    "setarg": ("set an argument: float", "small", "setarg", "value", False, 8, 0),
    "setbuffer": ("set an argument: buffer", "small", "setbuffer", "value", False, 8, 0),
    "buffer": ("create and release a buffer", "small", "buffer", "value", False, 100, 0),
    "fill": ("fill 64 MB", "small", "fill", "value", False, None, 0),
    "copy": ("copy 64 MB", "small", "copy", "value", False, None, 0),
    "il": ("small program, compiler loaded", "small", "il", "value", False, 5, 9),
    "il-first": ("small program, first of a process", "small", "il-first", "value", False, None, 0),
    "il-cached": ("small program, cached", "small", "il", "value", True, 0.5, 9),
    "il-cached-first": ("the same, first of a process", "small", "il-first", "value", True, None, 0),
    "large": ("20 kernels, all run", "large", "il", "value", False, 300, 2),
    "large-one": ("20 kernels, the first run", "large", "il-one", "value", False, 30, 3),
    "large-cached": ("20 kernels, all run, cached", "large", "il", "value", True, None, 5),
    "source": ("small program in OpenCL C", "small", "source", "value", False, 35, 5),
    "source-cached": ("the same, cached", "small", "source", "value", True, 1, 9),
    "resident": ("memory of a process, all cached", "large", "resident", "value", True, 15, 0),
}


def read_command():
    parser = argparse.ArgumentParser(description="Compare what OpenCL drivers cost.")
    parser.add_argument("drivers", nargs="+", metavar="NAME=DRIVER")
    parser.add_argument("--only", default="", help="comma-separated names of rows")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds (default 3)")
    parser.add_argument("--cpu", action="store_true", help="compare processor time: what a busy machine allows")
    parser.add_argument("--program", default=os.path.join(ROOT, "build/latency"))
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--timeout", type=float, default=300, help="seconds per process")
    parser.add_argument("--json", metavar="FILE", help="write everything measured to FILE (- for stdout)")
    parser.add_argument("--picture", metavar="FILE", help="draw the ratios: an SVG file")
    args = parser.parse_args()
    args.drivers = [d.partition("=")[::2] for d in args.drivers]
    for name, path in args.drivers:
        if not os.path.exists(path):
            parser.error(f"not NAME=DRIVER, or no such file: {name}={path}")
    args.only = [n for n in args.only.split(",") if n] or list(ROWS)
    for name in args.only:
        if name not in ROWS:
            parser.error(f"no row named {name}")
    if not os.access(args.program, os.X_OK):
        parser.error(f"no {args.program}: make build/latency")
    return args


def make_programs(args, folder):
    """Each program's paths as (SPIR-V, source)."""
    sources = {"small": os.path.join(HERE, "small.cl"), "constant": os.path.join(HERE, "constant.cl"),
               "empty": os.path.join(ROOT, "tests/kernels/empty.cl"), "large": os.path.join(folder, "large.cl")}
    with open(sources["large"], "w", encoding="utf-8") as f:
        f.write(large_source())
    programs = {}
    for name, source in sources.items():
        module = os.path.join(folder, name + ".spv")
        subprocess.run([args.clang, "-target", "spirv64", "-cl-std=CL3.0", "-O2", "-Xclang", "-finclude-default-header",
                        "-c", source, "-o", module], check=True)
        programs[name] = (module, source)
    return programs


def environment(driver, caches):
    return dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(driver), XDG_CACHE_HOME=caches,
                POCL_CACHE_DIR=os.path.join(caches, "pocl"), HEDDLE_CACHE_DIR=os.path.join(caches, "heddle"))


def measure(args, driver, row, programs):
    """One process: its record, or None."""
    _, program, measurement, _, is_cached, _, count = ROWS[row]
    module, source = programs[program]
    command = [args.program, measurement, "--il", module, "--source", source]
    if count:
        command += ["--count", str(count)]
    caches = tempfile.mkdtemp(prefix="bench-cache-")
    for name in ("pocl", "heddle"):
        os.mkdir(os.path.join(caches, name))
    try:
        for _ in range(2 if is_cached else 1):
            done = subprocess.run(command, env=environment(driver, caches), text=True, capture_output=True,
                                  timeout=args.timeout, check=False)
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                return json.loads(line)
        print(f"problem: {row} on {driver}: exit status {done.returncode}: {done.stderr.strip()[-300:]}",
              file=sys.stderr)
    except subprocess.TimeoutExpired:
        print(f"problem: {row} on {driver}: no end after {args.timeout:g} s", file=sys.stderr)
    finally:
        shutil.rmtree(caches, ignore_errors=True)
    return None


def measure_all(args, programs):
    records = {row: {name: [] for name, _ in args.drivers} for row in args.only}
    for turn in range(args.rounds):
        for row in args.only:
            shift = turn % len(args.drivers)
            for name, driver in args.drivers[shift:] + args.drivers[:shift]:
                got = measure(args, driver, row, programs)
                if got is not None:
                    records[row][name].append(got)
    return records


def value_of(args, row, records):
    """The median of what is compared, and its unit."""
    if not records:
        return None, ""
    unit = records[0]["unit"]
    field = "cpu" if args.cpu and unit not in ("MB", "GB/s") else "value"
    return statistics.median(r[field] for r in records), unit


def summarise(args, records):
    rows = []
    for row in args.only:
        values, unit = {}, ""
        for name, _ in args.drivers:
            values[name], got = value_of(args, row, records[row][name])
            unit = unit or got
        first = args.drivers[0][0]
        ratios = {}
        for name, _ in args.drivers[1:]:
            if values[first] and values[name]:
                ratios[name] = values[first] / values[name] if unit == "GB/s" else values[name] / values[first]
        plain = [r["plain"] for r in records[row][first] if "plain" in r]
        aim = statistics.median(plain) if plain else ROWS[row][5]
        rows.append({"row": row, "what": ROWS[row][0], "unit": unit, "values": values, "ratios": ratios, "aim": aim})
    return rows


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def print_table(args, rows):
    names = [name for name, _ in args.drivers]
    print(f"{'':42}{'unit':>6}{'aim':>8}" + "".join(f"{n:>10}" for n in names) +
          "".join(f"{'vs ' + n:>12}" for n in names[1:]))
    for r in rows:
        print(f"{r['what']:42}{r['unit']:>6}{number(r['aim']):>8}" +
              "".join(f"{number(r['values'][n]):>10}" for n in names) +
              "".join(f"{number(r['ratios'].get(n)):>12}" for n in names[1:]))
    llvm = [r for r in rows if r["row"] in ("fill", "copy")]
    if llvm:
        print("aim of fill and copy: memset and memcpy on one thread, in the same processes")


def main():
    args = read_command()
    start = time.time()
    with tempfile.TemporaryDirectory(prefix="bench-latency-") as folder:
        records = measure_all(args, make_programs(args, folder))
    rows = summarise(args, records)
    report, sys.stdout = sys.stdout, sys.stderr if args.json == "-" else sys.stdout
    print(f"{args.rounds} rounds, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}, "
          f"{time.time() - start:.0f} s; {'processor time' if args.cpu else 'time on the wall'}; "
          "ratios above 1: the first driver is better")
    print_table(args, rows)
    sys.stdout = report
    if args.json:
        text = json.dumps({"machine": platform.machine(), "cores": len(os.sched_getaffinity(0)), "rounds": args.rounds,
                           "cpu": args.cpu, "drivers": dict(args.drivers), "rows": rows, "records": records}, indent=1)
        if args.json == "-":
            print(text)
        else:
            with open(args.json, "w", encoding="utf-8") as f:
                f.write(text + "\n")
    if args.picture:
        bars = [(r["what"], r["ratios"]) for r in rows if r["ratios"]]
        picture.draw_ratios(args.picture, "Cost of calls, builds and memory: how many times the first driver's", bars)
    return 0 if all(v is not None for r in rows for v in r["values"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
