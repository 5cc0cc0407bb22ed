#!/usr/bin/env python3
"""How fast assembler, disassembler and validator are, beside SPIRV-Tools.

    bench/text.py [--size 1,10,50] [--shapes] [--module FILE.spv]… [--no-peer | --peer-limit SECONDS]

Prints megabytes of binary module per second of processor time (the best of a few library calls) and
the peak of memory beyond input and output, relative to the module. The modules are real ones whose
functions, names and decorations are repeated with fresh ids up to a size, and with --shapes also
modules that have very much of one thing. The peer's programs (spirv-as, spirv-dis, spirv-val) are
measured as processes, which costs them a millisecond each; one that takes longer than --peer-limit
is ended, and shown as such.

SPDX-License-Identifier: MIT
"""
import argparse
import ast
import ctypes
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from text_shapes import AS_WRITTEN, SHAPES, repeated, small_functions


class Library:
    def __init__(self, path):
        self.so = ctypes.CDLL(path)
        for name in ('heddle_assemble', 'heddle_disassemble', 'heddle_validate'):
            getattr(self.so, name).restype = ctypes.c_int
        self.so.heddle_free.argtypes = [ctypes.c_void_p]
        self.strlen = ctypes.CDLL(None).strlen
        self.strlen.restype = ctypes.c_size_t

    def assemble(self, text):
        words, count = ctypes.c_void_p(), ctypes.c_size_t()
        st = self.so.heddle_assemble(text, ctypes.c_size_t(len(text)), None, ctypes.byref(words),
                                     ctypes.byref(count))
        self.so.heddle_free(words)
        return st, count.value * 4

    def disassemble(self, module, flags=0):
        text = ctypes.c_void_p()
        st = self.so.heddle_disassemble(module, ctypes.c_size_t(len(module) // 4),
                                        ctypes.c_uint(flags), None, ctypes.byref(text))
        size = self.strlen(text) if st == 0 else 0
        self.so.heddle_free(text)
        return st, size

    def validate(self, module):
        return self.so.heddle_validate(module, ctypes.c_size_t(len(module) // 4), None, None,
                                       None), 0


def in_child(work):
    """Run work() in a process of its own and return what it returns, a tuple of numbers."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(w, repr(work()).encode())
        os._exit(0)
    os.close(w)
    with os.fdopen(r) as f:
        text = f.read()
    os.waitpid(pid, 0)
    return ast.literal_eval(text)


def peak(library, call, path):
    """The most memory that a process takes which makes the call once (or reads the file only)."""
    out = subprocess.run([sys.executable, __file__, '--peak', library, call, path], check=True,
                         capture_output=True, text=True).stdout.split()
    return int(out[0]), int(out[1])


def call_once(library, call, path):
    lib = Library(library)
    with open(path, 'rb') as f:
        data = f.read()
    made = 0 if call == 'none' else getattr(lib, call)(data)[1]
    with open('/proc/self/status') as f:
        print(next(int(line.split()[1]) * 1024 for line in f if line.startswith('VmHWM')), made)


def measure(library, call, path, repeat):
    def seconds():
        lib, best = Library(library), 1e9
        with open(path, 'rb') as f:
            data = f.read()
        for _ in range(repeat):
            start = time.process_time()
            st, _ = getattr(lib, call)(data)
            best = min(best, time.process_time() - start)
        return st, best

    st, best = in_child(seconds)
    base, _ = peak(library, 'none', path)
    used, made = peak(library, call, path)
    return st, best, used - base - made


def measure_peer(command, repeat, limit):
    """Status, seconds, bytes; the status is None where the limit of processor time ended it."""
    best, st = 1e9, 0
    for _ in range(repeat):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))) as p:
            _, st, usage = os.wait4(p.pid, 0)
            p.returncode = 0
        if os.WIFSIGNALED(st) and os.WTERMSIG(st) in (signal.SIGXCPU, signal.SIGKILL):
            return None, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        best = min(best, usage.ru_utime + usage.ru_stime)
    return st, best, usage.ru_maxrss * 1024


def show(options, name, module, text):
    size = os.path.getsize(module)
    row = [f'{name:24} {size / 1e6:6.1f} MB']
    for call, path, peer in (('assemble', text, ['spirv-as', text, '-o', '/dev/null']),
                             ('disassemble', module, ['spirv-dis', module]),
                             ('validate', module, ['spirv-val', module])):
        repeat = max(2, min(9, int(2e7 / size)))
        st, seconds, used = measure(options.library, call, path, repeat)
        what = {'assemble': 'as', 'disassemble': 'dis', 'validate': 'val'}[call]
        row.append(f'{what}{"" if st == 0 else "(" + str(st) + ")"} {size / 1e6 / seconds:6.1f} '
                   f'x{used / size:4.1f}')
        if options.peer and shutil.which(peer[0]):
            pst, seconds, used = measure_peer(peer, 1 if size > 2e6 else 3, options.peer_limit)
            mark = '<' if pst is None else '' if pst == 0 else '!'
            row.append(f'[{mark}{size / 1e6 / seconds:5.1f} x{used / size:4.0f}]')
    print('  '.join(row), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--size', default='1,10,50', help='megabytes')
    parser.add_argument('--module', action='append', default=[], help='a real module to repeat')
    parser.add_argument('--shapes', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('--no-peer', dest='peer', action='store_false')
    parser.add_argument('--peer-limit', type=int, default=5, help='seconds for one call of the peer')
    parser.add_argument('--keep', help='keep the modules in this folder and use what is there')
    if sys.argv[1:2] == ['--peak']:
        return call_once(*sys.argv[2:])
    options = parser.parse_args()
    options.library = f'{options.build}/libheddle.so'
    heddle = f'{options.build}/heddle'
    print('megabytes of module per second of processor time, memory x module; [SPIRV-Tools]')
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)

        def case(name, make, version='spv1.4'):
            module = f'{folder}/{re.sub(r"[^A-Za-z0-9]+", "-", name)}.spv'
            text = module[:-4] + '.spvasm'
            if options.only not in name:
                return
            if not os.path.exists(module):
                source = make()
                with open(text, 'w') as f:
                    f.write(source)
                subprocess.run([heddle, 'as', '--target-env', version, text, '-o', module],
                               check=True)
                if name not in AS_WRITTEN:
                    subprocess.run([heddle, 'dis', module, '-o', text], check=True)
            show(options, name, module, text)

        for megabytes in options.size.split(',') if options.size else []:
            size = int(float(megabytes) * 1e6)
            case(f'functions {megabytes}', lambda: small_functions(size))
            for module in options.module:
                base = subprocess.run([heddle, 'dis', '--raw-id', '--no-header', module],
                                      check=True, capture_output=True, text=True).stdout
                with open(module, 'rb') as f:
                    minor = f.read(8)[5]
                case(f'{os.path.basename(module)[:18]} {megabytes}',
                     lambda: repeated(base, size, os.path.getsize(module)), f'spv1.{minor}')
        if options.shapes:
            for name, (make, count) in SHAPES.items():
                case(name, lambda: make(count).removeprefix('V1.4'))


if __name__ == '__main__':
    sys.exit(main())
