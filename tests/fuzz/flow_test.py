#!/usr/bin/env python3
"""Random control flow, judged by gcc: kernels in what C and OpenCL C have in common (random_flow.py), whose work-items gcc
executes one by one (--kinds csmith: programs that Csmith makes; random_csmith.py), and that Heddle compiles for every width,
linearised and dispatched, with regions and with fibers, with functions inlined and called, optimised by clang and not, and
interprets.

  tests/fuzz/flow_test.py [--build build] [--kinds tree,graph,barriers] [--count N] [--seed S] [--forms one|all] [--icd PATH] [--jobs N]
    [--keep DIR]

--count is of kernels of each kind. Each width is compiled in one of its forms, which the seed chooses; --forms all: in all. Each
run takes new seeds, and prints the first; --seed makes it again. Kernels that are not defined, gcc's execution finds; they
count as skipped. Kernels with another result are written to DIR (default: BUILD/flow), with the commands that show it and the
right values. --icd: another driver that is asked as well. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, random, re, sys, tempfile

from batches import add_options, begin, done, keep, run_all, running
from driver import Driver
from engine import Engine, Failure, difference, random_bytes, ways
from judge import Judge
from random_csmith import Csmith, is_there
from random_flow import HEAD, KINDS, PER, SOURCE
from random_module import Launch

WIDTHS = [1, 4, 8, 16, 32]
LEVELS = ['', '-cl-opt-disable']
BATCH = 8  # kernels in a text: starting compilers takes most of the time


def kernel(kind, number):
    return Csmith(number) if kind == 'csmith' else KINDS[kind](number)


def launch(k):
    return Launch([k.total], [k.local], [(4, SOURCE, k.number), (4, PER * k.total, None)])


# ---- one batch, in a process of its own
def runs_of(k, forms, level):
    """(width, way) of each compilation."""
    choice, all_ways = random.Random('%d%s' % (k.number, level)), ways(k.barriers, k.helpers, 1)
    def one():  # the dispatcher has less to go wrong
        return choice.choice([way for way in all_ways if not way['dispatch'] or choice.random() < 0.3])
    return [(w, way) for w in WIDTHS for way in (all_ways if forms == 'all' else [one()])]


def compared(engine, program, k, want, runs, level):
    """(command, what) of each run with another result."""
    l, name, found = launch(k), 'k%d' % k.number, []
    source, options = ' --cl ' + level if level else '', [(1, None)] + runs
    for width, way in options:
        command = l.command(width, **(way or dict(interpreted=True))).replace(' k ', ' %s ' % name) + source
        running(command)
        try:
            got = engine.run(program, l, width, kernel=name, **(way or dict(interpreted=True)))[1]
        except Failure as e:
            # clang-22 gives a copy the alignment of its target, also where its source, a table, has a smaller one.
            if 'interp.misaligned' in str(e) and 'OpCopyMemorySized' in str(e):
                continue
            found.append((command, 'refused: %s' % e))
            continue
        if got != want:
            found.append((command, difference(l, [b'', want], [b'', got])))
    return found


def judge_batch(o):
    """The work of a process. A kernel that does not end, ends it."""
    made, engine = [kernel(o.kinds[0], n) for n in o.numbers], Engine(o.build)
    texts, wants = {k.number: k.function() for k in made}, {}
    with tempfile.TemporaryDirectory() as folder:
        with Judge(HEAD + ''.join(texts.values()), ['k%d' % n for n in o.numbers], folder) as judge:
            for k in made:
                want, why = judge.run('k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), 4 * PER * k.total)
                if why:
                    done(k.number, why)
                else:
                    wants[k.number] = want
    made = [k for k in made if k.number in wants]
    text = HEAD + ''.join(texts[k.number] for k in made)
    try:
        programs = [engine.open(engine.compiled(text, level)) for level in LEVELS] if made else []
    except Failure as e:
        if o.kinds[0] != 'csmith' or len(made) > 1:
            raise
        return done(made[0].number, 'is refused: %s' % re.findall(r'\[([\w.-]+)\]', str(e))[-1:])
    other = Driver(o.icd) if o.icd else None
    for k in made:
        begin(k.number)
        found = judged_by(other, HEAD + texts[k.number], k, wants[k.number])
        for level, program in zip(LEVELS, programs):
            found += compared(engine, program, k, wants[k.number], runs_of(k, o.forms, level), level)
        done(k.number, None, found, HEAD + texts[k.number], values(wants[k.number]))


def judged_by(driver, text, k, want):
    """What another driver says, if there is one."""
    if driver is None or k.total % k.local:  # OpenCL C 1.2, its default, has no smaller last group
        return []
    try:
        program = driver.program(text, '')
    except RuntimeError as e:  # no answer is none
        return print(e, file=sys.stderr) or []
    got = driver.run(program, 'k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), 4 * PER * k.total)
    return [('the other driver', difference(launch(k), [b'', want], [b'', got]))] if got != want else []


def values(data):
    return ','.join(str(int.from_bytes(data[at:at + 4], 'little')) for at in range(0, len(data), 4))


# ---- all of them
def complain(o, kind, number, found, text, want):
    keep(o.keep, '%s_%d.cl' % (kind, number), found, text, want and 'What gcc says argument 1 is: u32[%d] = %s' % (want.count(',') + 1, want))


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument('--kinds', type=lambda s: s.split(','), default=list(KINDS) + ['csmith'])
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--forms', choices=['one', 'all'], default='one')
    parser.add_argument('--icd', help='another driver, as a third judge: a library, or its .icd file')
    o = parser.parse_args()
    if o.work:
        return judge_batch(o)
    o.keep = o.keep or os.path.join(o.build, 'flow')
    if 'csmith' in o.kinds and not is_there():
        print('Csmith is not installed: none of its kind')
        o.kinds.remove('csmith')
    return run_all(o, __file__, BATCH, ['--forms', o.forms] + ['--icd', o.icd] * bool(o.icd),
                   lambda kind, n: HEAD + kernel(kind, n).function(), lambda *told: complain(o, *told))


if __name__ == '__main__':
    sys.exit(main())
