#!/usr/bin/env python3
"""Compare `heddle val` with a peer's verdicts on a corpus of modules; skips when the corpus is absent.

  tests/val/corpus.py [--heddle build/heddle] [--corpus FOLDER] [--list] [--only KIND] [--group kernel|shader]

Prints agreement per environment and per sort of module, and with --list each difference with the first rule that
Heddle reports. Differences on purpose stand in tests/val/differences.txt with the section that justifies each; they are
counted apart. The floors at the end, of what agrees or is justified, must not be lost: below them the exit status is 1.
SPDX-License-Identifier: MIT
"""
import argparse, base64, collections, concurrent.futures, gzip, json, os, subprocess, sys, tempfile

FLOORS = {'opencl': 100.0, 'kernel': 100.0, 'shader': 100.0}


def environment(env):
    """The peer's name of an environment as ours, and further options."""
    if env.startswith('spv'):
        return ['--env', 'universal' + env[3:]]
    return ['--env', env.replace('embedded', '-embedded')]


def verdict(heddle, folder, case):
    path = os.path.join(folder, case['id'] + '.spv')
    with open(path, 'wb') as f:
        f.write(base64.b64decode(case['bin']))
    p = subprocess.run([heddle, 'val', '--json'] + environment(case['env']) + [path], capture_output=True)
    os.unlink(path)
    try:
        errors = [d for d in json.loads(p.stdout) if d['severity'] == 'error']
    except ValueError:
        errors = [{'rule': 'no JSON', 'message': p.stdout[:200].decode('utf-8', 'replace')}]
    return p.returncode, errors


def group_of(case):
    if case['env'].startswith('opencl'):
        return 'opencl'
    return 'kernel' if 'OpCapability Kernel' in (case['text'] or '') else 'shader'


def justified():
    """Cases that differ on purpose: id to reason."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'differences.txt')
    return dict(line.strip().split(None, 1) for line in open(path, encoding='utf-8') if line.strip() and line[0] != '#')


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--heddle', default='build/heddle')
    a.add_argument('--corpus', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../shared/corpus'))
    a.add_argument('--list', action='store_true')
    a.add_argument('--text', action='store_true')
    a.add_argument('--only')
    a.add_argument('--group')
    a.add_argument('-j', type=int, default=2)
    a = a.parse_args()
    source = os.path.join(a.corpus, 'val.jsonl.gz')
    if not os.path.exists(source):
        print('skipped: no corpus at', source)
        return 0
    cases = [json.loads(line) for line in gzip.open(source, 'rt')]
    cases = [c for c in cases if (not a.only or c['kind'] == a.only) and (not a.group or group_of(c) == a.group)]
    total, good, crashed = collections.Counter(), collections.Counter(), []
    reasons, excused, stale = justified(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        results = pool.map(lambda c: verdict(a.heddle, folder, c), cases)
        for case, (status, errors) in zip(cases, results):
            says = {0: 'valid', 1: 'invalid'}.get(status, 'crashed')
            if says == 'crashed':
                crashed.append((case['id'], status))
            keys = (group_of(case), (case['env'], case['expect']))
            for key in keys:
                total[key] += 1
                good[key] += says == case['expect']
            if case['id'] in reasons:
                excused[group_of(case)] += says != case['expect']
                stale += [case['id']] if says == case['expect'] else []
            elif says != case['expect'] and a.list:
                first = errors[0] if errors else {'rule': '-', 'message': ''}
                print('%s %s %s peer %s (%s), we %s: %s %s | %s' %
                      (case['id'], case['env'], group_of(case), case['expect'], case['kind'], says, first['rule'],
                       first['message'][:90], (first.get('instruction') or '')[:90]))
                if a.text:
                    print(case['text'])
    for key in sorted((k for k in total if isinstance(k, tuple))):
        print('%-20s %-8s %5d of %5d' % (key[0], key[1], good[key], total[key]))
    failed = len(crashed)
    for name, floor in FLOORS.items():
        if total[name]:
            share = 100.0 * (good[name] + excused[name]) / total[name]
            print('%-8s %5d of %5d agree, %.2f %%; %d differ on purpose, together %.2f %% (floor %.1f %%)' %
                  (name, good[name], total[name], 100.0 * good[name] / total[name], excused[name], share, floor))
            failed += share < floor and not a.only
    for case in stale:
        failed += 1
        print('tests/val/differences.txt: %s agrees' % case)
    for case, status in crashed:
        print('crashed:', case, 'status', status)
    print('%d passed, %d failed, 0 skipped' % (sum(good[n] for n in FLOORS), failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
