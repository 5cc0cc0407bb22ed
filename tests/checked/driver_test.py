#!/usr/bin/env python3
"""HEDDLE_CHECK in a host program that knows nothing of it: driver_test.py [--build FOLDER].

The script calls itself as that host: through the ICD loader it builds a program from source and runs a kernel. What
the process ends with, prints and leaves in the report's file is looked at. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse, ctypes, ctypes.util, json, os, re, resource, subprocess, sys, tempfile

SOURCE = b'''kernel void fine(global int *out) { out[get_global_id(0)] = 7; }
kernel void bad(global int *out) { out[get_global_id(0) + 1] = 7; }
kernel void bytes(global char *out) { for (int i = 0; i < 4; i++) out[get_global_id(0) * 4 + i] = 7; }
'''
ITEMS = 16
MANY, LARGE = 16, 1 << 20   # buffers one after the other, items of each
NO_LOADER = 77


def host(kernel, times, items):
    """Run a kernel on a buffer of ints, and so on with another buffer; the status says whether the API calls succeeded."""
    try:
        cl = ctypes.CDLL(ctypes.util.find_library('OpenCL') or 'libOpenCL.so.1')
    except OSError:
        return NO_LOADER
    for name in ('clCreateContext', 'clCreateCommandQueue', 'clCreateProgramWithSource', 'clCreateKernel', 'clCreateBuffer'):
        getattr(cl, name).restype = ctypes.c_void_p
    platform, device, code, flags = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_uint64
    assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
    assert cl.clGetDeviceIDs(platform, flags(0xFFFFFFFF), 1, ctypes.byref(device), None) == 0
    context = ctypes.c_void_p(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(code)))
    queue = ctypes.c_void_p(cl.clCreateCommandQueue(context, device, flags(0), ctypes.byref(code)))
    text, options = ctypes.c_char_p(SOURCE), os.environ.get('BUILD_OPTIONS', '').encode()
    program = ctypes.c_void_p(cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None, ctypes.byref(code)))
    assert cl.clBuildProgram(program, 1, ctypes.byref(device), options, None, None) == 0
    made = ctypes.c_void_p(cl.clCreateKernel(program, kernel.encode(), ctypes.byref(code)))
    assert code.value == 0
    size = ctypes.c_size_t(items)
    for _ in range(times):
        buffer = ctypes.c_void_p(cl.clCreateBuffer(context, flags(1), ctypes.c_size_t(items * 4), None, ctypes.byref(code)))
        assert code.value == 0
        assert cl.clSetKernelArg(made, 0, ctypes.c_size_t(8), ctypes.byref(buffer)) == 0
        assert cl.clEnqueueNDRangeKernel(queue, made, 1, None, ctypes.byref(size), None, 0, None, None) == 0
        assert cl.clFinish(queue) == 0
        assert cl.clReleaseMemObject(buffer) == 0
    if os.environ.get('HOST_ABORTS'):
        os.abort()
    for release, what in (('Kernel', made), ('Program', program), ('CommandQueue', queue), ('Context', context)):
        assert getattr(cl, 'clRelease' + release)(what) == 0
    print('%d KiB' % resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    print('host done', flush=True)
    return 0


def run(build, kernel, times=1, items=ITEMS, cwd=None, **options):
    env = {k: v for k, v in os.environ.items() if not k.startswith('HEDDLE_CHECK')}
    driver = os.path.abspath(build + '/libheddle-cl.so')
    env.update(options, OCL_ICD_VENDORS=driver, OCL_ICD_FILENAMES=driver)
    return subprocess.run([sys.executable, os.path.abspath(__file__), '--host', kernel, str(times), str(items)], env=env, timeout=300, cwd=cwd,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def cases(build, folder):
    """(what, whether it holds, what the host said)"""
    p = run(build, 'bad')
    yield 'without HEDDLE_CHECK nothing is said', p.returncode == 0 and 'check.' not in p.stderr, p
    p = run(build, 'bad', HEDDLE_CHECK='yes')
    yield 'an invalid value is told once', p.stderr.count('HEDDLE_CHECK=yes is invalid; using 0') == 1 and 'check.' not in p.stderr, p
    p = run(build, 'bad', HEDDLE_CHECK='1')
    yield 'a defect is reported', '[check.out-of-bounds]' in p.stderr and 'host done' in p.stdout, p
    yield 'with the line of the program\'s source', re.search(r'\n    .*\n +\^\n', p.stderr) is not None, p
    yield 'without HEDDLE_CHECK_EXIT the status is the host\'s', p.returncode == 0, p
    p = run(build, 'bad', HEDDLE_CHECK='1', HEDDLE_CHECK_EXIT='1')
    yield 'with it the status is 1', p.returncode == 1 and 'host done' in p.stdout, p
    p = run(build, 'bad', times=3, HEDDLE_CHECK='1')
    yield 'a place is reported once', p.stderr.count('[check.out-of-bounds]') == 1 and p.stderr.count('check: ') == 1, p
    yield 'and counted in the summary', re.search(r'check.out-of-bounds +1 place, 3 times', p.stderr) is not None, p
    p = run(build, 'bad', HEDDLE_CHECK='1', HOST_ABORTS='1')
    yield 'a host that aborts leaves the report', p.returncode != 0 and '[check.out-of-bounds]' in p.stderr and 'check: ' not in p.stderr, p
    p = run(build, 'bad', HEDDLE_CHECK='1', HOST_ABORTS='1', HEDDLE_CHECK_REPORT=folder + '/aborted.sarif')
    yield 'also in a file', len(json.loads(read(folder + '/aborted.sarif'))['runs'][0]['results']) == 1, p
    p = run(build, 'fine', HEDDLE_CHECK='1', HEDDLE_CHECK_EXIT='1')
    yield 'a kernel without defect ends with 0', p.returncode == 0 and '[check.' not in p.stderr, p
    p = run(build, 'bad', BUILD_OPTIONS='-heddle-check', HEDDLE_CHECK_EXIT='1')
    yield 'a build option asks for it, too', p.returncode == 1 and '[check.out-of-bounds]' in p.stderr and 'host done' in p.stdout, p
    yield 'of a buffer that is older', 'right behind the end of buffer 0' in p.stderr and "64 bytes, argument 0 'out'" in p.stderr, p
    p = run(build, 'fine', BUILD_OPTIONS='-heddle-check', HEDDLE_CHECK_EXIT='1')
    yield 'and finds nothing where nothing is', p.returncode == 0 and '[check.' not in p.stderr, p
    for end in ('txt', 'json', 'sarif', 'html'):
        path = '%s/bad.%s' % (folder, end)
        p = run(build, 'bad', HEDDLE_CHECK='1', HEDDLE_CHECK_EXIT='1', HEDDLE_CHECK_REPORT=path)
        text = read(path) if os.path.exists(path) else ''
        yield 'the report %s names the rule' % end, 'check.out-of-bounds' in text and p.returncode == 1, p
        yield 'with %s nothing goes to standard error' % end, 'check.' not in p.stderr, p
        if end in ('json', 'sarif'):
            yield '%s is JSON' % end, len(json.loads(text)) > 0, p
    # The compiler shortens names of files by what they share with the current folder.
    for cwd in (folder, '/'):
        for end in ('txt', 'json', 'sarif', 'html'):
            path = '%s/named.%s' % (folder, end)
            p = run(build, 'bad', cwd=cwd, HEDDLE_CHECK='1', HEDDLE_CHECK_REPORT=path, HEDDLE_CACHE='0', TMPDIR=os.path.dirname(folder))
            text = read(path)
            yield 'in %s the report %s calls the source what the build log calls it' % (cwd, end), 'source.cl' in text and 'heddle-clc' not in text, p
    path = folder + '/fine.sarif'
    p = run(build, 'fine', HEDDLE_CHECK='1', HEDDLE_CHECK_EXIT='1', HEDDLE_CHECK_REPORT=path)
    yield 'a report without results', json.loads(read(path))['runs'][0]['results'] == [] and p.returncode == 0, p
    # What is known of each byte goes with a buffer: ten times as much as these have.
    p = run(build, 'bytes', times=MANY, items=LARGE, HEDDLE_CHECK='1')
    peak = re.search(r'(\d+) KiB', p.stdout)
    yield 'released buffers leave no notes of their bytes', peak and int(peak.group(1)) < 256 * 1024, p
    p = run(build, 'bad', HEDDLE_CHECK='1', HEDDLE_CHECK_REPORT=folder + '/none/bad.txt')
    yield 'a report that cannot be written is printed', '[check.out-of-bounds]' in p.stderr, p


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--host', nargs=3)
    options = parser.parse_args()
    if options.host:
        return host(options.host[0], int(options.host[1]), int(options.host[2]))
    if run(options.build, 'fine').returncode == NO_LOADER:
        print('no OpenCL loader\n0 passed, 0 failed, 1 skipped')
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix='heddle-driver-') as folder:
        for what, holds, p in cases(options.build, folder):
            passed += bool(holds)
            failed += not holds
            if not holds:
                print('failed: %s\nstatus %d\n%s%s' % (what, p.returncode, p.stdout, p.stderr))
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
