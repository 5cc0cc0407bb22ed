#!/usr/bin/env python3
"""Which way OpenCL C takes to a module: the compiler's own SPIR-V back end, or a translator of LLVM IR where the compiler
has no such back end, or one that lacks extensions. [--build FOLDER]

The compilers are stand-ins: clang-22 behind scripts that refuse what an older clang refuses. A second part has a real one
without the back end, clang-15, and llvm-spirv-15. Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402
import served  # noqa: E402

SOURCE = '''kernel void k(global float *y, global const float *x, float a)
{
    size_t i = get_global_id(0);

    y[i] = a * x[i] + y[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    y[i] += sub_group_reduce_add(x[i]);
}
'''
RESULT = 'f32[4] = 7, 7.5, 8, 8.5'
NO_OPTION = "clang (LLVM option parsing): Unknown command line argument '--spirv-ext=+SPV_A'.  Try: 'clang -help'"
NO_TARGET = "error: unable to create target: 'No available targets are compatible with triple \"spirv64\"'"
UNKNOWN = 'clang (LLVM option parsing): for the --spirv-ext option: Unknown SPIR-V extension: '


ARGUMENTS = ('--global', '4', '--arg', 'f32[4]=fill:1', '--arg', 'f32[4]=range', '--arg', 'f32=0.5')


def heddle(t, *args, **env):
    """The command's exit code and all that it says."""
    p = served.run([t.heddle, *args], capture_output=True, text=True, timeout=300, env=dict(os.environ, **env))
    return p.returncode, p.stdout + p.stderr


def shown(calls):
    return [c[:60] for c in calls]


def script(t, name, lines):
    path = t.path(name, '#!/bin/sh\n' + lines)
    os.chmod(path, 0o755)
    return path


class Case:
    """A folder with the source, a log of what was run, and one environment per compiler."""

    def __init__(self, t, clang):
        self.t, self.clang, self.calls = t, clang, t.path('calls')
        self.source = t.path('k.cl', SOURCE)
        # A translator that takes what the stand-in left: a module, by another name.
        self.translator = script(t, 'llvm-spirv-77', f'echo "translator $*" >>{self.calls}\n'
                                 'while [ $# -gt 0 ]; do case $1 in -o) shift; out=$1;; -*) ;; *) in=$1;; esac; shift; done\n'
                                 'cp "$in" "$out"\n')

    def compiler(self, refuses, name='clang-77'):
        """A clang that fails where refuses (lines of shell) says so. Asked for LLVM IR it makes a module, all the same."""
        return script(self.t, name, f'echo "clang $*" >>{self.calls}\n{refuses}\n'
                      'case " $* " in *" -S "*) ;; *" -emit-llvm "*)\n'
                      '  for a; do shift; [ "$a" = -emit-llvm ] || set -- "$@" "$a"; done;; esac\n'
                      f'exec {self.clang} "$@"\n')

    def run(self, compiler, source=None, **env):
        open(self.calls, 'w').close()
        env = {'HEDDLE_CACHE': '0', 'HEDDLE_CLANG': compiler, **env}
        code, text = heddle(self.t, 'run', source or self.source, 'k', '--cl', '-cl-std=CL3.0', *ARGUMENTS, **env)
        with open(self.calls) as f:
            return code, text, f.read().splitlines()


def refuses_option(error):
    return f'case " $* " in *" --spirv-ext="*) echo "{error}" >&2; exit 1;; esac'


def refuses_extension(*names):
    return '\n'.join(f'case "$*" in *+{n}*) echo "{UNKNOWN}+{n}" >&2; exit 1;; esac' for n in names)


def test_stand_ins(t, clang):
    c = Case(t, clang)
    translator = {'HEDDLE_TRANSLATOR': c.translator}
    code, text, calls = c.run(c.compiler(''), **translator)
    t.check(code == 0 and RESULT in text, f'its own back end: {code} {text}')
    t.check(len(calls) == 1, f'no step more: {shown(calls)}')
    for error in (NO_OPTION, NO_TARGET):
        # NO_TARGET: the option is known, and the target is not.
        code, text, calls = c.run(c.compiler(refuses_option(error.replace('"', '\\"'))), **translator)
        t.check(code == 0 and RESULT in text and error not in text, f'the translator: {code} {text}')
        t.check([w.split()[0] for w in calls] == ['clang', 'clang', 'translator'], f'three steps: {shown(calls)}')
        t.check('--spirv-ext' not in calls[1] and '-emit-llvm' in calls[1], f'LLVM IR, without its options: {calls[1][:200]}')
    code, text, calls = c.run(c.compiler(refuses_extension('SPV_INTEL_subgroups')), **translator)
    t.check(code == 0 and RESULT in text and calls[-1].startswith('translator'), f'a back end that lacks one: {code} {text} {shown(calls)}')
    # Without a translator it goes on without the extensions.
    old = c.compiler(refuses_extension('SPV_INTEL_subgroups', 'SPV_ALTERA_arbitrary_precision_integers', 'SPV_KHR_linkonce_odr'))
    code, text, calls = c.run(old, HEDDLE_TRANSLATOR='')
    t.check(code == 0 and RESULT in text and 'Unknown' not in text, f'extensions left out: {code} {text}')
    # clang-22 itself does not know the older name of one, which comes in place of the newer.
    t.check(len(calls) == 5, f'once for each that it does not know: {len(calls)}')
    t.check('+SPV_INTEL_subgroups' not in calls[-1] and '+SPV_KHR_shader_clock' in calls[-1], 'only those are left out')
    t.check('+SPV_INTEL_arbitrary_precision_integers' in calls[-2], 'the older name of one')
    code, text, calls = c.run(c.compiler(refuses_option(NO_OPTION)), HEDDLE_TRANSLATOR='')
    t.check(code == 3 and 'has no SPIR-V back end' in text and 'llvm-spirv' in text and len(calls) == 1, f'none: {code} {text} {shown(calls)}')
    # The translator is found by the compiler's version, on the path.
    code, text, calls = c.run(c.compiler(refuses_option(NO_OPTION)), PATH=os.path.dirname(c.translator) + ':' + os.environ['PATH'])
    t.check(code == 0 and calls[-1].startswith('translator'), f'found by version: {code} {text} {shown(calls)}')
    # Errors of the source are the source's, and come once.
    wrong = t.path('wrong.cl', 'kernel void k(global float *y) { y[0] = nothing; }\n')
    code, text, calls = c.run(c.compiler(refuses_option(NO_OPTION)), source=wrong, **translator)
    t.check(code == 1 and text.count('undeclared identifier') == 1 and len(calls) == 2, f'a wrong source: {code} {text} {shown(calls)}')
    # A translator that fails is named.
    bad = script(t, 'bad', 'echo "InvalidModule: no such thing" >&2\nexit 1\n')
    code, text, calls = c.run(c.compiler(refuses_option(NO_OPTION)), HEDDLE_TRANSLATOR=bad)
    t.check(code != 0 and 'InvalidModule' in text, f'a translator that fails: {code} {text}')
    # What it says of integers of odd widths, which optimisation made, is a reason to do without.
    bad = script(t, 'narrow', f'if grep -q NARROW {c.calls}; then exec {c.translator} "$@"; fi\necho NARROW >>{c.calls}\n'
                 'echo "InvalidBitWidth: Invalid bit width in input: 4" >&2\nexit 3\n')
    code, text, calls = c.run(c.compiler(refuses_option(NO_OPTION)), HEDDLE_TRANSLATOR=bad)
    t.check(code == 0 and RESULT in text and ' -O0 ' in calls[-2], f'without optimisation: {code} {text} {shown(calls)}')
    # An older clang has no option for names, which it keeps.
    old = c.compiler("case \" $* \" in *spirv-emit-op-names*) echo \"clang (LLVM option parsing): Unknown command line argument"
                     " '--spirv-emit-op-names'.\" >&2; exit 1;; esac")
    lines = t.path('lines.cl', SOURCE)
    code, text = heddle(t, 'run', lines, 'k', '--cl', '-cl-std=CL3.0 -g', *ARGUMENTS, HEDDLE_CACHE='0', HEDDLE_CLANG=old)
    t.check(code == 0 and RESULT in text, f'names: {code} {text}')
    # What a source says itself is no reason to look for another way.
    for said in ('unable to create target', "clang (LLVM option parsing): Unknown command line argument '--spirv-ext="):
        code, text, calls = c.run(c.compiler(''), source=t.path('says.cl', f'#error {said}\n'), **translator)
        t.check(code == 1 and said in text and len(calls) == 1, f'the source says: {code} {text} {shown(calls)}')
    lost = script(t, 'lost', 'echo "$0: error while loading shared libraries: libLLVM.so.77: no such file" >&2\nexit 127\n')
    code, text, calls = c.run(lost, **translator)
    t.check(code == 3 and 'cannot be started' in text and 'crashed' not in text, f'a compiler without its library: {code} {text}')


def test_cache(t, clang):
    """A translator of another kind makes another module."""
    c = Case(t, clang)
    compiler = c.compiler(refuses_option(NO_OPTION))
    env = {'HEDDLE_CACHE': '1', 'HEDDLE_CACHE_DIR': t.path('cache'), 'HEDDLE_TRANSLATOR': c.translator}
    code, _, calls = c.run(compiler, **env)
    t.check(code == 0 and len(calls) == 3, f'the first time: {shown(calls)}')
    code, _, calls = c.run(compiler, **env)
    t.check(code == 0 and calls == [], f'from the cache: {shown(calls)}')
    other = t.path('other')
    shutil.copy(c.translator, other)
    code, _, calls = c.run(compiler, **dict(env, HEDDLE_TRANSLATOR=other))
    t.check(code == 0 and len(calls) == 3, f'another translator: {shown(calls)}')


def test_remembered(t, clang):
    """What a compiler lacks is asked once, not in each build."""
    c = Case(t, clang)
    env = {'HEDDLE_CACHE': '1', 'HEDDLE_CACHE_DIR': t.path('ways'), 'HEDDLE_TRANSLATOR': c.translator}
    number = 0

    def another():
        nonlocal number
        number += 1
        return t.path(f'k{number}.cl', SOURCE + f'// {number}\n')

    compiler = c.compiler(refuses_option(NO_OPTION))
    steps = []
    for _ in range(2):
        code, text, calls = c.run(compiler, source=another(), **env)
        steps.append([w.split()[0] for w in calls])
        t.check(code == 0 and RESULT in text, f'by the translator: {code} {text}')
    t.check(steps == [['clang', 'clang', 'translator'], ['clang', 'translator']], f'asked once: {steps}')
    code, text, calls = c.run(compiler, source=another(), **dict(env, HEDDLE_TRANSLATOR=''))
    t.check(code == 3 and 'has no SPIR-V back end' in text, f'without the translator: {code} {text}')
    # The compiler is replaced by one that has a back end.
    compiler = c.compiler('# anew')
    code, text, calls = c.run(compiler, source=another(), **env)
    t.check(code == 0 and RESULT in text and len(calls) == 1, f'another compiler: {code} {text} {shown(calls)}')
    # Extensions that a back end does not know.
    compiler = c.compiler(refuses_extension('SPV_INTEL_subgroups', 'SPV_KHR_linkonce_odr'), name='clang-78')
    counts = []
    for _ in range(2):
        code, text, calls = c.run(compiler, source=another(), **dict(env, HEDDLE_TRANSLATOR=''))
        counts.append(len(calls))
        t.check(code == 0 and RESULT in text and '+SPV_INTEL_subgroups' not in calls[-1], f'left out: {code} {text}')
    t.check(counts == [3, 1], f'asked once for each extension: {counts}')
    # A source with an error decides nothing.
    compiler = c.compiler(refuses_option(NO_OPTION), name='clang-79')
    wrong = t.path('wrong.cl', 'kernel void k(global float *y) { y[0] = nothing; }\n')
    for _ in range(2):
        code, text, calls = c.run(compiler, source=wrong, **env)
        t.check(code == 1 and len(calls) == 2, f'a wrong source: {code} {text} {shown(calls)}')


def test_real(t):
    """clang-15 of Debian has no SPIR-V back end."""
    if shutil.which('clang-15') is None or shutil.which('llvm-spirv-15') is None:
        t.skipped += 1
        return
    env = {'HEDDLE_CACHE': '0', 'HEDDLE_CLANG': 'clang-15', 'HEDDLE_TRANSLATOR': 'llvm-spirv-15'}
    source = t.path('k.cl', SOURCE)
    for options in ('-cl-std=CL3.0', '-cl-std=CL3.0 -cl-opt-disable', '-cl-std=CL3.0 -g', '-cl-std=CL2.0 -cl-kernel-arg-info'):
        code, text = heddle(t, 'run', source, 'k', '--cl', options, *ARGUMENTS, **env)
        t.check(code == 0 and RESULT in text, f'clang-15 {options}: {code} {text}')
    code, text = heddle(t, 'check', source, 'k', '--cl', '-cl-std=CL3.0', '--global', '4', '--arg', 'f32[4]=fill:1', '--arg', 'null',
                        '--arg', 'f32=0.5', **env)
    t.check(code == 1 and 'k.cl:5' in text and 'check.null' in text, f'clang-15: a finding has its line: {text}')


def main():
    clang = shutil.which('clang-22')
    if clang is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        test_stand_ins(t, clang)
        test_cache(t, clang)
        test_remembered(t, clang)
        test_real(t)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
