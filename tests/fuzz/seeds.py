#!/usr/bin/env python3
"""Make seeds for `make fuzz T=val SEEDS=FOLDER` of a corpus of modules (and of the tests' own, where they assemble).

  tests/fuzz/seeds.py FOLDER [--heddle build/heddle] [--corpus CORPUS]

A seed is what tests/fuzz/fuzz_val.c reads: a byte that chooses the environment, then the module.
SPDX-License-Identifier: MIT
"""
import argparse, base64, glob, gzip, hashlib, json, os, subprocess, sys

ENVIRONMENTS = ['universal1.0', 'universal1.3', 'universal1.6', 'opencl1.2', 'opencl2.2', 'opencl3.0', 'opencl3.1']


def environment(env):
    """The first byte: the nearest environment that the fuzzer has."""
    if env.startswith('opencl'):
        return 128 + (3 if env < 'opencl2' else 4)
    return 0 if env < 'spv1.1' else 1 if env < 'spv1.4' else 2


def write(folder, module, byte):
    seed = bytes([byte]) + module
    with open(os.path.join(folder, hashlib.sha1(seed).hexdigest()), 'wb') as f:
        f.write(seed)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('folder')
    a.add_argument('--heddle', default='build/heddle')
    a.add_argument('--corpus', default='/work/shared/corpus')
    a = a.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    source = os.path.join(a.corpus, 'val.jsonl.gz')
    if os.path.exists(source):
        for line in gzip.open(source, 'rt'):
            case = json.loads(line)
            write(a.folder, base64.b64decode(case['bin']), environment(case['env']))
    for path in sorted(glob.glob('src/ops/*/tests/*.spvasm') + glob.glob('tests/val/**/*.spvasm', recursive=True)):
        p = subprocess.run([a.heddle, 'as', path, '-o', '-'], capture_output=True)
        if p.returncode == 0:
            write(a.folder, p.stdout, 128 + ENVIRONMENTS.index('opencl3.1'))
    print(len(os.listdir(a.folder)), 'seeds in', a.folder)


if __name__ == '__main__':
    sys.exit(main())
