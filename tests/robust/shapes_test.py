#!/usr/bin/env python3
"""Kernels with very many of one thing: memory stays in proportion, and compiled code gives what the interpreter gives.

  tests/robust/shapes_test.py [--build FOLDER]

Each shape is compiled and run at one lane and at sixteen, in a process whose peak memory is looked at: what grows with the
square of a shape's size takes gigabytes at these sizes. The processor time of some is looked at for a fourth of the size, too.
SPDX-License-Identifier: MIT
"""
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

MOST_MIB = 400
MOST_SECONDS = 300  # of processor time: so that nothing hangs
ITEMS = 16

HEAD = """OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %gid Constant
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u64 3
%in = OpTypePointer Input %v3
%gid = OpVariable %in Input
%global = OpTypePointer CrossWorkgroup %u32
%local = OpTypePointer Function %u32
%kernel = OpTypeFunction %void %global
%function = OpTypeFunction %u32 %u32
"""
BEGIN = """%ids = OpLoad %v3 %gid
%id = OpCompositeExtract %u64 %ids 0
%at = OpInBoundsPtrAccessChain %global %buffer %id
%x = OpLoad %u32 %at Aligned 4
"""


def constants(count):
    return ''.join('%%c%d = OpConstant %%u32 %d\n' % (i, i) for i in range(count))


def module(body, count, types='', variables='', functions=''):
    """A kernel that has %at, a pointer to its own element, and %x, what was there; %c0 .. are constants."""
    return (HEAD + constants(count) + types + '%k = OpFunction %void None %kernel\n%buffer = OpFunctionParameter %global\n' +
            '%entry = OpLabel\n' + variables + BEGIN + body + 'OpReturn\nOpFunctionEnd\n' + functions)


def each(n, text):
    """text.format(i=…, j=i + 1) for i = 0 .. n - 1."""
    return ''.join(text.format(i=i, j=i + 1) for i in range(n))


def add_up(n, name):
    """The exclusive or of n values, stored."""
    return ('%s0 = OpCopyObject %u32 %x\n' + each(n, '%s{j} = OpBitwiseXor %u32 %s{i} %' + name + '{i}\n') +
            'OpStore %%at %%s%d Aligned 4\n' % n)


def calls(n):
    return module(each(n, '%r{i} = OpFunctionCall %u32 %f %x\n') + add_up(n, 'r'), 2,
                  functions='%f = OpFunction %u32 None %function\n%p = OpFunctionParameter %u32\n%fl = OpLabel\n'
                            '%fr = OpIMul %u32 %p %p\nOpReturnValue %fr\nOpFunctionEnd\n')


def calls_with_variables(n):
    return module(each(n, '%r{i} = OpFunctionCall %u32 %f %x\n') + add_up(n, 'r'), 2,
                  functions='%f = OpFunction %u32 None %function\n%p = OpFunctionParameter %u32\n%fl = OpLabel\n'
                            '%var = OpVariable %local Function\nOpStore %var %p Volatile|Aligned 4\n'
                            '%fr = OpLoad %u32 %var Volatile|Aligned 4\nOpReturnValue %fr\nOpFunctionEnd\n')


def ladder(n):
    """Both sides of each branch hand on a value."""
    return module('%l0 = OpCopyObject %u32 %x\n' +
                  each(n, '%t{i} = OpULessThan %bool %l{i} %c{i}\nOpSelectionMerge %m{i} None\n'
                          'OpBranchConditional %t{i} %y{i} %n{i}\n%y{i} = OpLabel\n%a{i} = OpIMul %u32 %l{i} %c3\n'
                          'OpStore %at %a{i} Aligned 4\nOpBranch %m{i}\n%n{i} = OpLabel\n%b{i} = OpIAdd %u32 %l{i} %c7\n'
                          'OpBranch %m{i}\n%m{i} = OpLabel\n%l{j} = OpPhi %u32 %a{i} %y{i} %b{i} %n{i}\n') +
                  'OpStore %%at %%l%d Aligned 4\n' % n, n + 8)


def nested(n):
    return module(each(n, '%q{i} = OpBitwiseAnd %u32 %x %c{i}\n%t{i} = OpIEqual %bool %q{i} %c0\n'
                          'OpSelectionMerge %m{i} None\nOpBranchConditional %t{i} %y{i} %m{i}\n%y{i} = OpLabel\n'
                          'OpStore %at %c{i} Aligned 4\n') +
                  ''.join('OpBranch %%m%d\n%%m%d = OpLabel\n' % (i, i) for i in reversed(range(n))), n)


def loop(i, before, inside, bound='x'):
    """Begins behind the block `before`."""
    return ('OpBranch %h{i}\n%h{i} = OpLabel\n%n{i} = OpPhi %u32 %c0 %{before} %o{i} %z{i}\n'
            '%t{i} = OpULessThan %bool %n{i} %{bound}\nOpLoopMerge %e{i} %z{i} None\nOpBranchConditional %t{i} %b{i} %e{i}\n'
            '%b{i} = OpLabel\n{inside}OpBranch %z{i}\n%z{i} = OpLabel\n%o{i} = OpIAdd %u32 %n{i} %c1\nOpBranch %h{i}\n'
            '%e{i} = OpLabel\n').format(i=i, before=before, inside=inside, bound=bound)


def loops(n):
    return module(''.join(loop(i, 'e%d' % (i - 1) if i else 'entry', 'OpStore %%at %%n%d Aligned 4\n' % i) for i in range(n)), 2)


def nested_loops(n):
    inside = 'OpStore %at %c3 Aligned 4\n'
    for i in reversed(range(n)):
        inside = loop(i, 'b%d' % (i - 1) if i else 'entry', inside, 'c2')
    return module(inside, 4)


def left_loop(n):
    """One loop that is left at n places."""
    return module('OpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %c0 %entry %o %z\nOpLoopMerge %e %z None\nOpBranch %b0\n'
                  '%b0 = OpLabel\n' +
                  each(n, '%q{i} = OpIAdd %u32 %n %c{j}\n%t{i} = OpUGreaterThan %bool %q{i} %x\n'
                          'OpBranchConditional %t{i} %e %b{j}\n%b{j} = OpLabel\n') +
                  'OpBranch %z\n%z = OpLabel\n%o = OpIAdd %u32 %n %c1\nOpBranch %h\n%e = OpLabel\nOpStore %at %n Aligned 4\n',
                  n + 1)


def switch(n, falls=False):
    return module('OpSelectionMerge %m None\nOpSwitch %x %m ' + each(n, '{i} %y{i} ') + '\n' +
                  each(n - 1, '%y{i} = OpLabel\n%a{i} = OpLoad %u32 %at Aligned 4\n%b{i} = OpIMul %u32 %a{i} %c{j}\n'
                              'OpStore %at %b{i} Aligned 4\nOpBranch %' + ('y{j}' if falls else 'm') + '\n') +
                  '%%y%d = OpLabel\nOpBranch %%m\n%%m = OpLabel\n' % (n - 1), n + 1)


def switch_of_values(n):
    return module('OpSelectionMerge %m None\nOpSwitch %x %d ' + each(n, '{i} %y{i} ') + '\n%d = OpLabel\nOpBranch %m\n' +
                  each(n, '%y{i} = OpLabel\n%a{i} = OpIMul %u32 %x %c{j}\nOpBranch %m\n') +
                  '%m = OpLabel\n%r = OpPhi %u32 %c0 %d ' + each(n, '%a{i} %y{i} ') + '\nOpStore %at %r Aligned 4\n', n + 1)


def returns(n):
    return module(each(n, '%t{i} = OpIEqual %bool %x %c{i}\nOpBranchConditional %t{i} %y{i} %m{i}\n%y{i} = OpLabel\n'
                          'OpStore %at %c{j} Aligned 4\nOpReturn\n%m{i} = OpLabel\n'), n + 1)


def variables(n):
    return module(each(n, 'OpStore %w{i} %x Volatile|Aligned 4\n') +
                  each(n, '%r{i} = OpLoad %u32 %w{i} Volatile|Aligned 4\n') + add_up(n, 'r'), 1,
                  variables=each(n, '%w{i} = OpVariable %local Function\n'))


def carried(n):
    """A loop that hands on n values."""
    return module('OpBranch %h\n%h = OpLabel\n' +
                  ''.join('%%n%d = OpPhi %%u32 %%c%d %%entry %%o%d %%z\n' % (i, i % 5, i) for i in range(n)) +
                  '%t = OpULessThan %bool %n0 %x\nOpLoopMerge %e %z None\nOpBranchConditional %t %z %e\n%z = OpLabel\n' +
                  '%o0 = OpIAdd %u32 %n0 %c1\n' + ''.join('%%o%d = OpBitwiseXor %%u32 %%n%d %%n%d\n' % (i, i, i - 1) for i in range(1, n)) +
                  'OpBranch %h\n%e = OpLabel\n' + add_up(n, 'n'), 5)


def barriers(n):
    return module(each(n, '%r{i} = OpLoad %u32 %at Aligned 4\nOpControlBarrier %c2 %c2 %c528\n%q{i} = OpIAdd %u32 %r{i} %c1\n'
                          'OpStore %at %q{i} Aligned 4\n') + add_up(n, 'r'), 529)


def members(n):
    """A structure made member by member, and taken apart."""
    return module('%w0 = OpUndef %struct\n' + each(n, '%w{j} = OpCompositeInsert %struct %x %w{i} {i}\n') +
                  each(n, '%%r{i} = OpCompositeExtract %%u32 %%w%d {i}\n' % n) + add_up(n, 'r'), 1,
                  '%struct = OpTypeStruct ' + '%u32 ' * n + '\n')


def array(n):
    """An array loaded and stored whole."""
    return module('%%w0 = OpLoad %%array %%v Aligned 4\n%%w1 = OpCompositeInsert %%array %%x %%w0 %d\nOpStore %%v %%w1 Aligned 4\n'
                  '%%q = OpInBoundsAccessChain %%local %%v %%c%d\n%%r = OpLoad %%u32 %%q Aligned 4\nOpStore %%at %%r Aligned 4\n'
                  % (n // 2, n // 2), n + 1,
                  '%%array = OpTypeArray %%u32 %%c%d\n%%pa = OpTypePointer Function %%array\n%%zeros = OpConstantNull %%array\n' % n,
                  '%v = OpVariable %pa Function %zeros\n')


def irreducible(n):
    """Pairs of blocks that lead to each other, and are entered at both."""
    return module(each(n, '%t{i} = OpULessThan %bool %x %c{i}\nOpBranchConditional %t{i} %y{i} %n{i}\n'
                          '%y{i} = OpLabel\n%a{i} = OpLoad %u32 %at Volatile|Aligned 4\n%d{i} = OpIAdd %u32 %a{i} %c1\n'
                          'OpStore %at %d{i} Aligned 4\n%s{i} = OpUGreaterThan %bool %d{i} %c7\n'
                          'OpBranchConditional %s{i} %m{i} %n{i}\n'
                          '%n{i} = OpLabel\n%b{i} = OpLoad %u32 %at Volatile|Aligned 4\n%f{i} = OpIAdd %u32 %b{i} %c1\n'
                          'OpStore %at %f{i} Aligned 4\n%w{i} = OpUGreaterThan %bool %f{i} %c7\n'
                          'OpBranchConditional %w{i} %m{i} %y{i}\n%m{i} = OpLabel\n'), n + 8)


SHAPES = [('calls', calls, 16000), ('calls with variables', calls_with_variables, 2000), ('ladder of branches', ladder, 400),
          ('nested branches', nested, 1000), ('loops', loops, 300), ('nested loops', nested_loops, 12),
          ('loop left at many places', left_loop, 300), ('switch', switch, 500),
          ('switch that falls through', lambda n: switch(n, True), 500), ('switch of values', switch_of_values, 500),
          ('returns', returns, 500), ('variables', variables, 1000), ('values carried round', carried, 500),
          ('barriers', barriers, 200), ('members', members, 500), ('array', array, 500), ('irreducible', irreducible, 40)]

# At so many lanes a shape takes at most so many times what a fourth of it takes (here 8 times; it was 16, in scalar evolution).
GROWTH = [('loops', loops, 1200, '1', 12)]


def run(heddle, module_path, *extra):
    """What the kernel left, or what went wrong; the peak of memory in MiB, and the processor time in seconds."""
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen([heddle, 'run', module_path, 'k', '--global', str(ITEMS), '--arg', 'u32[%d]=range' % ITEMS, *extra],
                             stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ, HEDDLE_CACHE='0'),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS)))
        status, used = os.wait4(p.pid, 0)[1:]
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode('utf-8', 'replace')
    return text if p.returncode == 0 else 'exit %d: %s' % (p.returncode, text), used.ru_maxrss // 1024, used.ru_utime


def best_time(t, text, width):
    """The least processor time of three runs."""
    words = t.path('shape.spv')
    t.run('as', t.path('shape.spvasm', text), '-o', words)
    return min(run(t.heddle, words, '--width', width)[2] for _ in range(3))


def check_growth(t):
    for name, shape, n, width, most in GROWTH:
        start = best_time(t, module('', 1), width)
        part = best_time(t, shape(n // 4), width) - start
        grown = (best_time(t, shape(n), width) - start) / max(part, 0.01)
        t.check(grown < most, '%s at %s lanes: four times the size takes %.1f times as long' % (name, width, grown))
        if t.verbose:
            print('%-28s %2s %4.1f times' % (name, width, grown))


def main():
    with harness.Tool() as t:
        for name, shape, n in SHAPES:
            words = t.path('shape.spv')
            made = t.run('as', t.path('shape.spvasm', shape(n)), '-o', words)
            want = run(t.heddle, words, '--engine', 'interpreted')[0]
            t.check(made[0] == 0 and want.startswith('arg 0'), '%s: %s%s' % (name, made[2], want))
            for width in ('1', '16'):
                got, mib = run(t.heddle, words, '--width', width)[:2]
                t.check(got == want, '%s at %s lanes: %s instead of %s' % (name, width, got, want))
                t.check(mib < MOST_MIB, '%s at %s lanes takes %d MiB' % (name, width, mib))
                if t.verbose:
                    print('%-28s %2s %4d MiB' % (name, width, mib))
        check_growth(t)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
