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
import argparse, collections, concurrent.futures, json, os, random, re, signal, subprocess, sys, tempfile

from driver import Driver
from engine import Engine, Failure, difference, random_bytes, ways
from judge import Judge
from random_csmith import Csmith, is_there
from random_flow import HEAD, KINDS, PER, SOURCE
from random_module import Launch

WIDTHS = [1, 4, 8, 16, 32]
LEVELS = ['', '-cl-opt-disable']
SECONDS = 90  # of processor time for a kernel: what is compiled wrong may not end
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
        print(json.dumps(command), flush=True)
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
    """Prints lines of JSON: the number of a kernel that is begun, each command that is, and [number, why it is skipped or None, [(command, what)], its text,
    the right values] when it is done. A kernel that does not end, ends the process."""
    made, engine = [kernel(o.kinds[0], n) for n in o.numbers], Engine(o.build)
    texts, wants = {k.number: k.function() for k in made}, {}
    with tempfile.TemporaryDirectory() as folder:
        with Judge(HEAD + ''.join(texts.values()), ['k%d' % n for n in o.numbers], folder) as judge:
            for k in made:
                want, why = judge.run('k%d' % k.number, k.total, k.local, random_bytes(4, SOURCE, k.number), 4 * PER * k.total)
                if why:
                    print(json.dumps([k.number, why, [], '', '']), flush=True)
                else:
                    wants[k.number] = want
    made = [k for k in made if k.number in wants]
    text = HEAD + ''.join(texts[k.number] for k in made)
    try:
        programs = [engine.open(engine.compiled(text, level)) for level in LEVELS] if made else []
    except Failure as e:
        if o.kinds[0] != 'csmith' or len(made) > 1:
            raise
        return print(json.dumps([made[0].number, 'is refused: %s' % re.findall(r'\[([\w.-]+)\]', str(e))[-1:], [], '', '']), flush=True)
    other = Driver(o.icd) if o.icd else None
    for k in made:
        print(k.number, flush=True)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        found = judged_by(other, HEAD + texts[k.number], k, wants[k.number])
        for level, program in zip(LEVELS, programs):
            found += compared(engine, program, k, wants[k.number], runs_of(k, o.forms, level), level)
        print(json.dumps([k.number, None, found, HEAD + texts[k.number], values(wants[k.number])]), flush=True)


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
def run_batch(o, kind, numbers):
    """Results of a batch, by number; a kernel that its process dies of costs no more than itself."""
    command = [sys.executable, os.path.abspath(__file__), '--work', '--build', o.build, '--kinds', kind, '--forms', o.forms] + ['--icd', o.icd] * bool(o.icd) + ['--numbers']
    results, left = {}, list(numbers)
    while left:
        p = subprocess.run(command + [','.join(map(str, left))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace')
        lines = [json.loads(l) for l in p.stdout.splitlines()]
        results.update({l[0]: l for l in lines if isinstance(l, list)})
        if p.returncode != 0:
            begun = [l for l in lines if isinstance(l, int) and l not in results]
            # If it was none of them alone, each is tried alone; a kernel that fails alone is to blame.
            guilty = begun[0] if begun else left[0] if len(left) == 1 else None
            if guilty is None:
                return [r for n in left for r in run_batch(o, kind, [n])]
            why = signal.strsignal(-p.returncode) if p.returncode < 0 else p.stderr.strip()[-800:]
            running = [l for l in lines if isinstance(l, str)] or [' '.join(command + [str(guilty)])]
            results[guilty] = [guilty, None, [(running[-1], why)], HEAD + kernel(kind, guilty).function(), '']
        left = [n for n in left if n not in results]
    return list(results.values())


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
    parser.add_argument('--kinds', type=lambda s: s.split(','), default=list(KINDS) + ['csmith'])
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--seed', type=int, help='the first; default: a new one')
    parser.add_argument('--forms', choices=['one', 'all'], default='one')
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--keep')
    parser.add_argument('--icd', help='another driver, as a third judge: a library, or its .icd file')
    parser.add_argument('--work', action='store_true', help=argparse.SUPPRESS)
    parser.add_argument('--numbers', type=lambda s: [int(n) for n in s.split(',')], help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.work:
        return judge_batch(o)
    o.keep = o.keep or os.path.join(o.build, 'flow')
    if 'csmith' in o.kinds and not is_there():
        print('Csmith is not installed: none of its kind')
        o.kinds.remove('csmith')
    first = o.seed if o.seed is not None else random.SystemRandom().randrange(1 << 30)
    print('seeds from %d' % first, flush=True)
    counts, skipped, done = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        numbers = range(first, first + o.count)
        batches = {pool.submit(run_batch, o, kind, numbers[at:at + BATCH]): kind for at in range(0, o.count, BATCH) for kind in o.kinds}
        for batch in concurrent.futures.as_completed(batches):
            kind = batches[batch]
            done += len(batch.result())
            if done // 1000 != (done - len(batch.result())) // 1000:
                print('%d done' % done, flush=True)
            for number, why, found, text, want in batch.result():
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
