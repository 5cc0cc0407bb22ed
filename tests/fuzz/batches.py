"""Numbers of random programs, judged in batches by processes of their own: one that a process dies of costs no more than itself.

SPDX-License-Identifier: MIT
"""
import collections, concurrent.futures, json, os, re, signal, subprocess, sys

from first_seed import first_seed

SECONDS = 90  # of processor time for a program: what is compiled wrong may not end


def begin(number):
    """In a process: a program is begun."""
    print(number, flush=True)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)


def running(command):
    """In a process: a run is begun."""
    print(json.dumps(command), flush=True)


def done(number, why=None, found=(), text='', want='', note=''):
    """In a process: why a program is skipped, or [(command, what differs)], and with these its text and the right values.
    note: something that is counted."""
    print(json.dumps([number, why, list(found), text, want, note]), flush=True)


def run_batch(command, numbers, text_of):
    """[what `done` was told] of each number. command: of a process, without the numbers."""
    results, left = {}, list(numbers)
    while left:
        p = subprocess.run(command + ['--numbers', ','.join(map(str, left))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace')
        lines = [json.loads(l) for l in p.stdout.splitlines()]
        results.update({l[0]: l for l in lines if isinstance(l, list)})
        if p.returncode != 0:
            begun = [l for l in lines if isinstance(l, int) and l not in results]
            # If it was none of them alone, each is tried alone; a program that fails alone is to blame.
            guilty = begun[0] if begun else left[0] if len(left) == 1 else None
            if guilty is None:
                return [r for n in left for r in run_batch(command, [n], text_of)]
            why = signal.strsignal(-p.returncode) if p.returncode < 0 else p.stderr.strip()[-800:]
            last = [l for l in lines if isinstance(l, str)] or [' '.join(command + ['--numbers', str(guilty)])]
            results[guilty] = [guilty, None, [(last[-1], why)], text_of(guilty), '', '']
        left = [n for n in left if n not in results]
    return list(results.values())


def add_options(parser):
    parser.add_argument('--build', default='build')
    parser.add_argument('--seed', type=int, help='the first; default: a new one')
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--keep', metavar='DIR')
    parser.add_argument('--work', action='store_true', help='in a process of its own')
    parser.add_argument('--numbers', type=lambda s: [int(n) for n in s.split(',')], help='with --work')


def run_all(o, script, batch, arguments, text_of, complain):
    """Counts, told; the exit status. o: of add_options, and kinds, count. arguments: of a process. text_of: of a kind and a number.
    complain: of a kind and what `done` was told."""
    first = o.seed if o.seed is not None else first_seed()
    print('seeds from %d' % first, flush=True)
    counts, skipped, notes, count = collections.Counter(), collections.Counter(), collections.Counter(), 0
    numbers = range(first, first + o.count)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        batches = {}
        for at in range(0, o.count, batch):
            for kind in o.kinds:
                command = [sys.executable, os.path.abspath(script), '--work', '--build', o.build, '--kinds', kind] + arguments
                batches[pool.submit(run_batch, command, numbers[at:at + batch], lambda n, kind=kind: text_of(kind, n))] = kind
        for f in concurrent.futures.as_completed(batches):
            kind, before = batches[f], count
            count += len(f.result())
            if count // 1000 != before // 1000:
                print('%d done' % count, flush=True)
            for number, why, found, text, want, note in f.result():
                notes[kind, note] += 1
                counts[kind, 'skipped' if why else 'failed' if found else 'passed'] += 1
                if why:
                    skipped[kind, why] += 1
                elif found:
                    complain(kind, number, found, text, want)
    for (kind, note), n in sorted(notes.items()):
        if note:
            print('%s: %d, %s' % (kind, n, note))
    return tell(o.kinds, counts, skipped)


def tell(kinds, counts, skipped):
    for (kind, why), n in sorted(skipped.items()):
        print('%s: %d are not defined: %s' % (kind, n, why))
    for kind in kinds:
        print('%s: %d passed, %d failed, %d skipped' % (kind, *[counts[kind, w] for w in ('passed', 'failed', 'skipped')]))
    total = [sum(counts[kind, w] for kind in kinds) for w in ('passed', 'failed', 'skipped')]
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] else 0


def keep(folder, name, found, text, want):
    """A file with what differs in comments; its first command is printed. want: a line on the right values, or nothing."""
    path = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    with open(path, 'w') as out:
        out.write('// %s\n' % want if want else '')
        out.write('// What differs:\n')
        out.writelines('//   %s: %s\n' % (re.sub('FILE', path, command), what.replace('\n', ' ')) for command, what in found)
        out.write(text)
    print('FAILED %s\n    %s\n    %s\n    (%d runs differ)' % (path, re.sub('FILE', path, found[0][0]), found[0][1], len(found)), flush=True)
