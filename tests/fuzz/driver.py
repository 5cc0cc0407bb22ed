"""Kernels on another OpenCL driver, through the ICD loader: a third judge, where there is one.

SPDX-License-Identifier: MIT
"""
import ctypes, os, pickle, signal, subprocess, sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p


class Driver:
    """icd: a library or an .icd file, of which the first device is taken."""

    def __init__(self, icd):
        os.environ['OCL_ICD_VENDORS'] = os.path.abspath(icd)
        self.cl = cl = ctypes.CDLL('libOpenCL.so.1')
        for name in ('clCreateContext', 'clCreateCommandQueue', 'clCreateProgramWithSource', 'clCreateKernel', 'clCreateBuffer'):
            getattr(cl, name).restype = c_void_p
        platform, self.device, error = c_void_p(), c_void_p(), c_int()
        self.check('clGetPlatformIDs', cl.clGetPlatformIDs(1, byref(platform), None))
        self.check('clGetDeviceIDs', cl.clGetDeviceIDs(platform, c_uint64(0xffffffff), 1, byref(self.device), None))
        self.context = c_void_p(cl.clCreateContext(None, 1, byref(self.device), None, None, byref(error)))
        self.check('clCreateContext', error.value)
        self.queue = c_void_p(cl.clCreateCommandQueue(self.context, self.device, c_uint64(0), byref(error)))
        self.check('clCreateCommandQueue', error.value)

    @staticmethod
    def check(what, error):
        if error:
            raise RuntimeError('%s: error %d' % (what, error))

    def program(self, text, options):
        data, error = c_char_p(text.encode()), c_int()
        program = c_void_p(self.cl.clCreateProgramWithSource(self.context, 1, byref(data), None, byref(error)))
        self.check('clCreateProgramWithSource', error.value)
        self.check('clBuildProgram', self.cl.clBuildProgram(program, 1, byref(self.device), options.encode(), None, None))
        return program

    def run(self, program, name, total, size, source, out_bytes):
        """What `out` holds."""
        cl, error = self.cl, c_int()
        kernel = c_void_p(cl.clCreateKernel(program, name.encode(), byref(error)))
        self.check('clCreateKernel', error.value)
        data, out = ctypes.create_string_buffer(source, len(source)), ctypes.create_string_buffer(out_bytes)
        buffers = []
        for index, content in enumerate((data, out)):
            size_bytes = len(source) if index == 0 else out_bytes
            buffers.append(c_void_p(cl.clCreateBuffer(self.context, c_uint64(1 | 1 << 5), c_size_t(size_bytes), content, byref(error))))
            self.check('clCreateBuffer', error.value)
            self.check('clSetKernelArg', cl.clSetKernelArg(kernel, c_uint(index), c_size_t(8), byref(buffers[-1])))
        self.check('clEnqueueNDRangeKernel', cl.clEnqueueNDRangeKernel(self.queue, kernel, 1, None, byref(c_size_t(total)), byref(c_size_t(size)), 0,
                                                                       None, None))
        self.check('clEnqueueReadBuffer', cl.clEnqueueReadBuffer(self.queue, buffers[1], 1, c_size_t(0), c_size_t(out_bytes), out, 0, None, None))
        for buffer in buffers:
            cl.clReleaseMemObject(buffer)
        cl.clReleaseKernel(kernel)
        return out.raw


class Apart:
    """A Driver in a process of its own: a driver that dies of a kernel has no answer, and the next kernel gets a new process."""

    def __init__(self, icd):
        self.icd, self.process = icd, None

    def run(self, text, *launch):
        """What `out` holds; RuntimeError if there is no answer. launch: of Driver.run, without the program."""
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), self.icd], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            pickle.dump((text, launch), self.process.stdin)
            self.process.stdin.flush()
            kind, answer = pickle.load(self.process.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            status, self.process = self.process.wait(), None
            raise RuntimeError(signal.strsignal(-status) if status < 0 else 'exit status %d' % status)
        if kind == 'error':
            raise RuntimeError(answer)
        return answer


def serve(icd):
    answers = os.fdopen(os.dup(1), 'wb')  # drivers print, too
    os.dup2(2, 1)
    driver = Driver(icd)
    while True:
        try:
            text, launch = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        signal.alarm(120)  # what was compiled wrong may not end
        try:
            told = 'bytes', driver.run(driver.program(text, ''), *launch)
        except RuntimeError as e:
            told = 'error', str(e)
        signal.alarm(0)
        pickle.dump(told, answers)
        answers.flush()


if __name__ == '__main__':
    serve(sys.argv[1])
