#!/usr/bin/env python3
"""Modules that clang-22 compiled elsewhere compute what Heddle's own compilation of the same source does, where the module
shows what clang's back end mistranslated; where it does not, the forms that docs/limits.md names avoid it. [--build FOLDER]

Ends with a line of counts; skipped without clang-22.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

LEVELS = ['-O0', '-O1', '-O2']

FUNNEL = '''
kernel void k(global uint *o, global const uint *x, global const uint *by)
{
    size_t i = get_global_id(0);
    o[i] = __builtin_elementwise_fshl(x[i], x[i + 4], by[i]);
}
'''

NARROW = {
    'compared': ('kernel void k(global const uchar *x, global uint *o) { *o = (uchar)(long)x[0] < (uchar)167; }', '= 1'),
    'wide-part': ('kernel void k(global const uchar *x, global ushort4 *o) { *o = (ushort4)((ushort)(uchar)((x[0] & 8) == 0)); }', '= 1, 1, 1, 1'),
}

LOADS = '''
kernel void k(global atomic_int *p, global int *o, int order, int scope)
{
    int n = 0;
    o[n++] = atomic_load(p);
    o[n++] = atomic_load_explicit(p, memory_order_relaxed);
    o[n++] = atomic_load_explicit(p, memory_order_acquire);
    o[n++] = atomic_load_explicit(p, memory_order_seq_cst);
    o[n++] = atomic_load_explicit(p, memory_order_relaxed, memory_scope_work_group);
    o[n++] = atomic_load_explicit(p, memory_order_relaxed, memory_scope_device);
    o[n++] = atomic_load_explicit(p, memory_order_relaxed, memory_scope_all_svm_devices);
    o[n++] = atomic_load_explicit(p, memory_order_relaxed, memory_scope_sub_group);
    o[n++] = atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group);
    o[n++] = atomic_load_explicit(p, memory_order_acquire, memory_scope_device);
    o[n++] = atomic_load_explicit(p, memory_order_acquire, memory_scope_all_svm_devices);
    o[n++] = atomic_load_explicit(p, memory_order_acquire, memory_scope_sub_group);
    o[n++] = atomic_load_explicit(p, memory_order_seq_cst, memory_scope_work_group);
    o[n++] = atomic_load_explicit(p, memory_order_seq_cst, memory_scope_device);
    o[n++] = atomic_load_explicit(p, memory_order_seq_cst, memory_scope_all_svm_devices);
    o[n++] = atomic_load_explicit(p, memory_order_seq_cst, memory_scope_sub_group);
    o[n++] = atomic_load_explicit(p, order);
    o[n++] = atomic_load_explicit(p, memory_order_acquire, scope);
}
'''

# One work-group publishes, the next one reads: a race if the load acquires for its own work-group only.
MESSAGE = '''
kernel void k(global int *data, global atomic_int *flag, global int *o, int order)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag, %s) == 1) {
        o[get_group_id(0)] = *data;
    }
}
'''
ORDERS = ['memory_order_acquire', 'memory_order_seq_cst', 'memory_order_acquire, memory_scope_device',
          'memory_order_seq_cst, memory_scope_device', 'memory_order_acquire, memory_scope_all_svm_devices', 'order']

ANY = '''
kernel void k(global int *o, global int4 *v, global char2 *c, global long3 *l, global short8 *s, int x)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        o[n++] = any(v[i]);
        o[n++] = all(v[i]);
    }
    for (int i = 0; i < 2; i++) {
        o[n++] = any(c[i]);
        o[n++] = all(c[i]);
    }
    o[n++] = any(l[0]) + 2 * all(l[0]);
    o[n++] = any(s[0]) + 2 * all(s[0]);
    o[n++] = any(x) + 2 * all(x);
    o[n++] = any(-x) + 2 * all(-x);
    o[n++] = any(convert_float4(v[0]) < 3.0f) + 2 * all(convert_float4(v[0]) < 3.0f);
}
'''

IMAGE = '''
kernel void k(global int *o, read_only image2d_t i)
{
    o[0] = get_image_channel_data_type(i);
    o[1] = get_image_channel_data_type(i) == CLK_UNORM_INT8;
    o[2] = get_image_channel_order(i) == CLK_RGBA;
    switch (get_image_channel_data_type(i)) {
    case CLK_UNORM_INT8: o[3] = 5; break;
    case CLK_FLOAT: o[3] = 6; break;
    default: o[3] = 7;
    }
    o[4] = get_image_channel_data_type(i) - CLK_SNORM_INT8;
}
'''

# The workaround of those who know of it stays right.
IMAGE_RAW = '''
kernel void k(global int *o, read_only image2d_t i)
{
    int t = get_image_channel_data_type(i) + 0x10D0;

    o[0] = t == CLK_UNORM_INT8;
    o[1] = t;
}
'''

BARRIER = '''
kernel void k(global int *o, local int *l, int flags)
{
    int i = get_local_id(0);

    l[i] = i;
    %s;
    o[get_global_id(0)] = l[7 - i];
}
'''
BARRIERS = ['barrier(flags)', 'work_group_barrier(flags ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE)',
            'work_group_barrier(flags, memory_scope_device)']

# Two copies begin without an event.
COPIES = '''
kernel void k(global int *o, local int *l)
{
    event_t none = 0, e = async_work_group_copy(l, o, 8, none);

    wait_group_events(1, &e);
    l[get_local_id(0)] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(o, l, 8, none);
    wait_group_events(1, &e);
}
'''

# An array that starts with constants is copied from a variable of the program, aligned as numbers are.
STARTS = '''
kernel void k(global int *o)
{
    struct { int4 v; int a[9]; } s = {(int4)(o[0]), {1, 2, 3, 4, 5, 6, 7, 8, 9}};

    s.a[o[0]] += 5;
    for (int i = 0; i < 9; i++)
        o[i] = s.a[(i + o[9]) % 9] + s.v.x;
}
'''

# A component that a variable chooses is taken from an array, whose alignment the module leaves to chance.
VECTOR = '''
typedef int int5 __attribute__((ext_vector_type(5)));
typedef long long7 __attribute__((ext_vector_type(7)));

kernel void k(global int *o, int n)
{
    int5 v = {1, 2, 3, 4, 5};
    long7 l = n;

    v[n % 5] += 10;
    l[n % 7] *= 3;
    for (int i = 0; i < 7; i++)
        o[i] = v[i % 5] + l[(i + n) % 7];
}
'''

# The module has what constructs the object, and does not say that it is to be run.
OBJECT = '''
struct Counter { int at; Counter(int n); };
global int base;
Counter::Counter(int n) : at(n + base) {}
Counter counter(%s);
kernel void k(global int *o) { *o = counter.at; }
'''

# What docs/limits.md tells people to write instead of what a module does not show.
AVOIDED = '''
kernel void k(global int *o, global short *s, global ushort *u, global half *h, global ushort4 *u4, global atomic_int *p)
{
    int n = 0;
    o[n++] = (int)s[0];
    o[n++] = (uint)u[0] == 65535;
    o[n++] = __builtin_convertvector(u4[0], uint4).y;
    o[n++] = (uchar)min(u[0], (ushort)255);
    o[n++] = (char)clamp(s[0], (short)-128, (short)127);
    o[n++] = (int)vload_half3(0, h + 4).x;
    o[n++] = (int)vload_half4(1, h).z;
    o[n++] = atomic_fetch_add_explicit(p, 1, memory_order_seq_cst, memory_scope_device);
}
'''


def main():
    clang = shutil.which('clang-22')
    if clang is None:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with harness.Tool() as t:
        def module(source, level, std='CL3.0'):
            """The module that clang makes of a source, without Heddle."""
            path = t.path('elsewhere.spv')
            subprocess.run([clang, '--target=spirv64-unknown-unknown', '-x', 'cl', '-cl-std=' + std, level, '-Xclang',
                            '-finclude-default-header', '-c', source, '-o', path], check=True)
            return path

        def same(name, source, arguments, rule, expected, command='run'):
            """Source and modules give the numbers expected; each module warns by the rule."""
            file = t.path(name + '.cl', source)
            texts = [('source', t.run(command, file, 'k', *arguments, '--cl', '-cl-std=CL3.0'))]
            texts += [(level, t.run(command, module(file, level), 'k', *arguments)) for level in LEVELS]
            for level, (code, out, err) in texts:
                where = f'{name} {level}'
                t.check(code == 0 and expected in out, f'{where}: {code} {out[:400]} {err[:400]}')
                rules = set(re.findall(r'\[(repair\.[a-z-]+)\]', err + out)) - {'repair.weak', 'repair.null-index', 'repair.shuffle', 'repair.vector-count'}
                wanted = {rule} if rule is not None and level != 'source' else set()
                t.check(rules == wanted, f'{where}: warned {rules}, not {wanted}')

        one = ['--global', '1']
        same('funnel', FUNNEL, ['--global', '4', '--arg', 'u32[4]', '--arg', 'u32[8]=1,2,3,4,5,6,7,8', '--arg', 'u32[4]=0,4,32,1'],
             'repair.funnel', 'arg 0: u32[4] = 1, 32, 3, 8')
        same('loads', LOADS, one + ['--arg', 'i32[1]=7', '--arg', 'i32[18]', '--arg', 'i32=2', '--arg', 'i32=1'], 'repair.load',
             'arg 1: i32[18] = ' + ', '.join(['7'] * 18))
        for order in ORDERS:
            same('message', MESSAGE % order, ['--global', '2', '--local', '1', '--arg', 'i32[1]', '--arg', 'i32[1]=0', '--arg',
                                              'i32[2]=0', '--arg', 'i32=2'], 'repair.load', 'arg 2: i32[2] = 0, 42', 'check')
        same('any', ANY, one + ['--arg', 'i32[15]', '--arg', 'i32[12]=1,2,3,4,-1,0,1,2,-1,-2,-3,-4', '--arg',
                                'i8[4]=1,-1,-1,-128', '--arg', 'i64[4]=-1,-1,-1,0', '--arg', 'i16[8]=1,2,3,4,5,6,7,-8', '--arg',
                                'i32=5'],
             'repair.any', 'arg 0: i32[15] = 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 3, 1, 0, 3, 1')
        same('image', IMAGE, one + ['--arg', 'i32[5]', '--arg', 'image2d:2x2:RGBA:UNORM_INT8=zeros'], 'repair.channel-type',
             'arg 0: i32[5] = 4306, 1, 1, 5, 2')
        for rule, (source, expected) in NARROW.items(): # at higher levels nothing is left of the conversions
            file = t.path('narrow.cl', source)
            code, out, err = t.run('run', module(file, '-O0'), 'k', *one, '--arg', 'u8[1]=3', '--arg', 'u32[1]' if rule == 'compared' else 'u16[4]')
            t.check(code == 0 and expected in out and 'repair.' + rule in err, f'{rule}: {code} {out} {err}')
        file = t.path('raw.cl', IMAGE_RAW)
        for level in LEVELS:
            code, out, err = t.run('run', module(file, level), 'k', *one, '--arg', 'i32[2]', '--arg',
                                   'image2d:2x2:RGBA:UNORM_INT8=zeros')
            t.check(code == 0 and 'i32[2] = 1, 4306' in out and 'repair' not in err, f'raw {level}: {out[:200]} {err}')
        file = t.path('copies.cl', COPIES)
        for level in LEVELS:
            code, out, err = t.run('run', module(file, level), 'k', '--global', '8', '--local', '8', '--arg', 'i32[8]=range',
                                   '--arg', 'local[32]')
            t.check(code == 0 and 'i32[8] = 1, 2, 3, 4, 5, 6, 7, 8' in out, f'copies {level}: {code} {out} {err}')
        file, warned = t.path('starts.cl', STARTS), 0
        for level in [None] + LEVELS:
            code, out, err = t.run('check', file if level is None else module(file, level), 'k', *one, '--arg', 'i32[10]=2,0,0,0,0,0,0,0,0,4')
            t.check(code == 0 and 'i32[10] = 7, 8, 9, 10, 11, 3, 4, 10, 6, 4' in out, f'starts {level}: {code} {out} {err}')
            warned += 'repair.copy-alignment' in err + out
        t.check(warned > 0, 'a copy has its source\'s alignment')
        same('vector', VECTOR, one + ['--arg', 'i32[7]', '--arg', 'i32=3'], 'repair.no-alignment',
             'arg 0: i32[7] = 10, 5, 6, 17, 8, 4, 5')
        file = t.path('done.cl', OBJECT % '5') # it is constructed while clang optimises
        for level in LEVELS[1:]:
            code, out, err = t.run('run', module(file, level, 'CLC++2021'), 'k', *one, '--arg', 'i32[1]')
            t.check(code == 0 and 'i32[1] = 5' in out and 'repair.no-constructors' in err, f'done {level}: {code} {out} {err}')
        file = t.path('object.cl', OBJECT % 'get_global_size(0)')
        for level in LEVELS:
            code, out, err = t.run('run', module(file, level, 'CLC++2021'), 'k', *one, '--arg', 'i32[1]')
            t.check(code != 0 and err.count('error: ') == 1 and 'counter has a constructor' in err and 'give Heddle the source' in err and
                    '[repair.constructors]' in err, f'object {level}: {code} {out} {err}')
        for barrier in BARRIERS:
            file = t.path('barrier.cl', BARRIER % barrier)
            for level in LEVELS:
                code, out, err = t.run('check', module(file, level), 'k', '--global', '8', '--local', '8', '--arg', 'i32[8]', '--arg',
                                       'local[32]', '--arg', 'i32=1')
                t.check(code == 0 and 'repair.memory' in err + out, f'{barrier} {level}: {code} {out} {err}')
        file = t.path('sat.cl', 'kernel void k(global uint *o, global ushort *u) { o[0] = convert_uint_sat(u[0]); }')
        for level in LEVELS:
            code, out, err = t.run('run', module(file, level), 'k', *one, '--arg', 'u32[1]', '--arg', 'u16[1]=1')
            t.check(code == 0 and 'repair.saturation' in err, f'saturation {level}: {code} {err}')
        same('avoided', AVOIDED, one + ['--arg', 'i32[8]', '--arg', 'i16[1]=-300', '--arg', 'u16[1]=65535', '--arg',
                                        'f16[8]=0,1,2,3,4,5,6,7', '--arg', 'u16[4]=1,65535,3,4', '--arg', 'i32[1]=9'], None,
             'arg 0: i32[8] = -300, 1, 65535, 255, -128, 4, 6, 9')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
