#!/usr/bin/env python3
"""Time reads and writes of images by format and sampler on several drivers.

    python3 bench/images.py [--cases a,b] heddle=build/libheddle-cl.so intel=PATH/libintelocl.so

Needs PyPI's pyopencl and numpy. Each driver has a process of its own; they take turns case by case. Times are
nanoseconds of processor time for a work-item, the least of the rounds; the last column is the best peer's time
divided by the first driver's. A case is FORMAT/ACCESS: formats in FORMATS, accesses in ACCESSES.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

WIDTH, HEIGHT, DEPTH = 256, 128, 4
FORMATS = {
    'rgba8': ('RGBA', 'UNORM_INT8', 4), 'bgra8': ('BGRA', 'UNORM_INT8', 4), 'r8': ('R', 'UNORM_INT8', 1),
    'rg8': ('RG', 'UNORM_INT8', 2), 'r16': ('R', 'UNORM_INT16', 2), 'rgba16': ('RGBA', 'UNORM_INT16', 8),
    'rgba8s': ('RGBA', 'SNORM_INT8', 4), 'rgba16f': ('RGBA', 'HALF_FLOAT', 8), 'r16f': ('R', 'HALF_FLOAT', 2),
    'r32f': ('R', 'FLOAT', 4), 'rg32f': ('RG', 'FLOAT', 8), 'rgba32f': ('RGBA', 'FLOAT', 16),
    'srgba': ('sRGBA', 'UNORM_INT8', 4), '565': ('RGB', 'UNORM_SHORT_565', 2),
    'rgba8ui': ('RGBA', 'UNSIGNED_INT8', 4), 'r8ui': ('R', 'UNSIGNED_INT8', 1),
    'rgba32i': ('RGBA', 'SIGNED_INT32', 16), 'r16i': ('R', 'SIGNED_INT16', 2),
}
MODES = {'none': 'NONE', 'edge': 'CLAMP_TO_EDGE', 'border': 'CLAMP', 'repeat': 'REPEAT', 'mirror': 'MIRRORED_REPEAT'}
# For each access: the image's type, the coordinate from x, y (of this work-item), whether it is normalised, the
# filter; how often it is made, at places around.
ACCESSES = {
    'int': ('image2d_t', '(int2)(x, y)', 0, 'NEAREST', 9),
    'float': ('image2d_t', '(float2)(x + 0.5f, y + 0.5f)', 0, 'NEAREST', 9),
    'linear': ('image2d_t', '(float2)(x + 0.25f, y + 0.5f)', 0, 'LINEAR', 4),
    'rotated': ('image2d_t', '(float2)(x * 0.8f - y * 0.6f, x * 0.6f + y * 0.8f)', 0, 'LINEAR', 4),
    'turned': ('image2d_t', '(float2)(x * 0.8f - y * 0.6f, x * 0.6f + y * 0.8f)', 0, 'NEAREST', 4),
    'norm': ('image2d_t', '(float2)((x + 0.5f) / 256, (y + 0.5f) / 128)', 1, 'NEAREST', 4),
    'normlin': ('image2d_t', '(float2)(x / 256.0f, y / 128.0f)', 1, 'LINEAR', 4),
    'layer': ('image2d_array_t', '(int4)(x, y, 1, 0)', 0, 'NEAREST', 4),
    'layerlin': ('image2d_array_t', '(float4)(x + 0.25f, y + 0.5f, 1, 0)', 0, 'LINEAR', 4),
    'volume': ('image3d_t', '(float4)(x + 0.25f, y + 0.5f, 1.25f, 0)', 0, 'LINEAR', 2),
    'first': ('image2d_t', '(float2)(x + 0.25f, y + 0.5f)', 0, 'LINEAR', 4),
    'plain': ('image2d_t', '(int2)(x, y)', 0, None, 1),
    'write': ('image2d_t', '(int2)(x, y)', 0, None, 1),
}
PLAIN = ('rgba8', 'bgra8', 'r8', 'rgba16f', 'r32f', 'rgba32f', 'srgba', 'rgba8ui')
CASES = [f'{f}/int/edge' for f in FORMATS] + [f'{f}/linear/edge' for f in FORMATS if not f.endswith('i')]
CASES += [f'rgba8/{a}/{m}' for a in ('int', 'float', 'linear') for m in ('none', 'border')]
CASES += [f'rgba8/{a}/{m}' for a in ('norm', 'normlin') for m in MODES]
CASES += [f'{f}/{a}/edge' for f in ('rgba8', 'rgba32f', 'r32f', 'rgba16f', 'r8', 'srgba')
          for a in ('float', 'rotated', 'turned', 'layer', 'layerlin', 'volume', 'first')]
CASES += [f'{f}/{a}/edge' for f in FORMATS for a in ('plain', 'write') if f != 'srgba' or a == 'plain']


def source_of(form, access, mode):
    image, at, normalised, linear, times = ACCESSES[access]
    kind = 'ui' if form.endswith('ui') else 'i' if form.endswith('i') else 'f'
    vector = {'f': 'float4', 'i': 'int4', 'ui': 'uint4'}[kind]
    if access == 'write':
        return f"""kernel void f(write_only image2d_t i, global float *out) {{
            int x = get_global_id(0), y = get_global_id(1);
            write_image{kind}(i, (int2)(x, y), ({vector})(x, y, x - y, 1) / ({vector})(256)); }}"""
    sampler = '' if linear is None else 's, '
    body = ''.join(f'{{int x = u + {k % 3}, y = v + {k // 3}; sum += read_image{kind}(i, {sampler}{at});}}\n'
                   for k in range(times))
    used = 'sum.x' if access == 'first' else 'sum.x + sum.y + sum.z + sum.w'
    return f"""
    constant sampler_t s = CLK_NORMALIZED_COORDS_{'TRUE' if normalised else 'FALSE'} | CLK_ADDRESS_{MODES[mode]} |
                           CLK_FILTER_{linear or 'NEAREST'};
    kernel void f(read_only {image} i, global float *out) {{
        int u = get_global_id(0), v = get_global_id(1);
        {vector} sum = 0;
        {body}
        out[v * {WIDTH} + u] = {used}; }}"""


def image_of(cl, context, form, image):
    order, kind, size = FORMATS[form]
    random = np.random.default_rng(1)
    shape = (WIDTH, HEIGHT) if image == 'image2d_t' else (WIDTH, HEIGHT, DEPTH)
    texels = int(np.prod(shape))
    if kind == 'FLOAT':
        content = random.random(texels * size // 4, dtype=np.float32)
    elif kind == 'HALF_FLOAT':
        content = random.random(texels * size // 2, dtype=np.float32).astype(np.float16)
    else:
        content = random.integers(0, 256, texels * size).astype(np.uint8)
    fmt = cl.ImageFormat(getattr(cl.channel_order, order), getattr(cl.channel_type, kind))
    flags = cl.mem_flags.READ_ONLY if order == 'sRGBA' else cl.mem_flags.READ_WRITE
    flags |= cl.mem_flags.COPY_HOST_PTR
    if image == 'image2d_array_t':
        return cl.create_image(context, flags, fmt, shape=shape, hostbuf=content, is_array=True)
    return cl.create_image(context, flags, fmt, shape=shape, hostbuf=content)


def run_driver(min_time, group):
    import pyopencl as cl
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    ready = {}
    for case in map(str.strip, sys.stdin):
        try:
            if case not in ready:
                ready.clear()
                form, access, mode = case.split('/')
                kernel = cl.Program(context, source_of(form, access, mode)).build('-cl-std=CL1.2').f
                out = cl.Buffer(context, cl.mem_flags.READ_WRITE, WIDTH * HEIGHT * 4)
                image = image_of(cl, context, form, ACCESSES[access][0])
                kernel.set_args(image, out)
                ready[case] = kernel, out, image
            kernel, out, _ = ready[case]
            best = None
            end = time.monotonic() + min_time
            while time.monotonic() < end:
                start = time.process_time()
                for _ in range(4):
                    cl.enqueue_nd_range_kernel(queue, kernel, (WIDTH, HEIGHT), group)
                queue.finish()
                took = (time.process_time() - start) / 4 / (WIDTH * HEIGHT) * 1e9
                best = took if best is None else min(best, took)
            result = np.empty(WIDTH * HEIGHT, np.float32)
            cl.enqueue_copy(queue, result, out)
            print(json.dumps([best, 0 if 'write' in case else float(np.sum(result, dtype=np.float64))]), flush=True)
        except Exception as error: # pylint: disable=broad-except
            print(f'{case}: {str(error)[:200]}', file=sys.stderr)
            print(json.dumps([None, 0]), flush=True)


class Driver:
    def __init__(self, name, library, min_time, group):
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, __file__, '--in-driver', '--min-time', str(min_time), '--group', group], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(library), PYOPENCL_NO_CACHE='1'))

    def measure(self, case):
        self.process.stdin.write(case + '\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--in-driver', action='store_true')
    parser.add_argument('--min-time', type=float, default=0.02)
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--group', default='64,2', help='the local size')
    parser.add_argument('--cases', default='')
    parser.add_argument('drivers', nargs='*')
    options = parser.parse_args()
    if options.in_driver:
        return run_driver(options.min_time, tuple(map(int, options.group.split(','))))
    drivers = [Driver(*d.split('=', 1), options.min_time, options.group) for d in options.drivers]
    print(f"{'case':24}" + ''.join(f'{d.name:>10}' for d in drivers) + '   ratio')
    ratios = []
    for case in CASES:
        if options.cases and not any(c in case for c in options.cases.split(',')):
            continue
        found = [[d.measure(case) for d in drivers] for _ in range(options.rounds)]
        times = [None if c[0][0] is None else min(t for t, _ in c) for c in zip(*found)]
        sums = [s for (t, s) in found[0] if t is not None]
        peers = [t for t in times[1:] if t is not None]
        ratio = min(peers) / times[0] if times[0] and peers else 0
        ratios += [ratio] if ratio else []
        differ = any(abs(s - sums[0]) > 1e-3 * abs(sums[0]) + 1e-3 for s in sums)
        print(f'{case:24}' + ''.join(f'{t:10.2f}' if t else f"{'-':>10}" for t in times) + f'{ratio:8.2f}' +
              (' differs' if differ else ''), flush=True)
    if ratios:
        print(f'geometric mean {np.exp(np.mean(np.log(ratios))):.2f}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
