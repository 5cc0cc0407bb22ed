#!/usr/bin/env python3
"""What each pass over lane IR is worth: kernels with it and without it (HEDDLE_PASS_SKIP).

    python3 bench/ablation.py [--passes a,b] [--cases FILE] [--il-dir DIR] [--write docs/ablation.md] build/libheddle-cl.so
    python3 bench/ablation.py --captured FOLDER [--passes a,b] [--cases FILE] build/libheddle-cl.so

The kernels are those of bench/kinds/*.cl, or launches of any programs, each a folder in FOLDER/PROGRAM as
`heddle exec --capture FOLDER/PROGRAM` writes it. Each is built and launched once with all passes, and a trace says which passes
change it. Those are built without the pass in question. Where the object code is the same, nothing is to measure. The others
are timed: processor time of a launch, in a
process with the pass and one without it by turns, so that a busy machine hurts both alike. A ratio is the median over rounds
of the time without the pass divided by the time with it: above 1 the pass makes the kernel faster. It counts as faster or
slower from 2 % on.

Needs PyPI's pyopencl and numpy, but not for captured launches.

SPDX-License-Identifier: MIT
"""
import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FROM = 1.02  # a ratio that counts
MARKS = '<!-- ablation -->\n', '<!-- /ablation -->\n'


def passes():
    """Names of the passes that can be left out."""
    sys.path.insert(0, str(ROOT / 'tools'))
    import passes_md
    rows = [(row[0], ' '.join(row[1:-1])) for row in passes_md.rows('(?:OWN_)?PASS')]
    return [name for name, words in rows if 'REQUIRED' not in words]


def objects(folder, seen):
    """Hashes of the object code that was put into the cache since the last time."""
    made = []
    for entry in pathlib.Path(folder).rglob('*'):
        if entry.is_file() and entry not in seen:
            seen.add(entry)
            words = entry.read_bytes()
            at = words.find(b'\x7fELF')
            if at >= 0:
                made.append(hashlib.sha1(words[at:]).hexdigest())
    return sorted(made)


def serve(options):
    """In a process of its own: each line names a case; its object code and a launch's processor time are answered."""
    import kinds
    import pyopencl as cl
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    seen, ready = set(), (None, None)
    for line in sys.stdin:
        name = line.strip()
        try:
            if ready[0] != name:
                ready = None, None  # its buffers go first
                ready = name, kinds.Prepared(cl, context, queue, name, options.il_dir, False)
                code = objects(os.environ['HEDDLE_CACHE_DIR'], seen)
            took = ready[1].measure(time.process_time, options.min_time) if options.min_time else 0
            print(json.dumps([code, took]), flush=True)
        except cl.Error as error:
            print(f'{name}: {str(error)[:200]}', file=sys.stderr)
            print(json.dumps([None, 0]), flush=True)


class Driver:
    """The driver's process without a pass ('': with all)."""

    def __init__(self, options, skip, min_time, trace=''):
        self.folder = tempfile.TemporaryDirectory()
        env = dict(os.environ, HEDDLE_PASS_SKIP=skip, HEDDLE_CACHE_DIR=self.folder.name, HEDDLE_AHEAD='0', HEDDLE_TRIAL=options.trial,
                   HEDDLE_THREADS='1', HEDDLE_TRACE=trace, OCL_ICD_VENDORS=os.path.abspath(options.library), PYOPENCL_NO_CACHE='1')
        self.process = subprocess.Popen(
            [sys.executable, __file__, '--serve', '--trial', options.trial, '--min-time', str(min_time), options.library] +
            (['--il-dir', options.il_dir] if options.il_dir else []),
            env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, case):
        self.process.stdin.write(case + '\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


class Captured:
    """Likewise for launches that were captured, each in a process of its own."""

    def __init__(self, options, skip, min_time, trace=''):
        self.options, self.min_time, self.trace, self.repeats = options, min_time, trace, {}
        self.env = dict(os.environ, HEDDLE=str(pathlib.Path(options.library).resolve().parent / 'heddle'), HEDDLE_PASS_SKIP=skip,
                        HEDDLE_AHEAD='0', HEDDLE_TRIAL=options.trial, HEDDLE_THREADS='1')

    def run(self, case, repeat):
        """Object code, and seconds of a launch; None where it fails."""
        with tempfile.TemporaryDirectory() as caches:
            env = dict(self.env, HEDDLE_CACHE_DIR=caches)
            if self.trace:
                env['HEDDLE_TRACE'] = os.path.join(self.trace, case.replace('/', '+'))
            p = subprocess.run([os.path.join(self.options.captured, case, 'run.sh'), 'run', '--no-print', '--json', '--repeat', str(repeat)],
                               env=env, capture_output=True, text=True)
            if p.returncode != 0:
                return None, 0
            return objects(caches, set()), json.loads(p.stdout)['time_ms']['processor'] / 1e3

    def ask(self, case):
        if self.min_time and case not in self.repeats:
            self.repeats[case] = max(3, min(1000, round(self.min_time / max(self.run(case, 3)[1], 1e-5))))
        return self.run(case, self.repeats.get(case, 1))

    def close(self):
        pass


def driver_of(options):
    return Captured if options.captured else Driver


def code_of(options, skip, cases, trace=''):
    driver = driver_of(options)(options, skip, 0, trace)
    found = {case: driver.ask(case)[0] for case in cases}
    driver.close()
    return found


def changes(trace):
    """The passes that change a function, and the function."""
    for line in trace.read_text().splitlines():
        if '"cat":"pass"' in line.replace(' ', '') and (event := json.loads(line.strip().rstrip(',')))['args'].get('changed'):
            yield event['name'], event['args']['function']


def first_build(options, cases):
    """The object code of each case, and for each pass the cases that it changes."""
    changed = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        code = code_of(options, '', cases, folder if options.captured else str(path / 'trace'))
        for trace in path.iterdir():
            for name, function in changes(trace):
                changed.setdefault(name, set()).add(trace.name.replace('+', '/') if options.captured else function)
    return code, changed


def ratios_of(options, skip, cases):
    """By case, the median of the rounds' ratios."""
    drivers = [driver_of(options)(options, without, options.min_time) for without in ('', skip)]
    found = {}
    for case in cases:
        rounds = []
        for n in range(options.rounds):
            order = drivers if n % 2 == 0 else drivers[::-1]
            took = {id(d): d.ask(case)[1] for d in order}
            rounds.append(took[id(drivers[1])] / max(took[id(drivers[0])], 1e-9))
        found[case] = statistics.median(rounds)
    for driver in drivers:
        driver.close()
    return found


def row(name, changed, ratios, broken):
    faster = {c: r for c, r in ratios.items() if r >= FROM}
    slower = {c: r for c, r in ratios.items() if r <= 1 / FROM}
    best = max(ratios.items(), key=lambda item: item[1]) if ratios else None
    mean = statistics.geometric_mean(ratios.values()) if ratios else 1
    return '| %s | %d | %d | %d | %d | %.2f | %s |' % (
        name, changed, len(ratios) + broken, len(faster), len(slower), mean,
        '`%s` %.2f' % best if best and best[1] >= FROM else '')


def report(rows):
    head = ('| pass | kernels that it changes | other code without it | faster with it | slower with it | mean ratio of those | most |\n'
            '| --- | --- | --- | --- | --- | --- | --- |\n')
    return head + '\n'.join(rows) + '\n'


def all_cases(options):
    if options.captured:
        return sorted(str(p.parent.relative_to(options.captured)) for p in pathlib.Path(options.captured).glob('*/*/run.sh'))
    import kinds
    return list(kinds.SOURCES)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('library', help='libheddle-cl.so')
    parser.add_argument('--passes', help='with commas; all that can be left out by default')
    parser.add_argument('--cases', help='a file with names of cases; all by default')
    parser.add_argument('--il-dir', help='SPIR-V of the cases, as tools/kernels-spv.sh makes it: clang is not needed')
    parser.add_argument('--captured', metavar='FOLDER', help='captured launches instead of bench/kinds')
    parser.add_argument('--trial', default='0', choices=('0', '2'),
                        help='HEDDLE_TRIAL: 0 the form that is estimated to be better, 2 the other one')
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--min-time', type=float, default=0.02, help='seconds of a measurement')
    parser.add_argument('--write', help='a document in which what stands between the two marks is replaced')
    parser.add_argument('--serve', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options)
    cases = pathlib.Path(options.cases).read_text().split() if options.cases else all_cases(options)
    names, rows = options.passes.split(',') if options.passes else passes(), []
    with_all, changed = first_build(options, cases)
    print('%d of %d kernels' % (sum(code is not None for code in with_all.values()), len(cases)), flush=True)
    for name in names:
        mine = [case for case in cases if with_all[case] is not None and case in changed.get(name, ())]
        without = code_of(options, name, mine)
        other = [case for case in mine if without[case] is not None and without[case] != with_all[case]]
        broken = sum(without[case] is None for case in mine)
        ratios = ratios_of(options, name, other)
        rows.append(row(name, len(mine), ratios, broken))
        print(rows[-1], flush=True)
        for case, ratio in sorted(ratios.items(), key=lambda item: -item[1]):
            print('    %-40s %.3f' % (case, ratio), flush=True)
    if options.write:
        page = pathlib.Path(options.write)
        before, rest = page.read_text().split(MARKS[0])
        page.write_text(before + MARKS[0] + '\n' + report(rows) + '\n' + MARKS[1] + rest.split(MARKS[1])[1])
    return 0


if __name__ == '__main__':
    sys.exit(main())
