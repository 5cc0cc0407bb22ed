#!/usr/bin/env python3
"""The public header from C++: a program that includes it, links and runs. [--build FOLDER]

Skipped where there is no C++ compiler, and with sanitized libraries. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = r'''
#include <heddle/heddle.h>
#include <memory>
#include <string>

int main()
{
    const std::string text = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                             "OpMemoryModel Physical64 OpenCL\n%v = OpTypeVoid\n";
    std::unique_ptr<heddle_report, decltype(&heddle_report_close)> report(heddle_report_open(),
                                                                          heddle_report_close);
    std::size_t count = 0, instructions = 0;
    std::uint32_t *words = nullptr, at = 0;
    heddle_view *view = nullptr;
    heddle_instruction in;
    heddle_validate_options options = {};
    std::string found;

    options.user = &found;
    options.finding = [](void *user, const heddle_finding *f) {
        static_cast<std::string *>(user)->append(f->rule);
    };
    if (heddle_assemble(text.data(), text.size(), report.get(), &words, &count) != HEDDLE_OK ||
        heddle_validate_with(words, count, &options, report.get()) != HEDDLE_OK ||
        heddle_view_open(words, count, report.get(), &view) != HEDDLE_OK)
        return 1;
    while (heddle_view_next(view, &at, &in))
        instructions++;
    heddle_view_close(view);
    heddle_free(words);
    return found.empty() && instructions == 5 ? 0 : 2;
}
'''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    build = os.path.abspath(parser.parse_args().build)
    compiler = shutil.which('c++') or shutil.which('clang++-22')
    with open(os.path.join(build, 'libheddle.so'), 'rb') as f:
        sanitized = b'__asan_init' in f.read()
    if compiler is None or sanitized:
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'use')
        p = subprocess.run([compiler, '-std=c++11', '-Wall', '-Wextra', '-Werror', '-x', 'c++', '-',
                            '-o', program, '-I', os.path.join(ROOT, 'include'), '-L', build,
                            '-lheddle', f'-Wl,-rpath,{build}'], input=PROGRAM, text=True)
        fine = p.returncode == 0 and subprocess.run([program]).returncode == 0
    print(f'{int(fine)} passed, {int(not fine)} failed, 0 skipped')
    return 0 if fine else 1


if __name__ == '__main__':
    sys.exit(main())
