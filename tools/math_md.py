#!/usr/bin/env python3
"""Measure the mathematics of compiled kernels and write docs/mathematics.md.

  tools/math_md.py [--build build] [--exhaustive] [--log FOLDER] [--rounds N] [FUNCTION …]

Rows of other functions stay as they are. --exhaustive: one-argument float functions on all 2^32 inputs, about a minute of
processor time each; --log: what such runs of math_test printed, FOLDER/FUNCTION.txt, is taken from there. Without
either, a row that was measured so keeps that figure.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, 'docs/mathematics.md')
HEAD = '''# Mathematics

Errors and speed of the functions of OpenCL.std, made by `tools/math_md.py`. Compiled kernels have the same arithmetic as
code of their own ([0013](adr/0013-mathematics-as-code.md)), to the bit (`tests/math/code_test.c`); how fast that is beside
Intel's runtime is in [performance.md](performance.md), "Mathematics". With SSE4.2 alone, without a fused multiply-add,
products and sums round twice where that does not matter and go in parts where it does; errors are a little larger there,
within the same limits, and not in this table's comparison of all floats.

Errors are in units in the last place of the result: the largest seen, and behind the stroke the limit of the full profile
(OpenCL SPIR-V Environment Specification, "ULP Values for Math Instructions - Full Profile"); 0.5 is correctly rounded,
"exact" has no error to measure, "free" has no limit. The reference is MPFR, on special values, values close to where
functions change, and random ones; a star says that all 2^32 floats were compared with the double form, which is within a
few of a double's units of MPFR. Functions of two halves are judged by MPFR on such operands, too; by the double form
on 286 million of the 2^32 pairs where results round (0.5002 units at most), on 139 million where there is one answer
(`math_test --pairs NAME N`). Of several instruction sets the worst counts. Speed is nanoseconds per result in calls of
16 lanes through the table, with AVX-512 (with AVX2 in brackets): the best of 200 runs, so that other work on the machine
does not count. Functions that look up tables are slow there (`pow` and `tanh` of float go lane by lane), in kernels they are
not: those look up in registers.

| function | half: error | float: error | double: error | half: ns | float: ns | double: ns |
| --- | --- | --- | --- | --- | --- | --- |
'''
WIDTHS = ('16', '32', '64')


def number(text):
    return '%.3g' % float(text)


def limits():
    """Function -> limits as the rows say them."""
    rows = {}
    for line in open(os.path.join(ROOT, 'src/rt/math/math.def')):
        m = re.match(r'MATH\((\w+),\s*\d,\s*(\w+),\s*(\S+),\s*(\S+),\s*(\S+),', line)
        if m:
            rows[m.group(1)] = (m.group(2), m.groups()[2:])
    return rows


def shown(worst, limit):
    if limit == 'EXACT':
        return 'exact'
    limit = {'ROUNDED': '0.5', 'FREE': 'free'}.get(limit, limit)
    return '%s / %s' % (worst, limit)


def run(test, *args):
    return subprocess.run([test, *args], capture_output=True, text=True).stdout


def measure(test, name, form, bounds, args, old):
    worst = {w: 0.0 for w in WIDTHS}
    for w, ulp in re.findall(r'^ok\s+%s_f(\d+) \w+: ([\d.e+-]+) ulp' % name, run(test, '-v', '--rounds', str(args.rounds), name), re.M):
        worst[w] = max(worst[w], float(ulp))
    cells = [shown(number(worst[w]), limit) for w, limit in zip(WIDTHS, bounds)]
    if form == 'F_F' and bounds[1] != 'EXACT':
        log = os.path.join(args.log or '', name + '.txt')
        if args.exhaustive or (args.log and os.path.exists(log)):
            output = open(log).read() if args.log else run(test, '--exhaustive', name)
            found = re.findall(r'^ok .*: all floats, ([\d.e+-]+) ulp', output, re.M)
            if not found:
                raise SystemExit('%s: not within its limit on all floats' % name)
            cells[1] = shown(number(max([worst['32']] + [float(x) for x in found])) + '*', bounds[1])
        elif old and '*' in old[1] and not args.log:
            cells[1] = old[1]
    times = dict(((w, isa), t) for w, isa, t in re.findall(r'f(\d+) (\w+) ([\d.]+)', run(test, '--bench', name)))
    for w in WIDTHS:
        cells.append('%s (%s)' % (times.get((w, 'v4'), '–'), times.get((w, 'v3'), '–')))
    return cells


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--exhaustive', action='store_true')
    parser.add_argument('--log', metavar='FOLDER')
    parser.add_argument('--rounds', type=int, default=20)
    parser.add_argument('functions', nargs='*')
    args = parser.parse_args()
    rows = limits()
    known = {}
    if os.path.exists(PAGE):
        for line in open(PAGE):
            cells = [c.strip() for c in line.strip().strip('|').split('|')]
            if cells[0] in rows:
                known[cells[0]] = cells[1:]
    for name in args.functions or rows:
        known[name] = measure(args.build + '/tests/math/math_test', name, *rows[name], args, known.get(name))
        with open(PAGE, 'w') as page:
            page.write(HEAD)
            page.writelines('| %s |\n' % ' | '.join([n] + known[n]) for n in rows if n in known)


main()
