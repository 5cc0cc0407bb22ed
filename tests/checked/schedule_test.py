#!/usr/bin/env python3
"""`heddle check --schedule SEED`: another order of work-groups and sub-groups, the same each time.

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, shutil, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
heddle = os.path.abspath(parser.parse_args().build + '/heddle')
if shutil.which('clang-22') is None:
    print('0 passed, 0 failed, 1 skipped')
    raise SystemExit
counts = {True: 0, False: 0}
SOURCE = '''kernel void k(global int *out) {
  if (get_local_id(0) % 8 == 0)
    printf("%d ", (int)get_global_id(0));
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = get_group_id(0);
  if (get_local_id(0) % 8 == 0)
    printf("%d ", 10000 + (int)get_global_id(0));
}
'''


def check(what, good, shown=''):
    counts[bool(good)] += 1
    if not good:
        print('failed: %s %s' % (what, shown))


def order(path, seed, *more):
    p = subprocess.run([heddle, 'check', path, 'k', '--global', '1024', '--local', '64', '--width', '8', '--arg', 'i32[1024]', '--no-print',
                        *(['--schedule', str(seed)] if seed else []), *more], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    return [int(n) for n in p.stdout.split()]


with tempfile.NamedTemporaryFile('w', suffix='.cl') as f:
    f.write(SOURCE)
    f.flush()
    plain = order(f.name, 0, '--threads', '1')
    check('in order without a seed', plain[:8] == list(range(0, 64, 8)) and [n for n in plain if n < 10000] == list(range(0, 1024, 8)), plain)
    seen = [order(f.name, seed) for seed in (1, 2, 3)]
    for seed, found in zip((1, 2, 3), seen):
        check('every work-item once', sorted(found) == sorted(plain))
        check('the same each time', order(f.name, seed) == found and order(f.name, seed, '--threads', '2') == found)
        check('another order of groups', [n // 64 for n in found if n < 10000 and n % 64 == 0] != list(range(16)), found)
        check('another order of sub-groups', any(found[i] // 8 % 8 != i % 8 for i in range(8)), found)
        at = {n: i for i, n in enumerate(found)}
        check('barriers hold', all(max(at[g * 64 + s] for s in range(0, 64, 8)) < min(at[10000 + g * 64 + s] for s in range(0, 64, 8)) for g in range(16)))
    check('seeds differ', seen[0] != seen[1] != seen[2])
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
