#!/usr/bin/env python3
"""Real device images, all of a folder: images_test.py [--build FOLDER] [--images FOLDER] [-j N].

Each different image is disassembled, assembled again to the same words, and judged. The images are
those of the SYCL programs in PyPI's dpctl and dpnp packages; they are not part of the project and
the test is skipped where they are not:

    pip install dpctl dpnp intel-opencl-rt && mkdir images && cd images &&
    SYCL_DUMP_IMAGES=1 python -c 'import dpctl, dpnp, dpnp.fft, dpnp.linalg, dpnp.random; \\
        dpctl.get_devices()'

Prints how many are the same, valid, and valid with which warnings; ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def different(folder):
    """One path for each different image."""
    seen = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, 'rb') as f:
            content = f.read()
        if content[:4] == b'\x03\x02\x23\x07':
            seen.setdefault(hashlib.sha256(content).digest(), path)
    return sorted(seen.values())


def round_trip(heddle, path):
    with open(path, 'rb') as f:
        content = f.read()
    text = subprocess.run([heddle, 'dis', '--raw-id', path], capture_output=True)
    if text.returncode:
        return False
    back = subprocess.run([heddle, 'as', '--preserve-numeric-ids', '--target-env',
                           f'spv1.{content[5]}', '-', '-o', '-'], input=text.stdout,
                          capture_output=True)
    # The generator and, above the highest id, the bound are the writer's own.
    return back.returncode == 0 and back.stdout[20:] == content[20:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('--images', default=os.environ.get('HEDDLE_TEST_IMAGES', ''))
    parser.add_argument('-j', type=int, default=os.cpu_count())
    options = parser.parse_args()
    heddle = os.path.join(os.path.abspath(options.build), 'heddle')
    if not os.path.isdir(options.images):
        print('0 passed, 0 failed, 1 skipped')
        return 0
    paths = different(options.images)
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        same = list(pool.map(lambda p: round_trip(heddle, p), paths))
    rules, bad = collections.defaultdict(set), set()
    for at in range(0, len(paths), 1000):
        out = subprocess.run([heddle, 'val', '-j', str(options.j), '--json'] +
                             paths[at:at + 1000], capture_output=True, text=True)
        for finding in json.loads(out.stdout):
            rules[finding['rule']].add(finding['file'])
            if finding['severity'] == 'error':
                bad.add(finding['file'])
    print(f'{len(paths)} different images: {sum(same)} round trips, {len(paths) - len(bad)} valid')
    for rule, files in sorted(rules.items()):
        print(f'  {rule}: {len(files)}')
    for path, fine in zip(paths, same):
        if not fine or path in bad:
            print(re.sub('^.*/', '', path), 'differs' if not fine else 'is not valid')
    failed = sum(1 for p, fine in zip(paths, same) if not fine or p in bad)
    print(f'{len(paths) - failed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
