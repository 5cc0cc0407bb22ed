#!/usr/bin/env python3
"""Observers of checked runs: what one is told adds up to what the run counts: observer_test.py [--build FOLDER].

The observer is recorder.c, compiled here. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json, os, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tool'))
import harness

# Loops, calls, a barrier in a loop, local memory, arrays of work-items, atomics, a pointer to one of two memories, an
# asynchronous copy, vectors, a switch.
SOURCE = '''
int fold(int *at, int n) { int s = 0; for (int i = 0; i < n; i++) s += at[i]; return s; }
kernel void mixed(global int *out, global const int *in, local int *tile)
{
    int own[4], l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    event_t e = async_work_group_copy(tile, in + get_group_id(0) * 16, n, 0);
    for (int i = 0; i < 4; i++) own[i] = g * i;
    wait_group_events(1, &e);
    for (int d = 1; d < n; d <<= 1) {
        int other = l >= d ? tile[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int *any = (g & 1) ? (int *)tile : own;
    atomic_add(out + 64, tile[l]);
    switch (g % 3) {
    case 0: out[g] = fold(own, 4); break;
    case 1: out[g] = any[l & 3]; break;
    default: vstore4((int4)(g), g, out + 70);
    }
}
kernel void texels(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, read_imagef(from, at) * 2);
}
'''
SHADER = '''#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint v[]; };
layout(push_constant) uniform P { uint add; };
shared uint s[32];
void main()
{
    uint l = gl_LocalInvocationID.x;
    s[l] = v[gl_GlobalInvocationID.x] + add;
    barrier();
    v[gl_GlobalInvocationID.x] = s[31 - l];
}
'''
MIXED = ('mixed', '--global', '56', '--local', '16', '--arg', 'i32[300]=zeros', '--arg', 'i32[64]=range', '--arg', 'local[64]', '-cl-std=CL3.0')
TEXELS = ('texels', '--global', '8,6', '--local', '4,4', '--arg', 'image2d:8x6:RGBA:FLOAT=range', '--arg',
          'image2d:8x6:RGBA:FLOAT=zeros', '-cl-std=CL3.0')


def build(t):
    path = t.path('recorder.so')
    done = subprocess.run(['cc', '-shared', '-fPIC', '-Wall', '-Werror', '-I', os.path.join(harness.ROOT, 'include'),
                           os.path.join(HERE, 'recorder.c'), '-o', path], capture_output=True, text=True)
    t.check(done.returncode == 0, f'recorder.c: {done.stderr}')
    return path


def observed(t, observer, *words):
    """What the observer and the counts of one run say."""
    record, counts = t.path('record.json'), t.path('counts.json')
    env = dict(os.environ, RECORD=record)
    done = subprocess.run([t.heddle, 'check', *words, '--no-print', '--observer', observer, '--counts', counts], env=env,
                          capture_output=True, text=True)
    t.check(done.returncode == 0, f'{words}: {done.returncode} {done.stdout} {done.stderr}')
    with open(record) as a, open(counts) as b:
        return json.load(a), json.load(b)


def check_sums(t, what, record, counts):
    """Each count of instructions and bytes is the sum of what the observer was told."""
    k, = counts
    told, wanted = {name: of[0] for name, of in record['opcodes'].items()}, k['opcodes']
    t.check(told == wanted, f'{what}: instructions: {told} {wanted}')
    told = {name: (load, store, atomic_load + atomic) for name, (load, store, atomic_load, atomic) in record['bytes'].items()}
    wanted = {name: (of['loaded'], of['stored'], of['atomic']) for name, of in k['bytes'].items()}
    t.check(told == wanted, f'{what}: bytes: {told} {wanted}')
    t.check(record['faults'] == 0 and record['launches'] == 1, f'{what}: {record}')


def check_kernels(t, observer, source):
    for more in ((), ('--threads', '1'), ('--schedule', '5'), ('--width', '4'), ('--optimised',)):
        record, counts = observed(t, observer, source, *MIXED, *more)
        check_sums(t, f'mixed {more}', record, counts)
        # 56 work-items in groups of 16: three of four rounds, one of three; two barriers a round, and the wait for the copy.
        t.check((record['groups'], record['items']) == (4, 56), f'groups: {record}')
        t.check(record['barriers'] == 3 * 8 + 6 + 4, f'barriers: {record["barriers"]}')
        t.check(len(record['lines']) > 10, f'lines: {record["lines"]}')
    record, counts = observed(t, observer, source, *TEXELS)
    check_sums(t, 'texels', record, counts)
    t.check(record['bytes'].get('Image') == [768, 768, 0, 0] and record['groups'] == 4 and record['items'] == 48, f'texels: {record}')


def check_shader(t, observer):
    if shutil.which('glslc') is None:
        print('skipped: no glslc')
        t.skipped += 1
        return
    source, module = t.path('reverse.comp', SHADER), t.path('reverse.spv')
    subprocess.run(['glslc', source, '-o', module], check=True)
    record, counts = observed(t, observer, module, '--groups', '3', '--bind', '0.0=u32[96]=range', '--push', 'u32=5')
    check_sums(t, 'shader', record, counts)
    t.check((record['groups'], record['barriers']) == (3, 3), f'shader: {record}')


def check_quiet(t, observer, source):
    """A run that finds a defect is told up to it, and the findings stay the same."""
    bad = t.path('bad.cl', 'kernel void bad(global int *a) { a[get_global_id(0) + 1] = 1; }')
    words = (t.heddle, 'check', bad, '--global', '8', '--arg', 'i32[8]=zeros')
    plain = subprocess.run(words, capture_output=True, text=True)
    record = t.path('bad.json')
    seen = subprocess.run([*words, '--observer', observer], capture_output=True, text=True, env=dict(os.environ, RECORD=record))
    t.check((plain.returncode, plain.stdout, plain.stderr) == (seen.returncode, seen.stdout, seen.stderr) and seen.returncode == 1,
            f'findings: {seen}')
    with open(record) as f:
        told = json.load(f)
    t.check(told['bytes']['CrossWorkgroup'][1] == 7 * 4 and told['faults'] == 0, f'a store is a defect: {told}')


def check_program(t, observer):
    """heddle exec, with the host of examples/."""
    program, record = t.path('saxpy'), t.path('exec.json')
    subprocess.run(['cc', os.path.join(harness.ROOT, 'examples/host/saxpy.c'), '-o', program, '-lOpenCL'], check=True)
    done = subprocess.run([t.heddle, 'exec', '--observer', observer, program, os.path.join(harness.ROOT, 'examples/readme/saxpy.cl')],
                          capture_output=True, text=True, env=dict(os.environ, RECORD=record))
    t.check(done.returncode == 0, f'exec: {done}')
    with open(record) as f:
        told = json.load(f)
    t.check((told['launches'], told['items'], told['faults']) == (1, 8, 0), f'exec: {told}')
    t.check(told['bytes']['CrossWorkgroup'] == [64, 32, 0, 0], f'exec: {told}')


def check_refusals(t, observer, source):
    def fails(path, word, **more):
        done = subprocess.run([t.heddle, 'check', source, *MIXED, '--observer', path], capture_output=True, text=True,
                              env=dict(os.environ, **more))
        t.check(done.returncode == 3 and word in done.stderr and path in done.stderr, f'{path}: {done.returncode} {done.stderr}')
    fails(t.path('missing.so'), 'No such file')
    fails(t.path('text.so', 'no library'), 'cannot load')
    empty = t.path('empty.so')
    subprocess.run(['cc', '-shared', '-fPIC', '-x', 'c', '-', '-o', empty], input='int x;', text=True, check=True)
    fails(empty, 'does not export heddle_observer_open')
    fails(observer, 'returned 7', REFUSE='1')
    here = subprocess.run([t.heddle, 'check', source, *MIXED, '--no-print', '--observer', os.path.basename(observer)], capture_output=True,
                          text=True, cwd=os.path.dirname(observer))
    t.check(here.returncode == 0, f'a name alone: {here.stderr}')


def main():
    with harness.Tool() as t:
        observer, source = build(t), t.path('mixed.cl', SOURCE)
        check_kernels(t, observer, source)
        check_shader(t, observer)
        check_quiet(t, observer, source)
        check_program(t, observer)
        check_refusals(t, observer, source)
        sys.exit(t.end())


if __name__ == '__main__':
    main()
