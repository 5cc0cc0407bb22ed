#!/usr/bin/env python3
"""Lavapipe against the model of image lookups that Heddle is compared with. [--build FOLDER] [-v] [NAME …]

The cases are those of tests/shaders/sampled_test.py. Lavapipe is a peer, no oracle: where it differs from the model, the table below
says why. Ends with a line of counts; what it lacks is skipped.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests/shaders'))
import sampled_test  # noqa: E402
import sampling  # noqa: E402

SCALE = 'the length of gradients is approximated, which Vulkan allows'
# What lavapipe 22.3 makes otherwise.
DIFFERS = {
    'bytes': 'weights of bytes have 8 bits, which Vulkan allows',
    'level_halves': 'level 1.5 is rounded up, the alternative that Vulkan allows',
    'bias_limit': 'the bias is beyond what Vulkan allows',
    'grad': SCALE, 'grad_1d': SCALE, 'grad_3d': SCALE, 'grad_cube': SCALE, 'grad_offset': SCALE,
    'greatest_texel': 'of two levels the average is taken, not the maximum',
}


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    p.add_argument('-v', action='store_true')
    p.add_argument('names', nargs='*')
    options = p.parse_args()
    host = os.path.join(os.path.abspath(options.build), 'tests/vulkan/vulkan_host')
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in sampled_test.CASES:
            if not os.path.exists(host) or (options.names and case.name not in options.names):
                skipped += not os.path.exists(host)
                continue
            rng = random.Random(case.name)
            image, values = case.image(rng), case.values(rng)
            path = os.path.join(folder, case.name + '.spvasm')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(sampled_test.shader(case))
            done = subprocess.run([host, path, '--env', 'universal1.3', '--groups', '1', *sampled_test.bindings(case, image, values)],
                                  capture_output=True, text=True, check=False)
            line = [x for x in done.stdout.splitlines() if x.startswith('bind 0.2')]
            if done.returncode == 77:
                skipped += 1
                continue
            wrong = sampling.compare(case, image, values, [float(v) for v in line[0].split(' = ')[1].split(', ')]) if line else [done.stderr]
            fine = bool(wrong) == (case.name in DIFFERS)
            passed, failed = passed + fine, failed + (not fine)
            if not fine or options.v:
                print(f'{case.name}: {DIFFERS.get(case.name, "")}', '\n  '.join(wrong) or 'as the model')
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
