#!/usr/bin/env python3
"""Does a module compiled with -g say which line of which file each instruction comes from?

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, shutil, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
heddle = os.path.abspath(parser.parse_args().build + '/heddle')
if shutil.which('clang-22') is None:
    print('0 passed, 0 failed, 1 skipped')
    raise SystemExit
folder = tempfile.mkdtemp()
counts = {True: 0, False: 0}
SOURCE = '''#include "more.h"
kernel void k(global int *p, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += twice(i);
  switch (n) {
  case 3: total = p[1] / n; break;
  case 4: total ^= 9; break;
  }
  p[get_global_id(0)] = total;
}
'''
HEADER = 'int twice(int x) {\n  return x + x;\n}\n'


def check(what, good, shown=''):
    counts[good] += 1
    if not good:
        print('%s: not so\n%s' % (what, shown))


def module(*options):
    """The text of what clang's output was made into."""
    done = subprocess.run([heddle, 'dis', '--cl', '-g', *sum((['--cl', o] for o in options), []), 'k.cl'],
                          cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


def lines_of(text, what):
    """(file, line) in force at each instruction of this kind."""
    found, at = [], None
    for line in text.splitlines():
        m = re.match(r'\s*OpLine (%\S+) (\d+) (\d+)', line)
        if m:
            at = (m.group(1), int(m.group(2)))
        elif 'OpLabel' in line:
            at = None
        elif re.search(what, line):
            found.append(at)
    return found


for name, text in (('k.cl', SOURCE), ('more.h', HEADER)):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)
for level in ('-O0', '-O1'):
    text = module(level, '-cl-std=CL3.0')
    names = dict(re.findall(r'(%\S+) = OpString "([^"]*)"', text))
    where = lambda what: {(names.get(f), n) for f, n in [w for w in lines_of(text, what) if w]}
    check(level + ': the source is inside', 'case 4: total ^= 9; break;' in text, text)
    check(level + ': both files have names', {'k.cl', './more.h'} <= set(names.values()) or
          {'k.cl', 'more.h'} <= set(names.values()), str(names))
    check(level + ': the division', where('OpSDiv') == {('k.cl', 7)}, text)
    check(level + ': the xor', where('OpBitwiseXor') == {('k.cl', 8)}, text)
    check(level + ': the store', ('k.cl', 10) in where('OpStore'), text)
    check(level + ': a line of the header', any(n == 2 and f.endswith('more.h') for f, n in where('OpIAdd|OpShiftLeft')), text)
    check(level + ': no mark is left', '__heddle_line' not in text, text)
    check(level + ': variables have names', '"total' in text, text)
    run = subprocess.run([heddle, 'run', 'k.cl', 'k', '--global', '2', '--arg', 'i32[2]=7,12', '--arg', 'i32=3',
                          '--cl', '-g', '--cl', level], cwd=folder, capture_output=True, text=True)
    check(level + ': the result', '= 4, 4' in run.stdout, run.stdout + run.stderr)
shutil.rmtree(folder)
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
