#!/usr/bin/env python3
"""heddle run from the command line: buffers, files, pictures, comparisons, Ctrl-C. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import json
import mmap
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = '''OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %add "add" %gid
OpEntryPoint Kernel %slow "slow" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %gid Constant
OpDecorate %more SpecId 1
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u64 3
%in = OpTypePointer Input %v3
%ptr = OpTypePointer CrossWorkgroup %u32
%more = OpSpecConstant %u32 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%many = OpConstant %u32 100000
%a = OpConstant %u32 1664525
%gid = OpVariable %in Input
%three = OpTypeFunction %void %ptr %ptr %ptr
%one = OpTypeFunction %void %ptr
%add = OpFunction %void None %three
%x = OpFunctionParameter %ptr
%y = OpFunctionParameter %ptr
%z = OpFunctionParameter %ptr
%l0 = OpLabel
%g = OpLoad %v3 %gid Aligned 32
%i = OpCompositeExtract %u64 %g 0
%xp = OpInBoundsPtrAccessChain %ptr %x %i
%yp = OpInBoundsPtrAccessChain %ptr %y %i
%zp = OpInBoundsPtrAccessChain %ptr %z %i
%xv = OpLoad %u32 %xp Aligned 4
%yv = OpLoad %u32 %yp Aligned 4
%s = OpIAdd %u32 %xv %yv
%t = OpIAdd %u32 %s %more
OpStore %zp %t Aligned 4
OpReturn
OpFunctionEnd
%slow = OpFunction %void None %one
%out = OpFunctionParameter %ptr
%l1 = OpLabel
%h = OpLoad %v3 %gid Aligned 32
%j = OpCompositeExtract %u64 %h 0
%first = OpUConvert %u32 %j
%op = OpInBoundsPtrAccessChain %ptr %out %j
OpBranch %l2
%l2 = OpLabel
%k = OpPhi %u32 %c0 %l1 %k1 %l2
%v = OpPhi %u32 %first %l1 %v1 %l2
%v0 = OpIMul %u32 %v %a
%v1 = OpBitwiseXor %u32 %v0 %k
%k1 = OpIAdd %u32 %k %c1
%again = OpULessThan %bool %k1 %many
OpLoopMerge %l3 %l2 None
OpBranchConditional %again %l2 %l3
%l3 = OpLabel
OpStore %op %v1 Aligned 4
OpReturn
OpFunctionEnd
'''
ADD = ['add', '--global', '5', '--arg', 'u32[5]=range', '--arg', 'u32[5]=fill:7', '--arg', 'u32[5]=zeros']
SUMS = [7, 8, 9, 10, 11]
MANY = 4_000_000
SLOW = ['slow', '--global', str(MANY), '--arg', f'u32[{MANY}]=zeros', '--no-print']


def png_pixels(data):
    """Rows of an RGBA picture of 8 bits that was written without filters."""
    at, body = 8, b''
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
        elif kind == b'IDAT':
            body += data[at + 8:at + 8 + size]
        at += size + 12
    raw, row = zlib.decompress(body), width * 4 + 1
    filters = {raw[y * row] for y in range(height)}
    return (width, height, depth, colour), filters, b''.join(raw[y * row + 1:(y + 1) * row] for y in range(height))


def on_terminal(command, stop_after):
    """What a command prints on a terminal, and how it ends when Ctrl-C is pressed after a while; None where
    there are no terminals."""
    try:
        main, other = pty.openpty()
    except OSError:
        return None
    p = subprocess.Popen(command, stdout=other, stderr=other, stdin=subprocess.DEVNULL)
    os.close(other)
    said = b''
    try:
        while b'%' not in said:  # it tells how far it is
            said += os.read(main, 4096)
        time.sleep(stop_after)
        p.send_signal(signal.SIGINT)
        while True:
            said += os.read(main, 4096)
    except OSError:  # the other end is closed
        pass
    os.close(main)
    return p.wait(), said.decode(errors='replace')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    heddle = os.path.join(os.path.abspath(parser.parse_args().build), 'heddle')
    counts = [0, 0, 0]

    def check(holds, why):
        counts[not holds] += 1
        if not holds:
            print('failed:', why)

    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)

        def run(*args, **more):
            p = subprocess.run([heddle, 'run', *args], capture_output=True, cwd=folder, timeout=120, **more)
            return p.returncode, p.stdout.decode(), p.stderr.decode()

        with open(path('m.spvasm'), 'w') as f:
            f.write(MODULE)
        subprocess.run([heddle, 'as', path('m.spvasm'), '-o', path('m.spv')], check=True)
        # A kernel that reaches memory that does not exist ends the command, which says so.
        nowhere = ('m.spv', 'add', '--global', '4', '--arg', 'null', '--arg', 'null', '--arg', 'null')
        fault = 'the kernel accessed memory that does not exist, at address 0x0'
        code, out, told = run(*nowhere)
        check(code == 3 and out == '' and f'm.spv: error: {fault} [run.fault]\n' in told and 'hint: heddle check' in told,
              'null pointer: %d %s' % (code, told))
        code, out, told = run(*nowhere, '--json')
        error = json.loads(out)['errors'][0]
        check(code == 3 and error['message'] == fault and error['file'] == 'm.spv' and 'heddle check' in error['hint'] and fault in told,
              'null pointer, JSON: %d %s' % (code, out))
        # So it is when several threads fault at once, and said once.
        for _ in range(20):
            code, _, told = run('m.spv', 'add', '--global', '4096', '--local', '1', '--threads', '4',
                                '--arg', 'null', '--arg', 'null', '--arg', 'null')
            check(code == 3 and told.count('accessed memory that does not exist') == 1 and
                  told.count('hint: heddle check') == 1, 'null pointer, threads: %d %s' % (code, told))
        # What a kernel writes behind its buffers ends in a page that holds nothing else, or the run.
        for size in (64, 1024, 8192, 65536, 1 << 20):
            code, _, told = run('m.spv', 'add', '--global', str(size), '--arg', 'i32[4]=range', '--arg', 'i32[4]=range',
                                '--arg', 'i32[4]=zeros')
            check(told == '' and code == 0 if size * 4 <= mmap.PAGESIZE else code == 3 and 'does not exist, at address 0x' in told,
                  'behind a buffer, %d: %d %s' % (size, code, told))

        want = 'arg 2: u32[5] = 7, 8, 9, 10, 11\n'
        for name in ('m.spvasm', 'm.spv'):
            for engine in ('compiled', 'interpreted'):
                code, text, said = run(name, *ADD, '--engine', engine)
                check((code, said) == (0, '') and text.endswith(want), f'{name} {engine}: {text}{said}')
        for width in ('1', '4', '8', '16', '32'):
            check(run('m.spv', *ADD, '--width', width)[1].endswith(want), f'--width {width}')
        with open(path('m.spv'), 'rb') as f:
            check(run('-', *ADD, stdin=f)[1].endswith(want), 'a module from standard input')
        check(run('m.spv', *ADD, '--spec', '1=100')[1].endswith('107, 108, 109, 110, 111\n'), '--spec')
        check(run('m.spv', *ADD, '--offset', '2', '--global', '3')[1].endswith('= 0, 0, 9, 10, 11\n'), '--offset')
        code, text, _ = run('m.spv', *ADD, '--print', '2', '--repeat', '3', '--time')
        check(code == 0 and text.startswith(want) and 'compile' in text and 'run' in text,
              '--repeat begins with the buffers as they were')
        code, text, _ = run('m.spv', *ADD, '--json')
        parsed = json.loads(text)
        check(parsed['kernel'] == 'add' and parsed['args'][2]['values'] == SUMS, '--json')

        with open(path('in.bin'), 'wb') as f:
            f.write(struct.pack('<5I', 10, 20, 30, 40, 50))
        code, text, said = run('m.spv', *ADD[:3], '--arg', 'u32[5]=@in.bin', '--arg', 'u32[5]=range:5:-1',
                               '--arg', 'u32[5]=1', '--out', '2=out.bin', '--no-print')
        with open(path('out.bin'), 'rb') as f:
            check((code, text, said) == (0, '', '') and
                  struct.unpack('<5I', f.read()) == (15, 24, 33, 42, 51), 'from a file to a file')
        random = ['m.spv', *ADD[:3], '--arg', 'u32[5]=random:3', '--arg', 'u32[5]=zeros', '--arg', 'u32[5]=zeros']
        first, other = run(*random)[1], run(*[a.replace(':3', ':4') for a in random])[1]
        check(first == run(*random)[1] and first != other, 'a seed gives the same numbers again')

        check(run('m.spv', *ADD, '--expect', '2=7,8,9,10,11')[0] == 0, '--expect')
        code, _, said = run('m.spv', *ADD, '--expect', '2=7,8,9,10,12')
        check(code == 1 and 'element 4 is 11, expected 12' in said, '--expect names the element')
        check(run('m.spv', *ADD, '--expect', '2=7,8,9,10,12', '--tolerance', '0.1')[0] == 0, '--tolerance')

        code, _, said = run('m.spv', 'add', '--global', '4', '--arg', 'u32[4]=0xff0000ff,0xff00ff00,0xffff0000,1',
                            *ADD[5:7], '--arg', 'u32[4]=zeros', '--no-print', '--image', '0=2x2:rgba8:p.png')
        check(code == 0, said)
        with open(path('p.png'), 'rb') as f:
            head, filters, pixels = png_pixels(f.read())
            check(head == (2, 2, 8, 6) and filters == {0} and
                  pixels == struct.pack('<4I', 0xff0000ff, 0xff00ff00, 0xffff0000, 1), '--image')

        for wrong, exit_code in ((['m.spv', 'nothing', '--global', '1'], 2), (['m.spv', '--global', '1'], 2),
                                 (['m.spv', *ADD[:-2]], 2), (['m.spv', *ADD, '--local', '3,3'], 2),
                                 (['m.spv', *ADD[:-1], 'what[5]=zeros'], 2), (['gone.spv', *ADD], 3),
                                 (['m.spv', *ADD[:-1], 'u32[5]=@gone.bin'], 3),
                                 (['m.spv', *ADD, '--out', '2=/nowhere/x'], 3),
                                 (['m.spv', *ADD, '--image', '2=9x9:rgba8:p.png'], 2)):
            code, _, said = run(*wrong)
            check(code == exit_code and ('error: ' in said or said.startswith('heddle run: ')), f'{wrong} ends with {code}: {said}')

        with open(path('many.cl'), 'w') as f:
            f.write('kernel void many(global uint *a) { a[get_global_id(0)] = get_global_id(0); }\n')
        if shutil.which('clang-22'):
            for more, shown, omitted in (([], 4096, 904), (['--print', '0'], 5000, None)):
                code, text, said = run('many.cl', '--global', '5000', '--arg', 'u32[5000]', '--json', *more)
                arg = json.loads(text)['args'][0]
                check(code == 0 and len(arg['values']) == shown and arg.get('omitted') == omitted, f'--json {more}: {text[-200:]}{said}')
        code, _, said = run('m.spv', *ADD, '--repeat', '2147483648')
        check(code == 2 and '--repeat takes a number from 0 to 100000000, not 2147483648' in said, f'--repeat: {code} {said}')

        for engine in ('compiled', 'interpreted'):
            end = on_terminal([heddle, 'run', path('m.spv'), *SLOW, '--engine', engine], 0.2)
            if end is None:
                counts[2] += 1
            else:
                check(end[0] == 3 and 'Ctrl-C again ends it at once' in end[1] and 'interrupted' in end[1], f'Ctrl-C, {engine}: {end[0]} {end[1][-200:]}')

        if shutil.which('clang-22'):
            with open(path('k.cl'), 'w') as f:
                f.write('kernel void k(global int *out, local int *l, uint n) { l[get_local_id(0)] = n;\n'
                        'barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = l[get_local_size(0) - 1 - '
                        'get_local_id(0)] + PLUS; }\n')
            code, text, said = run('k.cl', '--cl', '-DPLUS=2', '--global', '4', '--local', '2', '--arg', 'i32[4]=zeros',
                                   '--arg', 'local[8]', '--arg', 'u32=40')
            check(code == 0 and text.endswith('= 42, 42, 42, 42\n'), f'OpenCL C, local memory: {text}{said}')
    print(f'{counts[0]} passed, {counts[1]} failed, {counts[2]} skipped')
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
