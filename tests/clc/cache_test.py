#!/usr/bin/env python3
"""Does a kept module spare the compiler, and is it never the wrong one?

The compiler is a script that counts its calls. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, shutil, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
heddle = os.path.abspath(parser.parse_args().build + '/heddle')
clang = shutil.which('clang-22')
if clang is None:
    print('0 passed, 0 failed, 1 skipped')
    raise SystemExit
folder = tempfile.mkdtemp()
calls = folder + '/calls'
wrapper = folder + '/clang'
counts = {True: 0, False: 0}


def write(name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)


def run(*options, **environment):
    """Output of one run, and how often it called the compiler."""
    write('calls', '')
    env = dict(os.environ, HEDDLE_CLANG=wrapper, HEDDLE_CACHE_DIR=folder + '/kept', **environment)
    done = subprocess.run([heddle, 'run', 'k.cl', 'k', '--global', '2', '--arg', 'i32[2]', *options],
                          cwd=folder, env=env, capture_output=True, text=True)
    with open(calls) as file:
        return done.stdout + done.stderr, len(file.read())


def expect(what, got, calls_wanted, *texts):
    good = got[1] == calls_wanted and all(t in got[0] for t in texts)
    counts[good] += 1
    if not good:
        print('%s: %d calls of the compiler where %d were expected; printed:\n%s' % (what, got[1], calls_wanted, got[0]))


write('clang', '#!/bin/sh\nprintf x >>"%s"\nexec %s "$@"\n' % (calls, clang))
os.chmod(wrapper, 0o755)
write('n.h', '#define N 5\n')
write('k.cl', '#include "n.h"\n#warning seen\n#ifndef M\n#define M 0\n#endif\n'
      'kernel void k(global int *p) { p[get_global_id(0)] = N + M; }\n')
expect('first', run(), 1, '= 5, 5', 'k.cl:2:2: warning: seen')
expect('second', run(), 0, '= 5, 5', 'k.cl:2:2: warning: seen')
expect('another option', run('--cl', '-DM=2'), 1, '= 7, 7')
expect('the first again', run(), 0, '= 5, 5')
expect('the cache off', run(HEDDLE_CACHE='0'), 1, '= 5, 5')
write('n.h', '#define N 6\n')
expect('another header', run(), 1, '= 6, 6')
expect('that header again', run(), 0, '= 6, 6')
os.unlink(folder + '/n.h')
expect('no header', run(), 1, "'n.h' file not found")
expect('errors are not kept', run(), 1, "'n.h' file not found")
write('k.cl', 'kernel void k(global int *p) { p[get_global_id(0)] = sizeof(__TIME__); }\n')
expect('the time', run(), 1, '= 9, 9')
expect('the time is never kept', run(), 1, '= 9, 9')
write('k.cl', 'kernel void k(global int *p) { p[get_global_id(0)] = __LINE__; }\n')
expect('lines count from 1', run(), 1, '= 1, 1')
write('k.cl', '#define any(x) 7\nkernel void k(global int *p) { p[get_global_id(0)] = any(1); }\n')
expect('a macro with the name of a built-in', run(), 2, '= 7, 7')  # preprocessed, compiled
expect('that macro again', run(), 0, '= 7, 7')
write('n.h', 'int (any)(int x) { return x + 7; }\n')
write('k.cl', '#include "n.h"\nkernel void k(global int *p) { p[get_global_id(0)] = any(1); }\n')
expect('a function of a header with such a name', run(), 3, '= 8, 8')  # compiled, preprocessed, compiled
expect('that function again', run(), 0, '= 8, 8')
write('n.h', 'int (any)(int x) { return x + 8; }\n')
expect('another function of that header', run(), 3, '= 9, 9')
write('k.cl', 'kernel void k(global int *p) { p[get_global_id(0)] = __LINE__; }\n')
for name in os.listdir(folder + '/kept'):
    with open(folder + '/kept/' + name, 'r+b') as file:
        file.seek(60)
        file.write(b'damage')
expect('a damaged entry', run(), 1, '= 1, 1')
expect('mended', run(), 0, '= 1, 1')
shutil.rmtree(folder)
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
