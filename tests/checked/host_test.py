#!/usr/bin/env python3
"""What hosts do wrong under HEDDLE_CHECK: host_test.py [--build FOLDER].

The script calls itself as a host that makes one mistake, or none, and looks at the report. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse, ctypes, ctypes.util, os, subprocess, sys, tempfile

SOURCE = b'''kernel void add(global int *restrict a, global int *restrict b, int n) { int i = get_global_id(0); a[i] = b[i] + n; }
kernel void put(global int *a) { a[get_global_id(0)] = 3; }
kernel void part(global int4 *a) { a[get_global_id(0)].y = 3; a[get_global_id(0)].z = 4; }
kernel void test(global int *a, global int *b) { if (a[get_global_id(0)] > 5) b[0] = 1; }
__attribute__((noinline)) void move(global int *to, global int *from) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void copy(read_only image1d_t a, write_only image1d_t b) { int i = get_global_id(0); write_imagef(b, i, read_imagef(a, i)); }
kernel void room(local int *s) { s[get_local_id(0)] = 1; }
kernel void kept(global int *restrict a, global int *restrict b, int n) { global int *both[2] = {a, b}; move(both[n & 1], both[~n & 1]); }
'''
NO_LOADER = 77
BYTES = 256
# what the host does, what is told (None: nothing)
MISTAKES = {
    'nothing': None,
    'unset argument': 'clEnqueueNDRangeKernel gives CL_INVALID_KERNEL_ARGS [check.call]\n  called in ',
    'wrong size of an argument': 'clSetKernelArg gives CL_INVALID_ARG_SIZE [check.call]',
    'unknown build option': ('clBuildProgram gives CL_INVALID_BUILD_OPTIONS [check.call]', "'-foo' is not a build option [check.call]"),
    'unknown option of the linker': ('clLinkProgram gives CL_INVALID_LINKER_OPTIONS [check.call]',
                                     "'-create-libary' is not a build option [check.call]", 'did you mean -create-library?'),
    'a kernel that the program has not': 'note: clCreateKernel gives CL_INVALID_KERNEL_NAME [check.call]',
    'size 0 of a local argument': 'note: a local argument has no bytes, which platforms before OpenCL 3.1 refuse with CL_INVALID_ARG_SIZE [check.call]',
    'use after release': 'clSetKernelArg gives CL_INVALID_KERNEL [check.call]',
    'release twice': 'clReleaseMemObject gives CL_INVALID_MEM_OBJECT [check.call]',
    'write while mapped': 'while the host has it mapped [check.mapped]',
    'write behind the mapped part': None,
    'write after unmap': None,
    'write while mapped, without waiting': 'while the host has it mapped [check.mapped]',
    'write after unmap, without waiting': None,
    'unmap twice': 'clEnqueueUnmapMemObject gives CL_INVALID_VALUE [check.call]',
    'same buffer twice': "write through argument 0 'a' (restrict) of memory that the work-item also reaches through argument 1 'b' (restrict)",
    'two buffers': None,
    'same buffer twice, by pointers in memory': '[check.restrict]',
    'two buffers, by pointers in memory': None,
    'outside a sub-buffer': 'right behind the end of buffer 0 [check.out-of-bounds]',
    'outside a buffer': "memory: buffer 2, 64 bytes, argument 0 'a', made in ",
    'inside a sub-buffer': None,
    'overlapping parts of a buffer': "arguments 0 and 1 are overlapping parts of a buffer: undefined where one is written [check.sub-buffers]",
    'parts of a buffer side by side': None,
    'same image to read and write': 'arguments 0 and 1 are the same image, one to read and one to write it [check.image-ends]',
    'two images': None,
    'same pipe to read and write': 'arguments 0 and 1 are the same pipe, one to read and one to write it [check.pipe-ends]',
    'two pipes': None,
    'write to a buffer that is only read': 'in memory that kernels may only read [check.read-only]',
    'read of a buffer that is only written': 'in memory that kernels may only write [check.write-only]',
    'component put into a buffer that is only written': None,
    'read of a buffer that nobody wrote': 'a branch depends on a value that is undefined [check.uninitialised]',
    'read of a buffer that was filled': None,
    'released buffer in memory': ('[check.released]', ', released in '),
    'memory given to a buffer, used again for another': 'in buffer 2, whose memory buffer 3 has now: was it freed? [check.released]',
    'device pointer to host memory': "of the host's memory through a pointer to the device's memory [check.wrong-class]",
    'device pointer to device memory': None,
    'host pointer to device memory': "of the device's memory through a pointer to the host's memory [check.wrong-class]",
    'host pointer to host memory': None,
    'memory of the host in two buffers, one released': None,
    'variables of a program that is gone, where another has its own': None,
    'kernels of one name in two programs': 'check.out-of-bounds          2 places',
    'one program built twice': 'check.out-of-bounds          1 place',
    'keeps objects': '2 memory objects have not been released [check.leak]',
}


def host(what):
    try:
        cl = ctypes.CDLL(ctypes.util.find_library('OpenCL') or 'libOpenCL.so.1')
    except OSError:
        return NO_LOADER
    pointer, code = ctypes.c_void_p, ctypes.c_int()
    size = ctypes.c_size_t

    def make(name, *args):
        function = getattr(cl, name)
        function.restype = pointer
        made = pointer(function(*args, ctypes.byref(code)))
        assert code.value == 0, (name, code.value)
        return made

    def run(kernel, items):
        n = size(items)
        status = cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(n), None, 0, None, None)
        cl.clFinish(queue)
        return status

    def put_arg(kernel, index, value, bytes_=None):
        return cl.clSetKernelArg(kernel, index, size(bytes_ or ctypes.sizeof(value)), ctypes.byref(value))

    platform, device = pointer(), pointer()
    assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
    assert cl.clGetDeviceIDs(platform, ctypes.c_uint64(0xFFFFFFFF), 1, ctypes.byref(device), None) == 0
    context = make('clCreateContext', None, 1, ctypes.byref(device), None, None)
    queue = make('clCreateCommandQueue', context, device, ctypes.c_uint64(0))
    text = ctypes.c_char_p(SOURCE)
    program = make('clCreateProgramWithSource', context, 1, ctypes.byref(text), None)
    assert cl.clBuildProgram(program, 1, ctypes.byref(device), None, None, None) == 0
    add, put = make('clCreateKernel', program, b'add'), make('clCreateKernel', program, b'put')
    data = (ctypes.c_int * (BYTES // 4))()
    a = make('clCreateBuffer', context, ctypes.c_uint64(1 | 32), size(BYTES), ctypes.byref(data))
    b = make('clCreateBuffer', context, ctypes.c_uint64(1 | 32), size(BYTES), ctypes.byref(data))
    kept, one = [add, put, a, b], ctypes.c_int(1)

    def map_(offset, bytes_, blocking=1):
        return make('clEnqueueMapBuffer', queue, a, blocking, ctypes.c_uint64(1), size(offset), size(bytes_), 0, None, None)

    def unmap(at):
        return cl.clEnqueueUnmapMemObject(queue, a, at, 0, None, None)

    if what == 'unset argument':
        put_arg(add, 0, a)
        assert run(add, 16) == -52
    elif what == 'wrong size of an argument':
        put_arg(add, 2, a)
    elif what == 'unknown build option':
        other = make('clCreateProgramWithSource', context, 1, ctypes.byref(text), None)
        assert cl.clBuildProgram(other, 1, ctypes.byref(device), b'-foo', None, None) == -43
        cl.clReleaseProgram(other)
    elif what == 'unknown option of the linker':
        other = make('clCreateProgramWithSource', context, 1, ctypes.byref(text), None)
        assert cl.clCompileProgram(other, 0, None, None, 0, None, None, None, None) == 0
        cl.clLinkProgram(context, 0, None, b'-create-libary', 1, ctypes.byref(other), None, None, ctypes.byref(code))
        assert code.value == -67
        cl.clReleaseProgram(other)
    elif what == 'a kernel that the program has not':
        cl.clCreateKernel(program, b'_build_duration_info', ctypes.byref(code))
        assert code.value == -46
    elif what == 'size 0 of a local argument':
        room = make('clCreateKernel', program, b'room')
        cl.clSetKernelArg(room, 0, size(0), None)
        cl.clReleaseKernel(room)
    elif what == 'use after release':
        cl.clReleaseKernel(put)
        kept.remove(put)
        put_arg(put, 0, a)
    elif what == 'release twice':
        cl.clReleaseMemObject(b)
        cl.clReleaseMemObject(b)
        kept.remove(b)
    elif what in ('write while mapped', 'write behind the mapped part'):
        at = map_(64 if 'behind' in what else 0, 64)
        put_arg(put, 0, a)
        run(put, 16)
        unmap(at)
    elif what == 'write after unmap':
        unmap(map_(0, 64))
        put_arg(put, 0, a)
        run(put, 16)
    elif what == 'write while mapped, without waiting':
        at = map_(0, 64, 0)
        put_arg(put, 0, a)
        run(put, 16)
        unmap(at)
    elif what == 'write after unmap, without waiting':
        unmap(map_(0, 64, 0))
        put_arg(put, 0, a)
        run(put, 16)
    elif what == 'unmap twice':
        at = map_(0, 64)
        unmap(at)
        unmap(at)
    elif 'parts of a buffer' in what:
        kernel = make('clCreateKernel', program, b'test')
        parts = [make('clCreateSubBuffer', a, ctypes.c_uint64(0), 0x1220, ctypes.byref((size * 2)(at, bytes_)))
                 for at, bytes_ in ((0, 192 if 'overlapping' in what else 128), (128, 128))]
        for i, part in enumerate(parts):
            put_arg(kernel, i, part)
        run(kernel, 16)
        for made in parts:
            cl.clReleaseMemObject(made)
        cl.clReleaseKernel(kernel)
    elif 'image' in what:
        kernel = make('clCreateKernel', program, b'copy')
        form = (ctypes.c_uint * 2)(0x10B0, 0x10DE)
        shape = (ctypes.c_uint64 * 9)(0x10F4, 16)
        images = [make('clCreateImage', context, ctypes.c_uint64(1 | 32), ctypes.byref(form), ctypes.byref(shape), ctypes.byref(data))
                  for _ in range(2)]
        put_arg(kernel, 0, images[0])
        put_arg(kernel, 1, images[0 if 'same' in what else 1])
        run(kernel, 16)
        for made in images:
            cl.clReleaseMemObject(made)
        cl.clReleaseKernel(kernel)
    elif 'pipe' in what:
        text = ctypes.c_char_p(b'kernel void pass(read_only pipe int a, write_only pipe int b) { int x = 1; read_pipe(a, &x); write_pipe(b, &x); }')
        other = make('clCreateProgramWithSource', context, 1, ctypes.byref(text), None)
        assert cl.clBuildProgram(other, 1, ctypes.byref(device), b'-cl-std=CL3.0', None, None) == 0
        kernel = make('clCreateKernel', other, b'pass')
        pipes = [make('clCreatePipe', context, ctypes.c_uint64(1), 4, 4, None) for _ in range(2)]
        put_arg(kernel, 0, pipes[0])
        put_arg(kernel, 1, pipes[0 if 'same' in what else 1])
        assert run(kernel, 1) == 0
        for made in pipes:
            cl.clReleaseMemObject(made)
        cl.clReleaseKernel(kernel)
        cl.clReleaseProgram(other)
    elif what.startswith(('same buffer twice', 'two buffers')):
        kernel = make('clCreateKernel', program, b'kept') if 'memory' in what else add
        put_arg(kernel, 0, a)
        put_arg(kernel, 1, a if 'same' in what else b)
        put_arg(kernel, 2, one)
        run(kernel, 16)
        if kernel != add:
            cl.clReleaseKernel(kernel)
    elif what.startswith('memory of the host'):
        over = [make('clCreateBuffer', context, ctypes.c_uint64(1 | 8), size(BYTES), ctypes.byref(data)) for _ in range(2)]
        cl.clReleaseMemObject(over[0])
        put_arg(put, 0, over[1])
        run(put, 16)
        cl.clReleaseMemObject(over[1])
    elif what.startswith('variables'):
        for _ in range(8):
            for name in (b'spoil', b'ask'):
                text = ctypes.c_char_p(b'char4 v; kernel void %s(global char4 *a) { %s; }' % (
                    name, b'char4 x; v = x' if name == b'spoil' else b'if (v.x) *a = 1'))
                other = make('clCreateProgramWithSource', context, 1, ctypes.byref(text), None)
                assert cl.clBuildProgram(other, 1, ctypes.byref(device), b'-cl-std=CL3.0 -cl-opt-disable', None, None) == 0
                kernel = make('clCreateKernel', other, name)
                put_arg(kernel, 0, a)
                assert run(kernel, 1) == 0
                cl.clReleaseKernel(kernel)
                cl.clReleaseProgram(other)
    elif 'program' in what:
        for n in (1, 2 if 'two' in what else 1):
            text = ctypes.c_char_p(b'kernel void far(global int *a) { a[%d] = %d; }' % (BYTES, n))
            other = make('clCreateProgramWithSource', context, 1, ctypes.byref(text), None)
            assert cl.clBuildProgram(other, 1, ctypes.byref(device), None, None, None) == 0
            far = make('clCreateKernel', other, b'far')
            put_arg(far, 0, a)
            assert run(far, 1) == 0
            cl.clReleaseKernel(far)
            cl.clReleaseProgram(other)
    elif what == 'outside a buffer':
        small = make('clCreateBuffer', context, ctypes.c_uint64(1 | 32), size(64), ctypes.byref(data))
        put_arg(put, 0, small)
        run(put, 17)
        cl.clReleaseMemObject(small)
    elif 'sub-buffer' in what:
        region = (size * 2)(128, 64)
        sub = make('clCreateSubBuffer', a, ctypes.c_uint64(0), 0x1220, ctypes.byref(region))
        put_arg(put, 0, sub)
        run(put, 17 if 'outside' in what else 16)
        cl.clReleaseMemObject(sub)
    elif what.startswith('memory given to a buffer'):
        old = make('clCreateBuffer', context, ctypes.c_uint64(1 | 8), size(BYTES), ctypes.byref(data))
        new = make('clCreateBuffer', context, ctypes.c_uint64(1 | 8), size(64), ctypes.byref(data, 128))
        put_arg(put, 0, old)
        run(put, 1)
        cl.clReleaseMemObject(old)
        cl.clReleaseMemObject(new)
    elif what == 'released buffer in memory':
        shared = cl.clSVMAlloc
        shared.restype = pointer
        memory = pointer(shared(context, ctypes.c_uint64(1), size(64), 0))
        cl.clSetKernelArgSVMPointer(put, 0, memory)
        cl.clSVMFree(context, memory)
        run(put, 16)
    elif what.startswith('component'):
        c, part = make('clCreateBuffer', context, ctypes.c_uint64(2 | 32), size(BYTES), ctypes.byref(data)), make('clCreateKernel', program, b'part')
        put_arg(part, 0, c)
        run(part, 4)
        cl.clEnqueueReadBuffer(queue, c, 1, size(0), size(BYTES), ctypes.byref(data), 0, None, None)
        assert list(data[:16]) == [0, 3, 4, 0] * 4, list(data)
        cl.clReleaseKernel(part)
        cl.clReleaseMemObject(c)
    elif 'a buffer that' in what:
        flags, kernel = {'write to': (4 | 32, put), 'read of': (1, make('clCreateKernel', program, b'test'))}[what[:what.index(' a buf')]]
        if 'only written' in what:
            flags = 2
        c = make('clCreateBuffer', context, ctypes.c_uint64(flags), size(BYTES), ctypes.byref(data) if flags & 32 else None)
        if 'filled' in what:
            assert cl.clEnqueueFillBuffer(queue, c, ctypes.byref(one), size(4), size(0), size(BYTES), 0, None, None) == 0
        put_arg(kernel, 0, c)
        if kernel != put:
            put_arg(kernel, 1, b)
        run(kernel, 1)
        cl.clReleaseMemObject(c)
        if kernel != put:
            cl.clReleaseKernel(kernel)
    elif what.startswith(('device pointer', 'host pointer')):
        find = cl.clGetExtensionFunctionAddressForPlatform
        find.restype = pointer

        def extension(name, result, *types):
            return ctypes.CFUNCTYPE(result, *types)(find(platform, name))

        with open(os.environ['USM_MODULE' if what.startswith('device') else 'USM_HOST_MODULE'], 'rb') as f:
            words = f.read()
        module = make('clCreateProgramWithIL', context, words, size(len(words)))
        assert cl.clBuildProgram(module, 1, ctypes.byref(device), None, None, None) == 0
        usm = make('clCreateKernel', module, b'usm')
        if 'to host memory' in what:
            memory = extension(b'clHostMemAllocINTEL', pointer, pointer, pointer, size, ctypes.c_uint, pointer)(context, None, 64, 0, None)
        else:
            memory = extension(b'clDeviceMemAllocINTEL', pointer, pointer, pointer, pointer, size, ctypes.c_uint, pointer)(
                context, device, None, 64, 0, None)
        assert memory and extension(b'clSetKernelArgMemPointerINTEL', ctypes.c_int, pointer, ctypes.c_uint, pointer)(usm, 0, memory) == 0
        assert run(usm, 1) == 0
        extension(b'clMemFreeINTEL', ctypes.c_int, pointer, pointer)(context, memory)
        cl.clReleaseKernel(usm)
        cl.clReleaseProgram(module)
    if what != 'keeps objects':
        for made in kept:
            (cl.clReleaseKernel if made in (add, put) else cl.clReleaseMemObject)(made)
    cl.clReleaseProgram(program)
    cl.clReleaseCommandQueue(queue)
    cl.clReleaseContext(context)
    return 0


def run(build, what, **options):
    env = {k: v for k, v in os.environ.items() if not k.startswith('HEDDLE_CHECK')}
    driver = os.path.abspath(build + '/libheddle-cl.so')
    env.update(options, OCL_ICD_VENDORS=driver, OCL_ICD_FILENAMES=driver)
    return subprocess.run([sys.executable, os.path.abspath(__file__), '--host', what], env=env, timeout=300,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build')
    parser.add_argument('--host', help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.host:
        return host(o.host)
    good = bad = 0
    here = os.path.dirname(os.path.abspath(__file__))
    module, other = tempfile.NamedTemporaryFile(suffix='.spv'), tempfile.NamedTemporaryFile(suffix='.spv')
    for key, text, to in ('USM_MODULE', 'usm', module), ('USM_HOST_MODULE', 'usm_host', other):
        subprocess.run([o.build + '/heddle', 'as', here + '/%s.spvasm' % text, '-o', to.name], check=True)
        os.environ[key] = to.name
    for what, told in MISTAKES.items():
        p = run(o.build, what, HEDDLE_CHECK='1')
        if p.returncode == NO_LOADER:
            print('0 passed, 0 failed, 1 skipped')
            return 0
        fine = p.returncode == 0 and (all(t in p.stderr for t in ([told] if isinstance(told, str) else told)) if told else '[check.' not in p.stderr)
        good += fine
        bad += not fine
        if not fine:
            print('failed: %s (exit %d)\n%s' % (what, p.returncode, p.stderr))
    print('%d passed, %d failed, 0 skipped' % (good, bad))
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
