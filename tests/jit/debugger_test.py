#!/usr/bin/env python3
"""Do gdb and perf see compiled kernels: names, lines, breakpoints?

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, shutil, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
build = os.path.abspath(parser.parse_args().build)
if shutil.which('gdb') is None or shutil.which('clang-22') is None:
    print('0 passed, 0 failed, 1 skipped')
    raise SystemExit
folder = tempfile.mkdtemp()
counts = {True: 0, False: 0}
SOURCE = '''kernel void halve(global int *p, int n) {
  int i = get_global_id(0);
  int steps = 0;
  for (int x = p[i]; x > 1; x = x % 2 ? 3 * x + 1 : x / 2)
    steps++;
  p[i] = steps;
}
'''


def check(what, good, shown=''):
    counts[good] += 1
    if not good:
        print('%s: not so\n%s' % (what, shown))


def run(*command, **environment):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, HEDDLE_CACHE_DIR=folder + '/kept', **environment))
    return done.stdout + done.stderr


def kernel(*options):
    return [build + '/heddle', 'run', 'k.cl', 'halve', '--global', '8', '--arg', 'i32[8]=1,2,3,4,5,6,7,8', '--arg',
            'i32=0', *options]


with open(folder + '/k.cl', 'w') as file:
    file.write(SOURCE)
for width in ('1', '8'):
    for when in ('compiled', 'from the cache'):
        shown = run('gdb', '-batch', '-ex', 'set breakpoint pending on', '-ex', 'break k.cl:6', '-ex', 'run', '-ex', 'bt',
                    '-ex', 'delete', '-ex', 'continue', '--args', *kernel('--cl', '-g'), HEDDLE_SUBGROUP=width)
        what = 'width %s, %s: ' % (width, when)
        check(what + 'it stops at the line', re.search(r'hit Breakpoint 1.* at k\.cl:6', shown) is not None, shown)
        check(what + 'it shows the source', 'p[i] = steps;' in shown, shown)
        check(what + 'the kernel has its name', re.search(r'#0\s+(0x\w+ in )?halve \(\) at k\.cl:6', shown) is not None, shown)
        check(what + 'the result is right', '= 0, 1, 7, 2, 5, 8, 16, 3' in shown, shown)
shown = run('gdb', '-batch', '-ex', 'set breakpoint pending on', '-ex', 'break halve.kernel', '-ex', 'run', '-ex', 'bt 1', '--args',
            *kernel(), HEDDLE_DEBUGGER='1')
check('a name without lines', re.search(r'#0\s.*halve.kernel', shown) is not None, shown)
pid = re.search(r'pid (\d+)', run('sh', '-c', 'echo pid $$; exec "$@"', 'sh', *kernel(), HEDDLE_PERF='1'))
name = '/tmp/perf-%s.map' % pid.group(1)
lines = open(name).read() if os.path.exists(name) else 'no file'
check("perf's map names the kernel", re.fullmatch(r'([0-9a-f]+ [0-9a-f]+ halve\n)+', lines) is not None, lines)
if os.path.exists(name):
    os.unlink(name)
check('none without HEDDLE_PERF', not os.path.exists(name))
shutil.rmtree(folder)
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
