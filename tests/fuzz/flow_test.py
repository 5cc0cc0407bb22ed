#!/usr/bin/env python3
"""Random control flow, judged by gcc: kernels in what C and OpenCL C have in common (random_flow.py), whose work-items gcc
executes one by one (--kinds csmith: programs that Csmith makes; random_csmith.py), and that Heddle compiles for every width,
linearised and dispatched, with regions and with fibers, with functions inlined and called, optimised by clang and not, and
interprets.

  tests/fuzz/flow_test.py [--build build] [--kinds tree,graph,barriers,nests] [--count N] [--seed S] [--forms few|one|all] [--icd PATH] [--jobs N]
    [--keep DIR]

--count is of kernels of each kind. The seed chooses for each: whether clang optimises it, two or three widths, one form of each, and
whether LLVM optimises it (compiling is most of the time, and more kernels find more than more forms of a kernel). --forms one: all
widths, optimised by clang and not; --forms all: in all forms. Each run takes new seeds, and prints the first; --seed makes it again. Kernels that are not defined, gcc's execution finds; they
count as skipped. Kernels with another result are written to DIR (default: BUILD/flow), with the commands that show it and the
right values. --icd: another driver that is asked as well. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, collections, os, random, re, shlex, sys, tempfile

import few
from batches import add_options, begin, done, keep, run_all, running
from driver import Apart
from engine import Engine, Failure, difference, random_bytes, ways
from judge import GCC, Judge
from random_csmith import Csmith, is_there
from random_flow import HEAD, KINDS, SOURCE
from random_module import Launch
from random_nests import Nests

WIDTHS = [1, 4, 8, 16, 32]
BATCH = 24  # kernels in a text: compilers take a tenth of a second to start

# Kernels that are judged alike. kinds: their classes; head: what a text begins with; levels: of options for OpenCL C; judges: commands of
# compilers for this machine, where Heddle does not agree with the first, the others are asked, too; widths_of: those of --forms few;
# skips: for a kind, words in a refusal of Heddle's for which a kernel is skipped.
Family = collections.namedtuple('Family', 'kinds head levels judges widths_of skips')
FLOW = Family({**KINDS, 'nests': Nests, 'csmith': Csmith}, HEAD, ['', '-cl-opt-disable'], [GCC], few.widths_of, {'csmith': ''})


def launch(k):
    return Launch([k.total], [k.local], [(4, SOURCE, k.number), (4, k.per * k.total, None)])


# ---- one batch, in a process of its own
def levels_of(family, k, forms):
    """How clang compiles it."""
    return few.levels_of(k.number, family.levels) if forms == 'few' else family.levels


def runs_of(family, k, forms, level):
    """(width, way) of each compilation."""
    choice, all_ways = random.Random('%d%s' % (k.number, level)), ways(k.barriers, k.helpers, 1)
    def one():  # the dispatcher has less to go wrong
        return choice.choice([way for way in all_ways if not way['dispatch'] or choice.random() < 0.3])
    widths = family.widths_of(choice, WIDTHS) if forms == 'few' else WIDTHS
    return [(w, way) for w in widths for way in (all_ways if forms == 'all' else [one()])]


def is_quick(k, forms):
    return forms != 'all' and few.is_quick(k.number)


def compared(engine, program, k, want, runs, command_of):
    """(command, what) of each run with another result."""
    l, name, found = launch(k), 'k%d' % k.number, []
    for width, way in [(1, None)] + runs:
        way = way or dict(interpreted=True)
        command = command_of(l.command(width, **way).replace(' k ', ' %s ' % name))
        running(command)
        try:
            got = engine.run(program, l, width, kernel=name, **way)[1]
        except Failure as e:
            # clang-22 gives a copy the alignment of its target, also where its source, a table, has a smaller one.
            if 'interp.misaligned' in str(e) and 'OpCopyMemorySized' in str(e):
                continue
            found.append((command, 'refused: %s' % e))
            continue
        if got != want:
            found.append((command, difference(l, [b'', want], [b'', got])))
    return found


class Programs:
    """The kernels of a batch, compiled together by clang for each level; those that Heddle refuses are told apart."""

    def __init__(self, engine, o, family, made, texts):
        self.engine, self.o, self.family, self.texts, self.of, self.refused = engine, o, family, texts, {}, {}
        for level in family.levels:
            self.compile([k for k in made if level in levels_of(family, k, o.forms)], level)

    def compile(self, made, level):
        if not made:
            return
        try:
            words = self.engine.compiled(self.family.head + ''.join(self.texts[k.number] for k in made), level)
            quick, slow = few.open_quick(self.engine, words, True), few.open_quick(self.engine, words, False)
        except Failure as e:
            if self.family.skips.get(self.o.kinds[0], 'none') not in str(e):
                raise
            if len(made) == 1:
                self.refused[made[0].number] = 'is refused: %s' % re.findall(r'\[([\w.-]+)\]', str(e))[-1:]
                return
            self.compile(made[:len(made) // 2], level)
            self.compile(made[len(made) // 2:], level)
            return
        self.of.update({(k.number, level): quick if is_quick(k, self.o.forms) else slow for k in made})

    def compared(self, k, want):
        found, start = [], 'HEDDLE_OPTIMISE=0 ' * is_quick(k, self.o.forms)
        for level in levels_of(self.family, k, self.o.forms):
            found += compared(self.engine, self.of[k.number, level], k, want, runs_of(self.family, k, self.o.forms, level),
                              lambda command: start + command + (' --cl ' + shlex.quote(level) if level else ''))
        return found


def judged(head, made, texts, command):
    """{number: (what the kernel leaves, None), or (None, why it has no result)} by a judge."""
    with tempfile.TemporaryDirectory() as folder:
        with Judge(head + ''.join(texts[k.number] for k in made), ['k%d' % k.number for k in made], folder, command) as judge:
            return {k.number: judge.run('k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), 4 * k.per * k.total) for k in made}


def is_doubtful(family, k, texts, want):
    """Does another judge not agree with the first?"""
    return any(judged(family.head, [k], texts, command)[k.number][0] != want for command in family.judges[1:])


def judge_batch(o, family):
    """The work of a process. A kernel that does not end, ends it."""
    os.environ['HEDDLE_AHEAD'] = '0'  # no clang waits for a third source
    made, engine = [family.kinds[o.kinds[0]](n) for n in o.numbers], Engine(o.build)
    texts, wants = {k.number: k.function() for k in made}, {}
    for number, (want, why) in judged(family.head, made, texts, family.judges[0]).items():
        if why:
            done(number, why)
        else:
            wants[number] = want
    made = [k for k in made if k.number in wants]
    programs = Programs(engine, o, family, made, texts)
    other = Apart(o.icd) if o.icd else None
    for k in made:
        if k.number in programs.refused:
            done(k.number, programs.refused[k.number])
            continue
        begin(k.number)
        found, note = judged_by(other, family.head + texts[k.number], k, wants[k.number])
        found += programs.compared(k, wants[k.number])
        if found and is_doubtful(family, k, texts, wants[k.number]):
            done(k.number, 'judges disagree')
            continue
        done(k.number, None, found, family.head + texts[k.number], values(wants[k.number]), note)


def judged_by(driver, text, k, want):
    """What another driver says, and a note of it if there is one."""
    if driver is None:
        return [], ''
    if k.total % k.local:  # OpenCL C 1.2, its default, has no smaller last group
        return [], 'not for the other driver'
    running('the other driver')
    try:
        got = driver.run(text, 'k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), 4 * k.per * k.total)
    except RuntimeError as e:  # no answer is none
        return [], 'no answer of the other driver: %s' % e
    if got == want:
        return [], 'the other driver agrees'
    return [('the other driver', difference(launch(k), [b'', want], [b'', got]))], 'the other driver differs'


def values(data):
    return ','.join(str(int.from_bytes(data[at:at + 4], 'little')) for at in range(0, len(data), 4))


# ---- all of them
def complain(o, kind, number, found, text, want):
    keep(o.keep, '%s_%d.cl' % (kind, number), found, text, want and 'What the judge says argument 1 is: u32[%d] = %s' % (want.count(',') + 1, want))


def run_family(script, family, kinds, count):
    """A script's work: `count` kernels of each of these kinds, unless its options say otherwise. The exit status."""
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument('--kinds', type=lambda s: s.split(','), default=kinds)
    parser.add_argument('--count', type=int, default=count)
    parser.add_argument('--forms', choices=['few', 'one', 'all'], default='few')
    parser.add_argument('--icd', help='another driver, as a third judge: a library, or its .icd file')
    o = parser.parse_args()
    if o.work:
        return judge_batch(o, family)
    o.keep = o.keep or os.path.join(o.build, os.path.basename(script)[:-len('_test.py')])
    if 'csmith' in o.kinds and not is_there():
        print('Csmith is not installed: none of its kind')
        o.kinds.remove('csmith')
    return run_all(o, script, BATCH, ['--forms', o.forms] + ['--icd', o.icd] * bool(o.icd),
                   lambda kind, n: family.head + family.kinds[kind](n).function(), lambda *told: complain(o, *told))


if __name__ == '__main__':
    sys.exit(run_family(__file__, FLOW, list(FLOW.kinds), 20))
