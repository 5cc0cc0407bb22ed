#!/usr/bin/env python3
"""A host program without packages, for bench/trace.py and tests/tool/trace_test.py: OpenCL by ctypes.

  trace_host.py LAUNCHES WORK [end|kill|fork|threads]

Builds a kernel, launches it so often with so much work, reads back, and prints microseconds of a launch: the
median on the wall, and of processors on average.
SPDX-License-Identifier: MIT
"""
import ctypes, os, signal, statistics, sys, threading, time
from ctypes import byref, c_int, c_size_t, c_uint, c_void_p

SOURCE = b'''kernel void spin(global float *out, int work)
{
    size_t i = get_global_id(0);
    float x = i;

    for (int k = 0; k < work; k++)
        x = fma(x, 0.999f, 0.5f);
    out[i] = x;
}
'''
ITEMS = 1 << 16
cl = ctypes.CDLL('libOpenCL.so.1')
for name in ('clCreateContext', 'clCreateCommandQueue', 'clCreateBuffer', 'clCreateProgramWithSource', 'clCreateKernel'):
    getattr(cl, name).restype = c_void_p


def fine(code):
    if code != 0:
        sys.exit('OpenCL error %d' % code)


class Host:
    def __init__(self):
        self.platform, self.device, error = c_void_p(), c_void_p(), c_int()
        fine(cl.clGetPlatformIDs(1, byref(self.platform), None))
        fine(cl.clGetDeviceIDs(self.platform, ctypes.c_ulong(0xffffffff), 1, byref(self.device), None))
        self.context = c_void_p(cl.clCreateContext(None, 1, byref(self.device), None, None, byref(error)))
        self.queue = c_void_p(cl.clCreateCommandQueue(self.context, self.device, ctypes.c_ulong(0), byref(error)))
        source = ctypes.c_char_p(SOURCE)
        program = c_void_p(cl.clCreateProgramWithSource(self.context, 1, byref(source), None, byref(error)))
        fine(cl.clBuildProgram(program, 0, None, None, None, None))
        self.kernel = c_void_p(cl.clCreateKernel(program, b'spin', byref(error)))
        fine(error.value)
        self.out = c_void_p(cl.clCreateBuffer(self.context, ctypes.c_ulong(1), c_size_t(4 * ITEMS), None, byref(error)))
        fine(cl.clSetKernelArg(self.kernel, 0, c_size_t(8), byref(self.out)))

    def launch(self, work):
        size, n = c_size_t(ITEMS), c_int(work)
        fine(cl.clSetKernelArg(self.kernel, 1, c_size_t(4), byref(n)))
        fine(cl.clEnqueueNDRangeKernel(self.queue, self.kernel, c_uint(1), None, byref(size), None, 0, None, None))
        fine(cl.clFinish(self.queue))

    def read(self):
        data = (ctypes.c_float * ITEMS)()
        fine(cl.clEnqueueReadBuffer(self.queue, self.out, c_uint(1), c_size_t(0), c_size_t(4 * ITEMS), data, 0, None, None))
        return data


def ask(host, times):
    for _ in range(times):
        fine(cl.clGetPlatformInfo(host.platform, c_uint(0x0902), c_size_t(0), None, None))


def main():
    launches, work, how = int(sys.argv[1]), int(sys.argv[2]), (sys.argv[3:] + ['end'])[0]
    host = Host()
    host.launch(work)
    times, used = [], time.process_time()
    for _ in range(launches):
        start = time.perf_counter()
        host.launch(work)
        times.append(time.perf_counter() - start)
    used = (time.process_time() - used) / max(launches, 1)
    host.read()
    if how == 'threads':
        all_of = [threading.Thread(target=ask, args=(host, 500)) for _ in range(8)]
        for t in all_of:
            t.start()
        for t in all_of:
            t.join()
    elif how == 'fork':
        child = os.fork()
        ask(host, 10)
        if child == 0:
            time.sleep(0.2)
            ask(host, 1)
            sys.exit(0)
        os.waitpid(child, 0)
        print(child)
        return
    elif how == 'kill':
        time.sleep(0.2)
        ask(host, 1)
        os.kill(os.getpid(), signal.SIGKILL)
    print(statistics.median(times) * 1e6 if times else 0, used * 1e6)


if __name__ == '__main__':
    main()
