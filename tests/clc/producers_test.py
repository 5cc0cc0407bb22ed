#!/usr/bin/env python3
"""What docs/producers.md says of compilers that people use: what they write, what Heddle makes of it. [--build FOLDER]

A row is a source, what its module must contain and must not, what `heddle val` finds, and what it computes by both engines.
Compilers that are not installed are skipped.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

CLANG = ('clang-22', '--target=spirv64-unknown-unknown', '-x', 'cl', '-cl-std=CL3.0', '-c')
OLDER = ('clang-15', '--target=spir64-unknown-unknown', '-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', '-emit-llvm', '-c')

TABLE = '''constant float tab[4] = {1.5f, 2.5f, 3.5f, 4.5f};
kernel void k(global float *o) { o[get_global_id(0)] = tab[get_global_id(0) & 3]; }'''
REDUCE = '''#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *o) { o[get_global_id(0)] = sub_group_reduce_add(1) == get_sub_group_size(); }'''
PRINT = 'kernel void k(global int *o) { printf("%s %d\\n", "abc", 3); o[0] = 1; }'
FENCE = '''kernel void k(global int *o, local int *l)
{ int i = get_local_id(0); l[i] = i; mem_fence(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); o[i] = l[(i + 1) % 4]; }'''
BARRIER = '''kernel void k(global int *o)
{ int i = get_global_id(0); o[i] = i; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); int x = o[(i + 1) % 4];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); o[i] = x; }'''
ATOMIC = '''kernel void k(global atomic_float *a)
{ atomic_fetch_add_explicit(a, 1.5f, memory_order_relaxed, memory_scope_device); }'''
SWITCH = '''kernel void k(global int *o, global char *c)
{ size_t i = get_global_id(0); switch (c[i]) { case -3: o[i] = 7; break; case 5: o[i] = 8; break; case 100: o[i] = 11; break; default: o[i] = 9; } }'''
HALF = 'kernel void k(global float *o, global half *h) { size_t i = get_global_id(0); o[i] = vload_half(i, h); }'
FAST = 'kernel void k(global float *o, global float *a) { o[0] = a[0] * a[1] + a[2]; o[1] = a[0] + a[2]; }'
SATURATE = 'kernel void k(global char *o, global int *a) { size_t i = get_global_id(0); o[i] = convert_char_sat(a[i]); }'
CALLS = '''kernel void a(global int *o) { o[get_global_id(0)] += 3; }
kernel void k(global int *o) { a(o); o[get_global_id(0)] *= 2; }'''
LOOP = 'kernel void k(global int *o, int n) { int s = 0; for (int i = 0; i < n; i++) { if (o[i] < 0) continue; s += o[i]; } o[n] = s; }'
BYTES = 'kernel void k(global int *o, uchar n) { int s = 0; for (uchar i = 0; i < n; i++) s += o[i]; o[n] = s; }'
STRUCT = 'typedef struct { int a; float b; } s; kernel void k(global float *o, s x) { o[0] = x.a + x.b; }'
SIZE = '__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *o) { o[get_global_id(0)] = get_sub_group_size(); }'
SHUFFLE = '''kernel void k(global uchar *o, global uchar *a)
{ uchar16 x = vload16(0, a), y = vload16(1, a); vstore16(shuffle2(x, y, (uchar16)(31, 0, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)), 0, o); }'''
ASSUME = 'kernel void k(global int *o) { __builtin_assume(o[0] > 0); o[1] = __builtin_expect(o[0] > 1, 1) ? 4 : 5; }'
APART = 'kernel void k(global float *restrict o, global const float *restrict a, float x) { size_t i = get_global_id(0); o[i] = x * a[i] + a[i + 1]; }'
ALL = ('--env', 'opencl3.0', '--ext', 'all')

# What, source, options, in the module, not in it, options and findings of val, arguments of run, results, findings of the run.
ROWS = (
    ('a table of constants', TABLE, (), ('UniformConstant', '"tab" Export', 'Version: 1.4'), (), ('--env', 'opencl3.0'), (),
     ('--global', '4', '--arg', 'f32[4]'), '1.5, 2.5, 3.5, 4.5', ()),
    ('a reduction of sub-groups', REDUCE, (), (r'OpGroupIAdd %uint %uint_3 Reduce', 'OpCapability Groups'), ('GroupNonUniform', ), ALL, (),
     ('--global', '16', '--local', '16', '--arg', 'u32[16]'), ', '.join(['1'] * 16), ()),
    ('printf', PRINT, (), (r'OpExtInst %uint %\d+ printf', ), (), ALL, (), ('--global', '1', '--arg', 'u32[1]'), 'abc 3', ()),
    ('a fence', FENCE, (), ('"_Z9mem_fencej" Import', ), (), ALL, (), ('--global', '4', '--local', '4', '--arg', 'u32[4]', '--arg', 'local[16]'), '1, 2, 3, 0', ()),
    ('a barrier with the scope of the device', BARRIER, (), ('OpControlBarrier %uint_1 %uint_1 %uint_528', ), (), ALL, ('error: scope.execution-opencl', ),
     ('--global', '4', '--local', '4', '--arg', 'u32[4]'), '1, 2, 3, 0', ('repair.barrier', )),
    ('an addition of floats', ATOMIC, ('-mllvm', '--spirv-ext=+SPV_EXT_shader_atomic_float_add'), ('OpAtomicFAddEXT', 'SPV_EXT_shader_atomic_float_add'), (),
     ('--env', 'opencl3.0', '--ext', 'cl_ext_float_atomics'), (), ('--global', '8', '--arg', 'f32[1]=zeros'), '= 12', ()),
    ('a switch over char', SWITCH, (), (r'OpSwitch .* 253 ', ), (), ALL, (), ('--global', '4', '--arg', 'i32[4]', '--arg', 'i8[4]=-3,5,100,0'), '7, 8, 11, 9', ()),
    ('vload_half alone', HALF, (), ('OpCapability Float16Buffer', 'OpCapability Float16\n'), (), ALL, (),
     ('--global', '2', '--arg', 'f32[2]', '--arg', 'u16[2]=0x3c00,0x4200'), '1, 3', ()),
    ('relaxed mathematics', FAST, ('-cl-fast-relaxed-math', ), (r'OpExtInst %float %\d+ fma', 'ContractionOff', 'FPFastMathMode'), ('OpFMul', ), ALL, (),
     ('--global', '1', '--arg', 'f32[2]', '--arg', 'f32[3]=2,3,1'), '7, 3', ()),
    ('debug information', TABLE, ('-g', ), (), ('OpLine', 'DebugInfo', 'DebugLine', 'OpString'), ALL, (), ('--global', '4', '--arg', 'f32[4]'), '1.5, 2.5, 3.5, 4.5', ()),
    ('all extensions', APART, ('-mllvm', '--spirv-ext=all'), ('FPFastMathDefault', ), ('FloatControls2', ),
     ('--env', 'universal1.6'), ('error: needs.capability', ), ('--global', '3', '--arg', 'f32[3]', '--arg', 'f32[4]=range', '--arg', 'f32=2'),
     '1, 4, 7', ('repair.float-controls', )),
    ('a kernel that calls one', CALLS, (), (), ('OpFunctionCall', ), ALL, (), ('--global', '2', '--arg', 'u32[2]=1,2'), '8, 10', ()),
    ('a loop', LOOP, (), (), (), ALL, (), ('--global', '1', '--arg', 'i32[5]=1,-2,3,4,0', '--arg', 'i32=4'), '1, -2, 3, 4, 8', ()),
    ('a counter of 8 bits', BYTES, (), (), (), ALL, (), ('--global', '1', '--arg', 'i32[4]=1,2,3,0', '--arg', 'u8=3'), '1, 2, 3, 6', ()),
    ('a structure by value', STRUCT, (), ('FuncParamAttr ByVal', ), (), ALL, (), ('--global', '1', '--arg', 'f32[1]', '--arg', 'bytes[8]=0300000000002040'), '= 5.5', ()),
    ('a size of sub-groups', SIZE, (), ('SubgroupSize 8', 'SubgroupDispatch'), (), ALL, (), ('--global', '16', '--local', '16', '--arg', 'u32[16]'),
     ', '.join(['8'] * 16), ()),
    ('shuffle2', SHUFFLE, (), (r'OpExtInst %v16uchar %\d+ shuffle2', ), (), ALL, (), ('--global', '1', '--arg', 'u8[16]', '--arg', 'u8[32]=range:0'),
     '31, 0, 16, 1, 2, 3', ()),
    ('assumptions', ASSUME, (), (), ('OpAssumeTrueKHR', 'OpExpectKHR'), ALL, (), ('--global', '1', '--arg', 'i32[2]=3,0'), '3, 4', ()),
)


def compiled(t, command, source, out, *options):
    p = subprocess.run([*command, *options, t.path('source.cl', source), '-o', out], capture_output=True, text=True)
    t.check(p.returncode == 0, f'{command[0]} {options}: {p.stderr[-500:]}')
    return p.returncode == 0


# Slips of clang-22 at -O0 only: findings of val and of the run.
UNOPTIMISED = {STRUCT: (('error: chain.struct-index', ), ('repair.null-index', ))}


def check_row(t, row, level):
    what, source, options, there, missing, env, found, args, want, repaired = row
    if level == '-O0':
        found, repaired = UNOPTIMISED.get(source, (found, repaired))
    out = t.path('module.spv')
    if not compiled(t, CLANG, source, out, level, *options):
        return
    text = t.run('dis', out)[1]
    if level == '-O2':
        for pattern in there:
            t.check(re.search(pattern, text), f'{what}: {pattern} is not in the module')
        for pattern in missing:
            t.check(pattern not in text, f'{what}: {pattern} is in the module')
    _, _, said = t.run('val', *env, out)
    said = {': '.join(x) for x in re.findall(r'(error|warning): .*\[([\w.-]+)\]', said)}
    t.check(said == set(found), f'{what}, {level}: val finds {said}, not {found}')
    for engine in ('compiled', 'interpreted'):
        _, shown, said = t.run('run', out, 'k', *args, '--engine', engine)
        t.check(want in shown, f'{what}, {level}, {engine}: {shown}{said}')
        t.check(set(re.findall(r'\[([\w.-]+)\]', said)) == set(repaired), f'{what}, {level}, {engine}: {said}')


def check_clang(t):
    for row in ROWS:
        for level in ('-O0', '-O2'):
            check_row(t, row, level)
    out = t.path('module.spv')
    # Kernels for 32-bit addresses are valid and do not run.
    if compiled(t, ('clang-22', '--target=spirv32-unknown-unknown', *CLANG[2:]), TABLE, out, '-O2'):
        t.check(t.run('val', *ALL, out)[0] == 0, 'a module for 32-bit addresses is valid')
        said = t.run('run', out, 'k', '--global', '4', '--arg', 'f32[4]')[2]
        t.check('[layout.addressing]' in said, f'a module for 32-bit addresses: {said}')
    # The words in the other order are the same module.
    if compiled(t, CLANG, TABLE, out, '-O2'):
        with open(out, 'rb') as f:
            data = f.read()
        turned = t.path('turned.spv')
        with open(turned, 'wb') as f:
            f.write(b''.join(data[i:i + 4][::-1] for i in range(0, len(data), 4)))
        t.check(t.run('dis', turned)[:2] == t.run('dis', out)[:2] and t.run('val', *ALL, turned)[0] == 0, 'a big-endian module')
        t.check('1.5, 2.5, 3.5, 4.5' in t.run('run', turned, 'k', '--global', '4', '--arg', 'f32[4]')[1], 'a big-endian module runs')
    # Weak functions are exports like others.
    if compiled(t, CLANG, '__attribute__((weak)) int f(int x) { return x + 1; }', out, '-O2'):
        t.check('"f" Export' in t.run('dis', out)[1], 'a weak function is exported')
        said = t.run('link', '--create-library', '-o', t.path('linked.spv'), out, t.path('f.cl', 'int f(int x) { return x + 2; }'))
        t.check(said[0] == 1 and '[link.duplicate]' in said[2], f'a weak function and another: {said}')
    # What clang-22 converts wrongly is right from a source.
    if compiled(t, CLANG, SATURATE, out, '-O2'):
        t.check('[decorate.saturation]' in t.run('val', *ALL, out)[2], 'a saturating conversion of integers is warned about')
    source = t.path('saturate.cl', SATURATE)
    for engine in ('compiled', 'interpreted'):
        shown = t.run('run', source, 'k', '--global', '4', '--arg', 'i8[4]', '--arg', 'i32[4]=-300,-128,128,5', '--engine', engine)
        t.check('= -128, -128, 127, 5\n' in shown[1], f'a saturating conversion, {engine}: {shown}')


def check_translator(t):
    """clang-15 and llvm-spirv-15: the same results, the lowest version that the module needs, debug information."""
    out, bitcode = t.path('module.spv'), t.path('module.bc')

    def module(source, *options, more=(), level='-O2'):
        if not compiled(t, OLDER, source, bitcode, level, *options):
            return ''
        p = subprocess.run(['llvm-spirv-15', *more, bitcode, '-o', out], capture_output=True, text=True)
        t.check(p.returncode == 0, f'llvm-spirv-15 {more}: {p.stderr}')
        return t.run('dis', out)[1]

    for what, source, *_, args, want, _ in (r for r in ROWS if r[1] in (TABLE, FENCE, BARRIER, SWITCH, LOOP, BYTES, CALLS, PRINT)):
        for level in ('-O0', '-O2'):
            text = module(source, level=level)
            t.check(re.search('Version: 1.[04]\n', text) and 'Translator; 14' in text, f'{what}, {level}: version and generator')
            t.check(t.run('val', *ALL, out)[0] == 0, f'{what}, {level}: llvm-spirv-15 writes a valid module')
            shown = t.run('run', out, 'k', *args)
            t.check(want in shown[1], f'{what}, {level}, llvm-spirv-15: {shown}')
    module(SATURATE)
    shown = t.run('run', out, 'k', '--global', '4', '--arg', 'i8[4]', '--arg', 'i32[4]=-300,-128,128,5')[1]
    t.check('= -128, -128, 127, 5\n' in shown, f'a saturating conversion, llvm-spirv-15: {shown}')
    for version in ('1.0', '1.3', '1.4'):
        most = (f'--spirv-max-version={version}', )
        t.check(f'Version: {"1.4" if version == "1.4" else "1.0"}\n' in module(LOOP, more=most), f'a module that has a use for 1.4, at most {version}')
        t.check('Version: 1.0\n' in module(SATURATE, more=most), f'a module that has none, at most {version}')
    t.check('OpControlBarrier %uint_2 %uint_1 %uint_528' in module(BARRIER), 'a barrier of the group, whatever the scope of its memory')
    t.check('"OpenCL.DebugInfo.100"' in module(LOOP, '-g', level='-O0') and t.run('val', *ALL, out)[0] == 0, 'debug information')
    module(LOOP)
    t.check('kernel_arg_type' not in t.run('dis', out)[1], 'types of arguments are not kept')
    text = module(LOOP, '-cl-kernel-arg-info', more=('--preserve-ocl-kernel-arg-type-metadata-through-string', ))
    t.check('"kernel_arg_type.k.int*,int,"' in text and 'int* o' in t.run('info', out)[1], 'types and names of arguments are kept when asked for')


def check_shaders(t):
    source, out = t.path('a.comp', '''#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float d[]; };
shared float s[64];
void main() { s[gl_LocalInvocationIndex] = 1.0; barrier(); d[gl_GlobalInvocationID.x] = s[0]; }
'''), t.path('shader.spv')
    for target, version in ((), '1.0'), (('--target-env=vulkan1.1', ), '1.3'), (('--target-env=vulkan1.3', ), '1.6'):
        t.check(subprocess.run(['glslc', *target, source, '-o', out]).returncode == 0, f'glslc {target}')
        text = t.run('dis', out)[1]
        t.check(f'Version: {version}' in text, f'glslc {target} writes {version}')
        entry = next(line for line in text.splitlines() if 'OpEntryPoint' in line)
        t.check(('%s' in entry.split()) == (version >= '1.4'), f'group memory is in the interface from 1.4 on: {entry}')
        t.check(t.run('val', out)[0] == 0, f'a shader of {version} is valid by SPIR-V\'s own rules')
        said = t.run('run', out, '--groups', '1', '--bind', '0.0=f32[64]=zeros', '--expect', '0.0=' + ','.join(64 * ['1']))
        t.check(said[0] == 0, f'a shader of {version} runs: {said}')
        said = t.run('run', out, '--global', '64')
        t.check(said[0] == 2 and '--groups' in said[2], f'a shader takes no --global: {said}')


def main():
    with harness.Tool() as t:
        for needs, check in ((('clang-22', ), check_clang), (('clang-15', 'llvm-spirv-15'), check_translator), (('glslc', ), check_shaders)):
            if all(shutil.which(n) for n in needs):
                check(t)
            else:
                t.skipped += 1
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
