#!/usr/bin/env python3
"""Sources that the compiler's back end gives up on when they are optimised are compiled without optimisation, or the reverse, once.
[--build FOLDER]

Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

SOURCE = 'kernel void k(global int *a) { a[0] = 1; }\n'
ERROR = 'fatal error: error in backend: unable to legalize instruction: %1:iid(s8)'
CHECKED = 'fatal error: error in backend: cannot select: %7:iid(s64), %8:iid(s64) = G_SADDO %6:iid, %9:iid'
LONG = 'fatal error: error in backend: unable to legalize instruction: %1:_(s16), %2:_(s16) = G_UNMERGE_VALUES %3:vfid(<24 x s16>)'


def main():
    clang = shutil.which('clang-22')
    if clang is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        source, calls = t.path('k.cl', SOURCE), t.path('calls')

        def run(condition, error=ERROR, options=''):
            """How `heddle compile` ends if the compiler gives up in this case, what it says, and how often it began."""
            compiler = t.path('compiler', f'#!/bin/sh\necho >>{calls}\nif {condition}; then echo "{error}" >&2; exit 1; fi\n'
                              f'exec {clang} "$@"\n')
            os.chmod(compiler, 0o755)
            open(calls, 'w').close()
            env = dict(os.environ, HEDDLE_CACHE='0', HEDDLE_CLANG=compiler)
            p = subprocess.run([t.heddle, 'compile', *options.split(), source, '-o', t.path('k.spv')], env=env, capture_output=True, text=True,
                               timeout=120)
            return p.returncode, p.stdout + p.stderr, os.path.getsize(calls)

        usual = run('false')
        t.check(usual[0] == 0, f'a compiler that does not give up: {usual}')
        code, text, count = run('case " $* " in *" -O0 "*) false;; *) true;; esac')
        t.check(code == 0 and 'backend' not in text, f'compiled without optimisation: {code} {text}')
        t.check(count == usual[2] + 1, f'in one more step: {count}')
        for option in '-cl-opt-disable', '-cl-opt-disable -g':
            usual = run('false', options=option)
            code, text, count = run('case " $* " in *" -O1 "*) false;; *) true;; esac', options=option)
            t.check(code == 0 and 'backend' not in text, f'compiled with optimisation, {option}: {code} {text}')
            t.check(count <= usual[2] + 2, f'in one more attempt: {count} {usual}')
        # It stops at checked arithmetic on signed numbers: Heddle takes LLVM's text and makes functions of it. (The
        # operation here is unsigned, which clang 22.1 compiles.)
        with open(source, 'w') as f:
            f.write('kernel void k(global uint *a) { uint s; a[1] = __builtin_add_overflow(a[0], 5u, &s); a[2] = s; }\n')
        code, text, count = run('case " $* " in *" -emit-llvm "*) false;; *" -x ir "*) false;; *) true;; esac', CHECKED)
        t.check(code == 0 and 'backend' not in text, f'checked arithmetic by way of text: {code} {text} {count}')
        t.path('k.cl', SOURCE)
        code, text, count = run('true')
        t.check(code == 3 and 'error in backend' in text, f'what fails either way is told: {code} {text}')
        t.check(text.count('error in backend') == 1 and count == 2, f'once: {count} {text}')
        code, text, count = run('true', LONG)
        t.check(code == 3 and 'An array in their place does' in text, f'what to write instead of long vectors: {code} {text}')
        # It crashes, and the text of the module has a cycle, or none: the names of the cycle replace what it said.
        for variables, expected in (('@a = constant ptr @"b c"\n@"b c" = constant { i32, ptr } { i32 1, ptr @a }\n@d = constant ptr @a\n', True),
                                    ('@a = constant ptr @b\n@b = constant i32 1\n@c = constant [2 x ptr] [ptr @a, ptr @b]\n', False)):
            text_file = t.path('text.ll', variables)
            compiler = t.path('compiler', f"""#!/bin/sh
case " $* " in *" -emit-llvm "*) ;; *) kill -SEGV $$;; esac
while [ $# -gt 0 ]; do
    if [ "$1" = -o ]; then cat {text_file} >"$2"; fi
    shift
done
""")
            os.chmod(compiler, 0o755)
            env = dict(os.environ, HEDDLE_CACHE='0', HEDDLE_CLANG=compiler)
            p = subprocess.run([t.heddle, 'info', source], env=env, capture_output=True, text=True, timeout=120)
            t.check(p.returncode == 3 and ('point to themselves: a, in "b c".' in p.stderr) == expected and
                    ('crashed (signal 11)' in p.stderr) != expected, f'a cycle, {expected}: {p.returncode} {p.stderr}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
