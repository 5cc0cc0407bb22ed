#!/usr/bin/env python3
"""Private folders of compilations: what a killed process left is removed by the next one, and a compiler that crashes is
told of in words, without files for a report. [--build FOLDER]

Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

SOURCE = 'kernel void k(global int *a) { a[0] = 1; }\n'


def main():
    clang = shutil.which('clang-22')
    if clang is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        good = t.path('good.cl', SOURCE)
        error = t.path('error.cl', SOURCE.replace('a[0]', 'b[0]'))
        slow = t.path('slow', f'#!/bin/sh\n: >{t.folder}/began\nwhile [ ! -e {t.folder}/go ]; do sleep 0.02; done\nexec {clang} "$@"\n')
        os.chmod(slow, 0o755)
        tmp = t.path('tmp')
        os.mkdir(tmp)
        all_ = os.path.join(tmp, f'heddle-clc-{os.geteuid()}')
        env = dict(os.environ, TMPDIR=tmp, HEDDLE_CACHE='0')

        def info(path, **more):
            p = subprocess.run([t.heddle, 'info', path], env=dict(env, **more), capture_output=True, text=True, timeout=120)
            return p.returncode, p.stdout + p.stderr

        def begin():
            """A process whose compiler waits for t.folder/go."""
            if os.path.exists(t.path('began')):
                os.unlink(t.path('began'))
            p = subprocess.Popen([t.heddle, 'info', good], env=dict(env, HEDDLE_CLANG=slow), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
            while not os.path.exists(t.path('began')) and p.poll() is None:
                time.sleep(0.01)
            return p

        def left():
            return sorted(os.listdir(all_)) if os.path.isdir(all_) else []

        def make_old(names):
            for name in names:
                os.utime(os.path.join(all_, name), (1, 1))

        t.check(info(good)[0] == 0 and os.listdir(tmp) == [], 'nothing stays')
        t.check(info(error)[0] == 1 and os.listdir(tmp) == [], 'nothing stays of an error')
        p = begin()
        p.send_signal(signal.SIGKILL)
        p.wait()
        t.check(len(left()) == 1, 'a killed process leaves its folder')
        killed = left()
        info(good)
        t.check(left() == killed, 'a young one is left alone')
        p = begin()
        make_old(left())
        t.check(info(good)[0] == 0 and len(left()) == 1 and left() != killed, 'an old one goes, but not while it is used')
        open(t.path('go'), 'w').close()
        t.check(p.wait(60) == 0, 'whose process comes to its end')
        t.check(os.listdir(tmp) == [], f'nothing stays: {os.listdir(tmp)}')
        with open(all_, 'w') as f:  # the name is taken
            f.write('mine')
        t.check(info(good)[0] == 0 and os.listdir(tmp) == [os.path.basename(all_)], 'without the folder of all')
        os.unlink(all_)

        # What clang 22.1 writes when it dies, by a compiler that is none: no source here kills the real one.
        dies = t.path('clang-22', '#!/bin/sh\ncat >&2 <<END\nPLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: clang-22\n'
                      '1.\tgood.cl:1:2: current parser token\n #0 0x00007f07f8cb8786 somewhere\nEND\nkill -ILL $$\n')
        os.chmod(dies, 0o755)
        code, said = info(good, HEDDLE_CLANG=dies)
        t.check(code == 3 and 'clang-22, crashed' in said and 'defect of the compiler' in said, f'a crash is told: {said}')
        t.check('good.cl:1' in said, f'and where it was: {said}')
        t.check('0x0' not in said and 'PLEASE' not in said and 'Program arguments' not in said, f'and not more: {said}')
        t.check(os.listdir(tmp) == [], f'no files for a report: {os.listdir(tmp)}')
        killer = t.path('killer', '#!/bin/sh\necho some words\nkill -SEGV $$\n')
        os.chmod(killer, 0o755)
        code, said = info(good, HEDDLE_CLANG=killer)
        t.check(code == 3 and 'some words' in said and 'crashed (signal 11)' in said, f'a signal is told: {said}')
        bare = t.path('bare', '#!/bin/sh\necho "Stack dump:"\necho "3  libc.so.6  0x00007f195265a050"\nkill -SEGV $$\n')
        os.chmod(bare, 0o755)
        code, said = info(good, HEDDLE_CLANG=bare)
        t.check(code == 3 and 'libc.so' not in said, f'without llvm-symbolizer, too: {said}')
        other = t.path('other', '#!/bin/sh\necho unknown option\nexit 2\n')
        os.chmod(other, 0o755)
        code, said = info(good, HEDDLE_CLANG=other)
        t.check(code == 3 and 'unknown option\n' in said and 'other, ended with an exit code that clang does not have' in said and
                'defect of the compiler' not in said, f'a program that is no clang: {said}')
        code, said = info(error)
        t.check(code == 1 and 'crashed' not in said and "error.cl:1:32: error: use of undeclared identifier 'b'" in said, f'an error is one: {said}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
