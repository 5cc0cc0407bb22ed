#!/usr/bin/env python3
"""A served heddle (tools/served.py) is the command: each call, once served and once by subprocess.run, ends the same way and
prints the same. Ends with `N passed, N failed, N skipped`.

SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys
import threading

import harness
sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import served

KERNEL = '''kernel void k(global uint *p) { p[get_global_id(0)] = get_global_id(0); }
kernel void stray(global uint *p, ulong to) { *(global uint *)to = 1; }
kernel void endless(global volatile uint *p) { while (p[0] == 0) p[1] = 1; }
'''


def both(call):
    """What `call` returns with each of the two functions, or raises."""
    for run in (subprocess.run, served.run):
        try:
            p = call(run)
            yield p.returncode, p.stdout, p.stderr
        except (subprocess.SubprocessError, OSError) as e:
            yield type(e), getattr(e, 'returncode', None)


def same(t, what, call, status):
    """Both are the same, and are what is expected of the command."""
    own, other = both(call)
    t.check(own == other and own[0] == status, f'{what}: {str(own)[:400]}\n  served: {str(other)[:400]}')


def ends(t, source, module):
    """Exit statuses, and what is printed where."""
    h = t.heddle
    wrong = t.path('wrong.spvasm', 'OpCapability Kernel\nOpFoo\n')
    for words, status in (([], 2), (['--version'], 0), (['val', module], 0), (['val', wrong], 1), (['val', '--frob'], 2), (['frobnicate'], 2),
                          (['val', t.path('none.spv')], 3), (['run', source, 'k', '--global', '4', '--arg', 'u32[4]'], 0),
                          (['run', source, 'k', '--global', '4', '--arg', 'u32[4]', '--engine', 'interpreted'], 0),
                          (['run', source, 'none'], 2), (['dis', module], 0)):
        same(t, ' '.join(words), lambda run: run([h, *words], capture_output=True), status)
    same(t, 'both on one pipe', lambda run: run([h, 'val', wrong], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), 1)
    same(t, 'nothing kept', lambda run: run([h, 'val', wrong], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), 1)
    same(t, 'check', lambda run: run([h, 'val', wrong], capture_output=True, check=True), subprocess.CalledProcessError)
    same(t, 'no such program', lambda run: run([t.path('no/heddle')], capture_output=True), FileNotFoundError)
    with open('/dev/full', 'w') as full:
        same(t, 'a full disk', lambda run: run([h, 'dis', module], stdout=full, stderr=subprocess.PIPE, text=True), 3)


def texts(t, module):
    """Much on standard input and output at once, and what no process reads."""
    with open(module, 'rb') as f:
        words = f.read()
    text = served.run([t.heddle, 'dis', module], capture_output=True, check=True).stdout
    long = b'OpCapability Kernel\nOpCapability Linkage\nOpMemoryModel Physical64 OpenCL\n' + \
           b''.join(b'OpName %%x "%s"\n' % (b'n' * 100) for i in range(5000)) + b'%x = OpTypeVoid\n'
    same(t, 'a module by standard input', lambda run: run([t.heddle, 'dis', '-'], input=words, capture_output=True), 0)
    same(t, 'text by standard input', lambda run: run([t.heddle, 'as', '-', '-o', '-'], input=text, capture_output=True), 0)
    same(t, 'much of both', lambda run: run([t.heddle, 'as', '-', '-o', '-'], input=long, capture_output=True), 0)
    t.check(len(served.run([t.heddle, 'as', '-', '-o', '-'], input=long, capture_output=True).stdout) > 500000, 'all of it')
    same(t, 'what nobody reads', lambda run: run([t.heddle, '--version'], input=long, capture_output=True), 0)
    same(t, 'no input', lambda run: run([t.heddle, 'dis', '-'], stdin=subprocess.DEVNULL, capture_output=True), 1)


def surroundings(t, source):
    """The folder, and variables, of the call, not of the server."""
    arguments = ['k', '--global', '4', '--arg', 'u32[4]']
    here = os.path.dirname(source)
    for _ in range(2):
        same(t, 'a folder', lambda run: run([t.heddle, 'run', os.path.basename(source), *arguments], capture_output=True, cwd=here), 0)
        same(t, 'a variable', lambda run: run([t.heddle, 'run', source, *arguments, '--dump', 'asm'], capture_output=True,
                                             env=dict(os.environ, HEDDLE_CPU='x86-64-v2')), 0)
        same(t, 'a wrong variable', lambda run: run([t.heddle, 'run', source, *arguments], capture_output=True,
                                                   env=dict(os.environ, HEDDLE_WIDTH='3')), 0)
        same(t, 'without it', lambda run: run([t.heddle, 'run', source, *arguments, '--dump', 'asm'], capture_output=True), 0)
    # The dynamic linker reads this one: it lists libraries, and no main is called.
    listed = [re.sub(r'0x\w+', '', p[1]) for p in both(lambda run: run([t.heddle, '--version'], capture_output=True, text=True,
                                                                      env=dict(os.environ, LD_TRACE_LOADED_OBJECTS='1')))]
    t.check(listed[0] == listed[1] and 'libc.so' in listed[0], f'a variable of the linker: {listed}')


def crashes(t, source):
    """Signals, from outside and by a kernel, and time limits; the server serves on."""
    endless = [t.heddle, 'run', source, 'endless', '--global', '1', '--arg', 'u32[4]=zeros']
    same(t, 'an access to nowhere', lambda run: run([t.heddle, 'run', source, 'stray', '--global', '1', '--arg', 'u32[4]', '--arg', 'u64=8'],
                                                   capture_output=True), 3)
    same(t, 'a time limit', lambda run: run(endless, capture_output=True, timeout=2), subprocess.TimeoutExpired)
    same(t, 'after it', lambda run: run([t.heddle, '--version'], capture_output=True), 0)


def at_once(t, module):
    """Threads have calls at once."""
    ends = []
    threads = [threading.Thread(target=lambda: ends.append(served.run([t.heddle, 'val', module], capture_output=True).returncode))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    t.check(ends == [0] * 8, f'eight threads: {ends}')


def main():
    with harness.Tool() as t:
        if served.library_of(t.heddle) is None:
            print('0 passed, 1 failed, 0 skipped')
            return 1
        source, module = t.path('a.cl', KERNEL), t.path('a.spv')
        subprocess.run([t.heddle, 'compile', source, '-o', module], check=True)
        ends(t, source, module)
        texts(t, module)
        surroundings(t, source)
        crashes(t, source)
        at_once(t, module)
        t.check(len(served.idle[t.heddle, False]) >= 1, 'calls were served')
        t.check(len(served.idle[t.heddle, True]) == 1, 'calls that compile were served by another server, one after the other')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
