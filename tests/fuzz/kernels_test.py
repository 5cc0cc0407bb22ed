#!/usr/bin/env python3
"""Random kernels through both engines: compiled for every width, linearised and dispatched, with regions and with fibers,
with functions inlined and called, with arguments apart and not, they must agree bit for bit with the interpreter; without
operations of sub-groups also from width to width.

  tests/fuzz/kernels_test.py [--build build] [--count N] [--seed S] [--widths 1,4] [--forms all] [--kind shapes] [--jobs N] [--keep DIR]

Two or three widths are compiled in one of their forms each, most kernels without LLVM's optimisations; the seed chooses them
(few.py). --forms one: every width; --forms all: in all forms; --forms flow: linearised and dispatched, with regions and with fibers,
the rest chosen by the seed. Each run takes new seeds, and prints the first; --seed makes it again. A kernel on which engines differ, that is refused, or whose compilation crashes or
takes more than --seconds of processor time, is written to DIR (default: BUILD/random). A source of which another compiler
made a module that is not valid and means something else, or none, counts as skipped.
tests/fuzz/reduce.py makes it small. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, multiprocessing, os, random, shutil, signal, sys, tempfile, time

import few
from engine import Engine, compare, difference, ways
from first_seed import first_seed
from random_module import Module
from random_rows import Rows
from random_shapes import Shapes
from random_source import Source


WIDTHS = [1, 4, 8, 16, 32]


def module(seed, kind='any'):
    """Every second one with operations of sub-groups, every third with many barriers; every sixth is a source, if there is
    a compiler: of anything, or of common shapes. kind: 'shapes' makes sources of shapes only."""
    if kind == 'shapes':
        return Shapes(seed)
    if seed % 6 == 1 and shutil.which(os.environ.get('HEDDLE_CLANG', 'clang-22')):
        return [Source, Rows, Shapes][seed // 6 % 3](seed // 12)
    return Module(seed, seed % 2 == 1, seed % 6 in (2, 5))


def chosen_ways(all_ways, forms, choice):
    """forms: 'few' and 'one' (one), 'flow' (one for each pair of dispatch and fibers), 'all'."""
    if forms == 'all':
        return all_ways
    if forms in ('few', 'one'):
        return [choice.choice(all_ways)]
    flows = {}
    for way in all_ways:
        flows.setdefault((way['dispatch'], way['fibers']), []).append(way)
    return [choice.choice(ways) for ways in flows.values()]


def judge(engine, seed, widths, forms, kind):
    """None, or (command, what) that is wrong with a seed."""
    m, choice = module(seed, kind), random.Random(seed)
    text = m.text()
    all_ways = ways(m.barriers, 'OpFunctionCall' in text, len(m.launch().global_size))
    if forms == 'few':
        widths = few.widths_of(choice, widths)
    runs = [(w, way) for w in widths for way in chosen_ways(all_ways, forms, choice)]
    quick = forms == 'few' and few.is_quick(seed)
    few.be_quick(quick)
    if isinstance(m, Module):
        problem = compare(engine, text, m.launch(), [r for r in runs if r[0] >= m.min_width], m.subgroups)
    else:
        problem = judge_source(engine, m, runs)
    return problem and (problem[0] and 'HEDDLE_OPTIMISE=0 ' * quick + problem[0], problem[1])


def judge_source(engine, m, runs):
    """Both engines agree on what each level makes of it, and the levels with each other. A module that is not valid, and that
    both engines take alike, is the other compiler's: (None, what)."""
    known, odd = {}, None
    for level in ('-O0', '-O2'):
        with tempfile.TemporaryDirectory() as folder:
            words = m.compiled(level, folder, engine)
        if words is None:
            odd = None, 'none from clang-22 at %s' % level
            continue
        results = {}
        problem = compare(engine, words, m.launch(), runs, m.subgroups, results)
        if problem:
            return problem[0] + ' (from %s)' % level, problem[1]
        for width in results:
            if not m.talks and known.setdefault(width, results[width]) != results[width]:
                what = difference(m.launch(), known[width], results[width])
                if engine.is_valid(words):
                    return 'levels (%s)' % level, what
                odd = None, 'not valid (from %s), and not what -O0 gives: %s' % (level, what)
    return odd


def work(o, seeds, at, results):
    """In a process of its own: judge seeds, and say at which one it is."""
    engine = Engine(o.build)
    for k in range(at.value, len(seeds)):
        at.value = k
        signal.setitimer(signal.ITIMER_PROF, o.seconds)
        results.put((seeds[k], judge(engine, seeds[k], o.widths, o.forms, o.kind)))
    at.value = len(seeds)
    results.close()
    results.join_thread()


class Worker:
    """Seeds that are judged one after the other; a crash costs the one it happens at."""

    def __init__(self, arguments, seeds):
        self.arguments, self.seeds, self.at = arguments, seeds, multiprocessing.Value('Q', 0)
        self.start()

    def start(self):
        self.results = multiprocessing.Queue()
        self.process = multiprocessing.Process(target=work, args=(self.arguments, self.seeds, self.at, self.results))
        self.process.start()

    def collect(self):
        """What came in; starts again behind a seed that the process died of."""
        found = []
        dead = not self.process.is_alive()
        while not self.results.empty():
            found.append(self.results.get())
        if not dead or self.at.value >= len(self.seeds):
            return found, dead and self.at.value >= len(self.seeds)
        seed, status = self.seeds[self.at.value], self.process.exitcode
        if not any(s == seed for s, _ in found):
            why = signal.strsignal(-status) if status < 0 else 'exit status %d' % status
            found.append((seed, ('crash', 'took too long' if status == -signal.SIGPROF else why)))
        self.at.value += 1
        self.start()
        return found, False


def complain(o, seed, problem):
    m = module(seed, o.kind)
    path = os.path.join(o.keep, 'random_%d.%s' % (seed, 'spvasm' if isinstance(m, Module) else 'cl'))
    os.makedirs(o.keep, exist_ok=True)
    with open(path, 'w') as out:
        out.write(m.text())
    print('FAILED seed %d: %s\n    %s\n    %s' % (seed, path, problem[0].replace('FILE', path), problem[1]), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=240)
    parser.add_argument('--seed', type=int, help='the first; default: a new one')
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--widths', type=lambda s: [int(w) for w in s.split(',')], default=WIDTHS)
    parser.add_argument('--forms', choices=['few', 'one', 'flow', 'all'], default='few')
    parser.add_argument('--kind', choices=['any', 'shapes'], default='any')
    parser.add_argument('--seconds', type=float, default=120)
    parser.add_argument('--keep')
    o = parser.parse_args()
    o.keep = o.keep or os.path.join(o.build, 'random')
    first = o.seed if o.seed is not None else first_seed()
    print('seeds from %d' % first, flush=True)
    workers = [Worker(o, list(range(first + k, first + o.count, o.jobs))) for k in range(min(o.jobs, o.count))]
    passed, failed, skipped = 0, 0, 0
    while workers:
        time.sleep(0.2)
        for w in list(workers):
            found, done = w.collect()
            for seed, problem in found:
                passed += problem is None
                if problem and problem[0]:
                    failed += 1
                    complain(o, seed, problem)
                elif problem:
                    skipped += 1
                    print('seed %d: the other compiler\'s module is %s' % (seed, problem[1]), flush=True)
            if done:
                w.process.join()
                workers.remove(w)
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
