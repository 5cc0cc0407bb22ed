#!/usr/bin/env python3
"""Built-ins that a source does not name: options do, as OpenCV's (-D convertToDT=convert_int4), or files that it includes.

Are they as right as those that it names? Conversions keep the sign, an atomic function without an order orders memory, a
block is enqueued. The sources are written here: none of their words, also of a comment, names a built-in that is asked
for. Ends with `N passed, N failed, N skipped`.
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

WIDEN = 'kernel void k(global const short4 *x, global int4 *o) { *o = WIDEN(NARROW(*x)); }\n'
SHORTS = ['--global', '1', '--arg', 'i16[4]=-1,2,-300,400', '--arg', 'i32[4]', '--expect', '1=-1,2,-300,400']
PASTES = '-DGLUE(a,b)=a##b'
TESTS = 'kernel void k(global const int4 *x, global int *o) { o[0] = ALL(*x); o[1] = ANY(*x); }\n'
SUM = '''kernel void k(global int *parts, global atomic_int *count, global int *o)
{
    size_t g = get_group_id(0);

    if (get_local_id(0) != 0)
        return;
    parts[g] = (int)get_local_size(0);
    if (ADD(count, 1) == (int)get_num_groups(0) - 1)
        for (size_t i = 0; i < get_num_groups(0); i++)
            *o += parts[i];
}
'''
STARTS = '''kernel void k(global int *o)
{
    START(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), BLOCK);
}
'''


def expect(what, source, options, words, command='run'):
    """The kernel leaves what --expect says, and nothing is reported."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'k.cl'), 'w') as file:
            file.write(source)
        with open(os.path.join(folder, 'to.h'), 'w') as file:
            file.write('#define WIDEN convert_int4\n')
        done = subprocess.run([heddle, command, 'k.cl', 'k', '--no-print', *words, *('--cl=' + o for o in options)],
                              cwd=folder, env=dict(os.environ, HEDDLE_CACHE='0'), capture_output=True, text=True)
    said = done.stdout + done.stderr
    good = done.returncode == 0 and 'warning' not in said
    counts[good] += 1
    if not good:
        print('%s: status %d\n%s' % (what, done.returncode, said))


expect('a conversion', WIDEN, ['-DWIDEN=convert_int4', '-DNARROW='], SHORTS)
expect('one that saturates', WIDEN, ['-DWIDEN=convert_int4_sat', '-DNARROW=convert_short4_sat'], SHORTS)
expect('one of two words', WIDEN, ['-DWIDEN=GLUE(convert_int,4)', PASTES, '-DNARROW='], SHORTS)
expect('one of halves of its name', WIDEN, ['-DWIDEN=GLUE(conv,ert_int4)', PASTES, '-DNARROW='], SHORTS)
expect('one pasted by the source', '#define GLUE(a, b) a##b\n' + WIDEN, ['-DWIDEN=GLUE(convert_int,4)', '-DNARROW='], SHORTS)
for directive in ('#include', '#  include', '  #\tinclude', '#import', '%: include'):
    expect(directive, directive + ' "to.h"\n' + WIDEN, ['-I.', '-DNARROW='], SHORTS)
expect('any and all', TESTS, ['-DALL=all', '-DANY=any'],
       ['--global', '1', '--arg', 'i32[4]=-1,2,-300,400', '--arg', 'i32[2]', '--expect', '1=0,1'])
expect('an atomic function', SUM, ['-cl-std=CL3.0', '-DADD=atomic_fetch_add'],
       ['--global', '64', '--local', '8', '--arg', 'i32[8]', '--arg', 'i32[1]', '--arg', 'i32[1]', '--expect', '2=64'],
       'check')
expect('a block', STARTS, ['-cl-std=CL3.0', '-DSTART=enqueue_kernel', '-DBLOCK=^{*o=7;}'],
       ['--global', '1', '--arg', 'i32[1]', '--expect', '0=7'])
print('%d passed, %d failed, 0 skipped' % (counts[True], counts[False]))
raise SystemExit(counts[False] != 0)
