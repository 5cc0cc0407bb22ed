#!/usr/bin/env python3
"""Does `heddle debug` stop where it should and show what is there?

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, shutil, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
heddle = os.path.abspath(parser.parse_args().build + '/heddle')
here = os.path.dirname(os.path.abspath(__file__))
counts = {True: 0, False: 0}
skipped = 0
SUMS = ['sums.cl', 'sums', '--global', '8', '--local', '4', '--arg', 'f32[8]', '--arg', 'f32[8]=range', '--arg', 'i32=8',
        '--arg', 'local[16]']
ASM = ['script.spvasm', '--global', '4', '--arg', 'u32[4]']


def debug(args, script, *more, cwd=here):
    """What a session with these commands says."""
    done = subprocess.run([heddle, 'debug', *args, *more], input='\n'.join(script) + '\n', cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120)
    return done.stdout, done.returncode


def check(what, text, *wanted, absent=()):
    """The wanted lines come in this order, the absent ones nowhere."""
    at, good = 0, True
    for w in wanted:
        m = re.compile(w, re.M).search(text, at)
        good = good and m is not None
        at = m.end() if m else at
    for a in absent:
        good = good and re.search(a, text) is None
    counts[good] += 1
    if not good:
        print('failed: %s; wanted %s, not %s in\n%s' % (what, wanted, absent, text))


def with_source():
    text, code = debug(SUMS, ['break 20', 'run', 'info locals', 'info args', 'print part[0]@4', 'print in[1]', 'print p.m1[2] * 2 + 1',
                              'whatis in', 'backtrace', 'delete', 'continue'])
    check('stop at a line', text, 'breakpoint 1 at sums.cl:20', r'work-item \(0, 0, 0\) and 3 more', 'sums at sums.cl:20',
          r'i = 0', r'p = \{\w+ = 0, \w+ = \{1, 2, 3\}\}', 'j = <no value>', "out = 0x.* <buffer 0 'out' \\+ 0>", r'= \{0, 1, 2, 3\}',
          r'in\[1\] = 1', r'= 7', r'float \*', r'\* #0 sums at sums.cl:20', 'the kernel has ended')
    counts[code == 0] += 1

    text, _ = debug(SUMS, [], '--batch', '-ex', 'break 20', '-ex', 'run', '-ex', 'call i + 1', '-ex', 'print i = 3', '-ex', 'undisplay 4',
                    '-ex', 'defects maybe', '-ex', 'help')
    check('words of gdb; wrong ones', text, r'i \+ 1 = 1', '`set NAME = VALUE` changes one', 'there is no display 4',
          "defects takes on or off, not 'maybe'", absent=['i = 3', 'stop the run'])
    places = {re.search('  +', line).end() for line in text.splitlines() if re.match(r'(run|delete|print|item|x|quit) .*  ', line)}
    counts[len(places) == 1] += 1

    # Values as a C compiler computes them; shifts as OpenCL C has them.
    values = {'a >> 1': -4, 'e >> 1': -1, 'c >> 1': -2, 'b >> 1': 2147483647, 'd >> 1': 9223372036854775807, 'a << 33': -16,
              'd / 2': 9223372036854775807, 'd % 10': 5, 'd > 1': 1, 'a < b': 1, 'c < d': 1, 'e < f': 1, 'a / 2': -4, 'b + 1': 0,
              '5 - b': 6, '~b': 0, '~f': -251, '-b': 1, '-a': 8, 'f + f': 500, 'a * 2147483647': 8, 'c * 4294967296': -12884901888,
              'sizeof (e + e)': 4, 'sizeof (a + c)': 8, '1 << 40': 1099511627776, '7 / 2': 3, '(int)g': -1, '(int)-g': 0,
              'g * 2': '2e+30', '-g': '-1e+30', 'sqrt(2.0f)': '1.4142135', 'sqrt(2.0)': '1.4142135623730951', 'g * 0.5 < g': 1,
              'a / (b + 1)': 'a division by zero', 'c / 0': 'a division by zero', '&out[3] - out': 3, 'out - &out[3]': -3, '*(out + 1 - 1)': 0, 'out + 1 > out': 1}
    values = {e: v if e.startswith(('a / (', 'c / 0')) else f'{e} = {v}' for e, v in values.items()}
    text, _ = debug(['numbers.cl', 'numbers', '--global', '1', '--arg', 'i32[4]', '--arg', 'i32=-8', '--arg', 'u32=4294967295', '--arg', 'i64=-3',
                     '--arg', 'u64=18446744073709551615', '--arg', 'i8=-2', '--arg', 'u8=250', '--arg', 'f32=1e30'],
                    ['break 6', 'run', *(f'print {e}' for e in values)])
    check('arithmetic', text, *('^' + re.escape(v) + '$' for v in values.values()))

    text, _ = debug(['numbers.cl', 'swizzles', '--global', '1', '--arg', 'i32x8[1]=range'], ['break 16', 'run', 'print v.s31', 'print v.even', 'print v.odd.hi',
                    'print v.lo.yx', 'print v.hi', 'print w.hi', 'print w.lo', 'print v.sf', 'print v.s0123.wzyx.s10', 'print v.S7', 'set v.hi = v.lo', 'print v',
                    'set v.even = v.odd', 'set v.lo = v.s7531', 'print v.lo', 'quit'])
    check('components of vectors', text, r'v.s31 = \(3, 1\)', r'v.even = \(0, 2, 4, 6\)', r'v.odd.hi = \(5, 7\)', r'v.lo.yx = \(1, 0\)', r'v.hi = \(4, 5, 6, 7\)',
          "no component 'hi'", r'w.lo = \(0, 1\)', "no component 'sf'", r'v.s0123.wzyx.s10 = \(2, 3\)', 'v.S7 = 7', r'v = \(0, 1, 2, 3, 0, 1, 2, 3\)',
          'do not lie beside each other', r'v.lo = \(3, 1, 3, 1\)')

    text, _ = debug(SUMS, ['break twice if $gid.x == 2', 'run', 'print x', 'print i', 'backtrace', 'finish', 'print j', 'next', 'next',
                           'print sum', 'item 3', 'print sum', 'item 6', 'up', 'quit'])
    check('conditions, calls, other work-items', text, r'breakpoint 1, work-item \(2, 0, 0\)\n', 'twice at sums.cl:8', 'x = 2', 'i = 0',
          r'#0 twice', r'#1 sums at sums.cl:21', r'21\t', 'j = 0', r'20\t', r'21\t', 'sum = 5', r'work-item \(3, 0, 0\), local \(3, 0, 0\)',
          'sum = 7', 'not in the work-group that runs', 'there is no frame 1')

    text, _ = debug(SUMS, ['break 22 item 5', 'run', 'print $gid.x', 'print $lid.x', 'print $group.x', 'print sum', 'print out[4]',
                           'stepi', 'disassemble', 'quit'])
    check('one work-item of a later group', text, r'breakpoint 1, work-item \(5, 0, 0\)\n', r'\$gid.x = 5', r'\$lid.x = 1', r'\$group.x = 1',
          'sum = 45', r'out\[4\] = 0', '=> .*Op', 'OpFunction')

    text, _ = debug(SUMS, ['start', 'step', 'step', 'step', 'step', 'info items', 'gstep', 'info items', 'tbreak 22', 'continue',
                           'info breakpoints', 'next', 'next', 'quit'])
    check('steps', text, r'sums at sums.cl:14', r'15\t', r'16\t', r'17\t', r'18\t', r'\* \(0, 0, 0\) … \(3, 0, 0\): runs in sums at sums.cl:18',
          r'19\t', 'sums at sums.cl:19', 'breakpoint 2, work-item', 'sums at sums.cl:22', 'none', r'23\t', r'24\t')

    text, code = debug(['sums.cl', 'outside', '--global', '8', '--arg', 'i32[8]'], ['run', 'print i', 'info defects', 'continue'])
    check('stop at a defect', text, r'defect: write of 4 bytes .*\[check.out-of-bounds\]', r'work-item \(4, 0, 0\)', 'outside at sums.cl:31',
          'i = 4', '1 place', '4 times', 'the kernel has ended')
    counts[code == 1] += 1
    text, _ = debug(['sums.cl', 'outside', '--global', '8', '--arg', 'i32[8]'], ['defects off', 'run'])
    check('defects are noted only', text, 'only noted', 'check.out-of-bounds', 'the kernel has ended', absent=[r'defect: write'])

    text, _ = debug(SUMS, ['break 20', 'run', 'x/4w part', 'print &part[1]', 'print *(uint *)&part[1]', 'print/x *(uint *)&part[1]',
                           'print nothing', 'print part[', 'print (1 + 2) * 3 == 9 && !0', 'frobnicate', 'run', 'info breakpoints', 'quit'])
    check('memory, casts, mistakes', text, r': 0x0 0x3f800000 0x40000000 0x40400000', r'= 0x.*<local memory \+ 4>', r'= 1065353216',
          r'= 0x3f800000', "there is no variable 'nothing'", 'a value is missing', '= 1', "no command 'frobnicate'",
          r'breakpoint 1, work-item \(0, 0, 0\)', 'hit 2 times')

    text, _ = debug(SUMS, ['break 20', 'run', 'set sum = 100', 'set p.m1[2] = p.m1[2] * 2', 'item 1', 'set var part[2] = -1', 'set n=3',
                           'set 3 = 4', 'set i', 'set p = 3', 'print sum', 'set j = 2.9', 'delete', 'continue'])
    check('variables are set', text, 'sum = 100', r'p.m1\[2\] = 6', r'work-item \(1, 0, 0\)', r'part\[2\] = -1', 'n = 3', 'this is not a place',
          'set what', 'only numbers, pointers and values of the same type', 'sum = 0', 'j = 2', r'arg 0: f32\[8\] = 112, 15, 13, 17', 'the kernel has ended')
    text, _ = debug(ASM, ['break *%sum', 'run', 'stepi', 'set %sum = 77', 'print %sum', 'delete', 'continue'])
    check('an id is set', text, '%sum = 77', '%sum = 77', r'arg 0: u32\[4\] = 77, 4')

    text, code = debug(SUMS, ['prnit sum', 'run'])
    check('a command that is misspelt', text, r"there is no command 'prnit'; did you mean print\? `help` shows all", 'the kernel has ended')
    counts[code == 2] += 1

    text, _ = debug(SUMS, ['break 99', 'break nowhere', 'break other.cl:3', 'next', 'help', 'help break'])
    check('what is not there', text, 'no code at', "no code at 'nowhere'", "no code comes from a file 'other.cl'", 'the kernel is not running',
          r'backtrace +\(?', r'break WHERE \[item X,Y,Z\] \[if EXPR\]')

    with tempfile.NamedTemporaryFile('w', suffix='.txt') as script:
        script.write('# a script\nbreak 22\nrun\n')
        script.flush()
        text, _ = debug(SUMS, [], '--command', 'break 20', '-x', script.name, '--batch')
        check('commands and scripts', text, 'breakpoint 1 at', 'breakpoint 2 at', r'breakpoint 1, work-item')


def what_changes():
    """Watched memory: who changed it, what it was; memory of a work-group is watched as long as that runs."""
    text, code = debug(SUMS, ['break 20', 'run', 'watch sum', 'watch out[2]', 'watch %no', 'watch 3', 'info breakpoints', 'continue', 'delete 2',
                              'delete 1', 'continue', 'print sum', 'continue'])
    check('memory is watched', text, 'watchpoint 2: sum', r'watchpoint 3: out\[2\]', 'there is no id', 'only memory can be watched', '2 watch sum, hit 0 times',
          'watchpoint 2: sum\n  was 0\n  is  1\nchanged by work-item \\(0, 0, 0\\)', r'watchpoint 3: out\[2\]\n  was 0\n  is  19\nchanged by work-item \(2, 0, 0\)\n',
          r'23\t', 'sum = 19', 'the kernel has ended', absent=['watchpoint 3.*watchpoint 3.*watchpoint 3: out.*was 19'])
    counts[code == 0] += 1
    text, _ = debug(SUMS, ['tbreak 20', 'run', 'watch part[1]', 'disable 2', 'watch p', 'run', 'info breakpoints', 'quit'])
    check('memory of a work-group', text, r'watchpoint 2: part\[1\]', 'watchpoint 3: p', 'the kernel has ended', absent=['hit 1'])
    text, _ = debug(SUMS, ['tbreak 20', 'run', 'watch out[2]', 'condition 2 $gid.x != 2', 'watch out[3]', 'condition 3 $gid.x == 3', 'continue',
                           'info breakpoints', 'quit'])
    check('a condition of watched memory', text, r'watchpoint 3: out\[3\]\n  was 0\n  is  17\nchanged by work-item \(3, 0, 0\)', 'hit 0 times', 'hit 1 time')
    text, _ = debug(SUMS, ['tbreak 20', 'run', 'watch out[2]', 'watch out[1]', 'continue', 'continue', 'continue', 'quit'])
    check('two places of one instruction', text, r'out\[2\]\n  was 0\n  is  19\nchanged by work-item \(2, 0, 0\)',
          r'out\[1\]\n  was 0\n  is  21\nchanged by work-item \(1, 0, 0\)', 'the kernel has ended')
    text, _ = debug(SUMS, ['tbreak 20', 'run', 'watch in', 'watch in[0]', 'ignore 3 1', 'set in[0] = 3', 'stepi', 'set in[0] = 4', 'stepi', 'quit'])
    check('a change by hand', text, 'watchpoint', r'in\[0\] = 3', r'in\[0\] = 4')


def types_and_calls():
    text, code = debug(SUMS, ['break 20', 'run', 'ptype p', 'ptype in', 'ptype float4', 'ptype sum', 'ptype 1', 'print sizeof(p)', 'print sizeof(float4) + 1',
                              'print sizeof p.m1', 'print sqrt(in[2])', 'print sqrt(2.0)', 'print max(3, get_local_id(0)) + clamp(7, 1, 5)',
                              'print get_global_size(0)', 'print fma(in[1], 2, 1)', 'print isnan(sum)', 'print abs(-3)', 'print pow(2, 1, 0)', 'print nofn(1)',
                              'print sqrt(p)', 'print sqrt(', 'break 23 if max(in[i], 2) == 2', 'quit'])
    check('types and calls', text, r'struct Pair \{\n    u?int \w+; /\* at byte 0 \*/\n    float\[3\] \w+; /\* at byte 4 \*/\n\} /\* 16 bytes \*/',
          r'float \*', 'float4', 'float', 'int', r'= 16', r'= 17', r'= 12', r'= 1.4142135\n', r'= 1.414213562373', r'= 8', r'= 8', r'= 3', r'= 0', r'= 3',
          'pow takes 2 arguments', "no built-in function 'nofn'", 'scalars', 'a value is missing', 'breakpoint 2')
    text, _ = debug(SUMS, ['list 1,3', 'list 3,2', 'list 900,901', 'list 4,', 'thread', 'start', 'thread 2', 'print $lid.x', 'thread 1,0,0', 'print $lid.x',
                           'thread 99', 'quit'])
    check('lines and work-items', text, r'1\t// What', r'2\tstruct', r'3\t', 'two lines', 'no more source', r'4\t.*\n5\t.*\n', 'is not running',
          r'work-item \(2, 0, 0\)', r'\$lid.x = 2', r'\$lid.x = 1', 'work-items 0 to 3', absent=[r'\n16\t'])
    text, _ = debug(SUMS, ['break 20', 'run', 'list 18', 'list 19,21', 'x/3f part', 'x/2dw part', 'x/4xb part', 'x/2 part', 'x/2q part', 'quit'])
    check('the mark and formats', text, r'\n20 =>\t', r'\n19\t.*\n20 =>\t.*\n21\t', r': 0 1 2\n', r': 0 1065353216\n', r': 0x0 0x0 0x0 0x0\n',
          r': 0x0 0x3f800000\n', r'x takes a count', absent=[r'18 =>'])
    text, _ = debug(SUMS, ['break 21', 'run', 'info registers', 'info watchpoints', 'info variables', 'info functions', 'display j', 'info display',
                           't 2', 'watch -l part[0]', 'continue 4', 'print i', 'list twice', 'tbreak 23', 'clear 21', 'info breakpoints',
                           'clear twice', 'print/z i', 'display/q i', 'x/2q i', "print 'a'", "print '\\n'", "print 'ab'", 'print p.b', 'help frobnicate',
                           'until nowhere', 'until', 'advance 24', 'until', 'clear', 'clear', 'quit'])
    check('more words of gdb', text, r'%\w+ = ', r'^1 sums.cl:21 at sums.cl:21, hit 1', 'GlobalInvocationId = ', '^info items.*line.frame$', '^1: j = 0', '^1: j$',
          r'^work-item \(2, 0, 0\)', r'^watchpoint 2: part\[0\]', r'^breakpoint 1, work-item \(4, 0, 0\)', '^1: j = 1', '^i = 4', r'^8\t',
          '^breakpoint 3 at sums.cl:23', '^3 sums.cl:23 at sums.cl:23, once, hit 0', '^there is no breakpoint$', 'not by /z', 'not by /q', 'x takes a count',
          "^'a' = 97$", "^'.n' = 10$", "not a character ''ab''", r"^there is no member 'b'; there is \w+, \w+$", "no command 'frobnicate'",
          "no code at 'nowhere'", r'^22\t', '^breakpoint 4 at', '^breakpoint 3, ', r'^23\t', '^breakpoint 4, ', r'^24\t', '^there is no breakpoint$',
          '^there is no breakpoint$', absent=[r'^1 sums.*\n1 sums'])
    text, _ = debug(SUMS, ['start', 'until', 'until', 'until', 'until', 'until', 'until', 'next', 'until', 'until', 'quit'])
    check('until passes the end of a loop', text, r'^20\t', r'^21\t', r'^23\t', absent=[r'^20\t(.*\n)+20\t'])
    text, _ = debug(ASM, ['break *%sum', 'run', 'stepi', 'watch %sum', 'print popcount(7) + mad24(2, 3, 4)', 'quit'])
    check('ids are no memory', text, 'only memory can be watched', '= 13')


def with_debug_info():
    """Variables of OpenCL.DebugInfo.100: names, types, members; also of optimised code."""
    with tempfile.TemporaryDirectory() as folder:
        for level in ('-O0', '-O2'):
            subprocess.run(['clang-15', '-target', 'spir64', '-cl-std=CL3.0', level, '-g', '-emit-llvm', '-c', '-Xclang', '-finclude-default-header',
                            os.path.join(here, 'sums.cl'), '-o', folder + '/sums.bc'], check=True)
            subprocess.run(['llvm-spirv-15', folder + '/sums.bc', '-o', folder + '/sums%s.spv' % level], check=True)
        text, _ = debug([folder + '/sums-O0.spv', *SUMS[1:]], ['break 20', 'run', 'info args', 'info locals', 'print p.b', 'whatis p', 'print in[2]',
                                                             'tbreak twice', 'continue', 'backtrace', 'quit'], cwd=folder)
        check('debug information', text, 'sums.cl:20', 'out = 0x', 'n = 8', 'i = 0', r'p = \{a = 0, b = \{1, 2, 3\}\}', r'= \{1, 2, 3\}', 'struct Pair',
              r'in\[2\] = 2', '#0 twice', '#1 sums at')
        text, _ = debug([folder + '/sums-O2.spv', *SUMS[1:]], ['break twice', 'break 8', 'run', 'backtrace', 'print x', 'up', 'print l', 'quit'], cwd=folder)
        check('inlined calls', text, 'twice at .*sums.cl:8', r'#0 twice .*\(inlined\)', r'#1 sums at .*sums.cl:21', r'x = 0', r'#1 sums', r'l = 0')


text, code = debug(ASM, ['break *%sum', 'run', 'print %out', 'stepi', 'print %sum', 'info ids', 'list', 'continue'])
what_changes()
types_and_calls()
check('assembly', text, r'breakpoint 1 at script.spvasm:27', r'k at script.spvasm:27', '%out = 0x', r'28\t', '%sum = 3', r'28 =>', 'u32.* = 3 4 5 6|3,4,5,6|3, 4, 5, 6')
text, code = debug(ASM, ['break 29 if %sum == 5', 'run', 'print $gid.x', 'next', 'next', 'quit'])
check('lines of assembly', text, r'breakpoint 1, work-item \(2, 0, 0\)', r'\$gid.x = 2', r'30\t')
text, code = debug(['unnamed.spvasm', '--global', '1', '--arg', 'u32[1]'], ['break *%7', 'run', 'print %sum', 'print %20', 'print %3', 'set %sum = 50', 'next',
                                                                        'print %7', 'info ids', 'print %uint_3', 'print %none', 'quit'])
check('ids as the text calls them', text, 'k at unnamed.spvasm:17', '%sum = 23\n', '%20 = 20\n', '%3 = 3\n', '%7 = 47\n', '%sum = 50\n%7 = 47\n', '%uint_3 = 3\n',
      "there is no id '%none'")
text, code = debug(['encoded.spvasm', '--global', '1', '--arg', 'f32[1]'], ['break 4', 'run', 'print x', 'print x + 1', 'print %v', 'quit'])
check('a float of another encoding', text, r'breakpoint 1, work-item', r'x = 1.5\n', r'x \+ 1 = 2.5\n')
if shutil.which('clang-22') is None:
    skipped += 1
else:
    with_source()
if shutil.which('clang-15') is None or shutil.which('llvm-spirv-15') is None:
    skipped += 1
else:
    with_debug_info()
print('%d passed, %d failed, %d skipped' % (counts[True], counts[False], skipped))
