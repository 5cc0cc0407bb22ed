#!/usr/bin/env python3
"""Random control flow, judged by gcc: kernels in what C and OpenCL C have in common (random_flow.py), whose work-items gcc
executes one by one, and that Heddle compiles for every width, linearised and dispatched, with regions and with fibers, with
functions inlined and called, optimised by clang and not, and interprets.

  tests/fuzz/flow_test.py [--build build] [--kinds tree,graph,barriers] [--count N] [--seed S] [--forms one|all] [--jobs N] [--keep DIR]

--count is of kernels of each kind. Each width is compiled in one of its forms, which the seed chooses; --forms all: in all. Each
run takes new seeds, and prints the first; --seed makes it again. Kernels that are not defined, gcc's execution finds; they
count as skipped. Kernels with another result are written to DIR (default: BUILD/flow), with the commands that show it and the
right values. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, collections, concurrent.futures, json, os, random, resource, subprocess, sys, tempfile

from engine import Engine, Failure, difference, random_bytes, ways
from judge import Judge
from random_flow import HEAD, KINDS, PER, SOURCE, kernel
from random_module import Launch

WIDTHS = [1, 4, 8, 16, 32]
LEVELS = ['', '-cl-opt-disable']
SECONDS = 4  # of processor time for a kernel
BATCH = 8  # kernels in a text: starting compilers takes most of the time


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
        try:
            got = engine.run(program, l, width, kernel=name, **(way or dict(interpreted=True)))[1]
        except Failure as e:
            found.append((command, 'refused: %s' % e))
            continue
        if got != want:
            found.append((command, difference(l, [b'', want], [b'', got])))
    return found


def judge_batch(o):
    """Prints a line of JSON for each kernel: number, why it is skipped or None, [(command, what)], the text, the right values."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * (3 + o.count), SECONDS * (3 + o.count)))  # what is compiled wrong may not end
    made = [kernel(o.kinds[0], n) for n in range(o.seed, o.seed + o.count)]
    texts = {k.number: k.function() for k in made}
    wants, engine = {}, Engine(o.build)
    with tempfile.TemporaryDirectory() as folder:
        with Judge(HEAD + ''.join(texts.values()), ['k%d' % k.number for k in made], folder) as judge:
            for k in made:
                want, why = judge.run('k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), 4 * PER * k.total)
                if why:
                    print(json.dumps([k.number, why, [], '', '']), flush=True)
                else:
                    wants[k.number] = want
    made = [k for k in made if k.number in wants]
    text, found = HEAD + ''.join(texts[k.number] for k in made), {k.number: [] for k in made}
    for level in LEVELS:
        program = engine.open(engine.compiled(text, level))
        for k in made:
            found[k.number] += compared(engine, program, k, wants[k.number], runs_of(k, o.forms, level), level)
        engine.close(program)
    for k in made:
        print(json.dumps([k.number, None, found[k.number], HEAD + texts[k.number], values(wants[k.number])]), flush=True)


def values(data):
    return ','.join(str(int.from_bytes(data[at:at + 4], 'little')) for at in range(0, len(data), 4))


# ---- all of them
def run_batch(o, kind, first, count):
    """Results of a batch; if its process dies, of each kernel by itself."""
    command = [sys.executable, os.path.abspath(__file__), '--work', '--build', o.build, '--kinds', kind, '--seed', str(first), '--count', str(count),
               '--forms', o.forms]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace')
    results, status, why = [json.loads(l) for l in p.stdout.splitlines()], p.returncode, p.stderr.strip()[-800:]
    if status == 0:
        return results
    if count > 1:
        return [r for n in range(first, first + count) for r in run_batch(o, kind, n, 1)]
    text = HEAD + kernel(kind, first).function()
    return [[first, None, [(' '.join(command), 'crash: %s %s' % (status, why))], text, '']]


def complain(o, kind, number, found, text, want):
    path = os.path.join(o.keep, '%s_%d.cl' % (kind, number))
    os.makedirs(o.keep, exist_ok=True)
    with open(path, 'w') as out:
        out.write('// What gcc says argument 1 is: u32[%d] = %s\n// What differs:\n' % (want.count(',') + 1, want))
        out.writelines('//   %s: %s\n' % (command.replace('FILE', path), what.replace('\n', ' ')) for command, what in found)
        out.write(text)
    print('FAILED %s %d: %s\n    %s\n    %s\n    (%d runs differ)' % (kind, number, path, found[0][0].replace('FILE', path), found[0][1], len(found)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--kinds', type=lambda s: s.split(','), default=list(KINDS))
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--seed', type=int, help='the first; default: a new one')
    parser.add_argument('--forms', choices=['one', 'all'], default='one')
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--keep')
    parser.add_argument('--work', action='store_true', help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.work:
        return judge_batch(o)
    o.keep = o.keep or os.path.join(o.build, 'flow')
    first = o.seed if o.seed is not None else random.SystemRandom().randrange(1 << 30)
    print('seeds from %d' % first, flush=True)
    counts, skipped = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        batches = [(kind, at, min(BATCH, first + o.count - at)) for at in range(first, first + o.count, BATCH) for kind in o.kinds]
        for (kind, _, _), results in zip(batches, pool.map(lambda b: run_batch(o, *b), batches)):
            for number, why, found, text, want in results:
                counts[kind, 'skipped' if why else 'failed' if found else 'passed'] += 1
                if why:
                    skipped[kind, why] += 1
                elif found:
                    complain(o, kind, number, found, text, want)
    for (kind, why), n in sorted(skipped.items()):
        print('%s: %d are not defined: %s' % (kind, n, why))
    for kind in o.kinds:
        print('%s: %d passed, %d failed, %d skipped' % (kind, *[counts[kind, w] for w in ('passed', 'failed', 'skipped')]))
    total = [sum(counts[kind, w] for kind in o.kinds) for w in ('passed', 'failed', 'skipped')]
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] else 0


if __name__ == '__main__':
    sys.exit(main())
