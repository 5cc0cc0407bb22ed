#!/usr/bin/env python3
"""Run the shaders of bench/shaders on Heddle and on lavapipe, and the kernels that do the same on Heddle; compare times and results.

    python3 bench/shaders.py [--rounds N] [--min-time MS] [--markdown FILE] [--json FILE] [CASE …]

Needs glslc (Debian: glslc), the Vulkan host (make build/tests/vulkan/vulkan_host, Debian: libvulkan-dev, mesa-vulkan-drivers) and numpy.

A case is two files: NAME.comp, whose second line says what is bound, and NAME.cl, whose kernel takes the bindings in their order
then the samplers
and the push constants. Each measurement is a process of its own; the three take turns case by case and round after round,
so that a busy machine hurts all alike. Reported are medians over the rounds, in ms, of
    run      the median of the process's dispatches, from submission until the host sees the results; with --cpu
             the processor time that all threads took for it, for a busy machine
    compile  Heddle: validation and code; lavapipe: module, pipeline, and what its first dispatch takes beyond the others
             (it makes its code there); neither with a cache on disk
Above 1, the shader on Heddle is faster. Results are compared; a case whose values are further apart than its line allows is
marked, and the exit status is 1.

SPDX-License-Identifier: MIT
"""
import argparse
import glob
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'tests/vulkan'))
import peer  # noqa: E402

NAMES = ('shader', 'lavapipe', 'kernel')
IMAGES = {'UNORM_INT8': np.uint8, 'FLOAT': np.float32, 'HALF_FLOAT': np.float16}  # types of channels
TYPES = {'f32': np.float32, 'f64': np.float64, 'u32': np.uint32, 'i32': np.int32, 'u8': np.uint8}


class Case:
    def __init__(self, path, folder, options):
        self.name = os.path.basename(path).rsplit('.', 1)[0]
        self.kernel_file = path[:-4] + 'cl'
        self.module = os.path.join(folder, self.name + '.spv')
        self.binds, self.samplers, self.push, self.tolerance, self.most = [], [], [], 0, 0
        self.groups = self.local = (1, 1, 1)
        with open(path, encoding='utf-8') as f:
            f.readline()
            for part in f.readline().lstrip('/ ').split(';'):
                self.read(*part.strip().split(' ', 1))
        subprocess.run(['glslc', *options, path, '-o', self.module], check=True)

    def read(self, key, value):
        if key == 'bind':
            self.binds.append(value.split('=', 1))
        elif key == 'sampler':
            self.samplers.append(value.split('=', 1))
        elif key == 'push':
            self.push = value.split(',')
        elif key in ('groups', 'local'):
            setattr(self, key, tuple(int(x) for x in value.split(',')))
        elif key in ('tolerance', 'most'):
            setattr(self, key, float(value))
        else:
            sys.exit(f'{self.name}: what is "{key}"?')

    def as_shader(self, outs):
        words = [self.module, '--groups', ','.join(map(str, self.groups))]
        for (name, spec), out in zip(self.binds, outs):
            words += ['--bind', f'{name}={spec}', '--out', f'{name}={out}']
        for name, what in self.samplers:
            words += ['--bind', f'{name}=sampler={what}']
        return words + (['--push', ','.join(self.push)] if self.push else [])

    def as_kernel(self, outs):
        sizes = [g * n for g, n in zip(self.groups, self.local)]
        words = [self.kernel_file, self.name, '--global', ','.join(map(str, sizes)), '--local',
                 ','.join(map(str, self.local[:len(sizes)]))]
        for i, ((_, spec), out) in enumerate(zip(self.binds, outs)):
            words += ['--arg', spec, '--out', f'{i}={out}']
        for _, what in self.samplers:
            words += ['--arg', f'sampler={what}']
        return words + [w for p in self.push for w in ('--arg', p)]

    def differences(self, ours, theirs):
        """The share of values that are further apart than the case allows."""
        different = count = 0
        for (_, spec), a, b in zip(self.binds, ours, theirs):
            kind = IMAGES[spec.split('=')[0].split(':')[-1]] if spec.startswith('image') else TYPES[spec.split('[')[0].split('x')[0]]
            x, y = np.fromfile(a, kind), np.fromfile(b, kind)
            with np.errstate(invalid='ignore'):
                far = np.abs(x.astype(np.float64) - y) > self.tolerance * np.maximum(1, np.abs(y.astype(np.float64)))
            different += int(np.sum(far & ~(np.isnan(x) & np.isnan(y)) & (x != y)))
            count = max(count, len(x))
        return different / count


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.peer = peer.Peer(options.build)
        self.repeats = {}

    def outs(self, case, which):
        return [os.path.join(self.folder, f'{case.name}.{which}.{i}') for i in range(len(case.binds))]

    def process(self, case, which, repeat):
        outs = self.outs(case, which)
        words = case.as_kernel(outs) if which == 'kernel' else case.as_shader(outs)
        program = [self.peer.host] if which == 'lavapipe' else [self.peer.heddle, 'run']
        threads = ['--threads', str(self.options.threads)] if self.options.threads and which != 'lavapipe' else []
        env = dict(self.peer.env, HEDDLE_CACHE='0')
        if self.options.threads:
            env['LP_NUM_THREADS'] = str(self.options.threads if self.options.threads > 1 else 0)
        p = subprocess.run([*program, *words, *threads, '--no-print', '--json', '--repeat', str(repeat)],
                           capture_output=True, text=True, env=env, timeout=600)
        if p.returncode != 0:
            sys.exit(f'{" ".join(p.args)}\n{p.stderr}')
        times = json.loads(p.stdout)['time_ms']
        return dict(times, run=max(times['processor' if self.options.cpu else 'run'], 1e-3))

    def pilot(self, case, which):
        """How often a process is to run it."""
        once = self.process(case, which, 5)['run']
        self.repeats[case.name, which] = max(3, min(400, math.ceil(self.options.min_time / max(once, 1e-3))))

    def case(self, case):
        got = {which: {'run': [], 'compile': []} for which in NAMES}
        for which in NAMES:
            self.pilot(case, which)
        for _ in range(self.options.rounds):
            for which in NAMES:
                t = self.process(case, which, self.repeats[case.name, which])
                got[which]['run'].append(t['run'])
                got[which]['compile'].append(t['check'] + t['compile'])
        row = {which: {k: statistics.median(v) for k, v in times.items()} for which, times in got.items()}
        row['differ'] = {which: case.differences(self.outs(case, 'shader'), self.outs(case, which)) for which in NAMES[1:]}
        row['wrong'] = [which for which, share in row['differ'].items() if share > case.most]
        for which in NAMES:
            for out in self.outs(case, which):
                os.remove(out)
        return row


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def ratios(row):
    s = row['shader']
    return row['lavapipe']['run'] / s['run'], row['kernel']['run'] / s['run'], row['lavapipe']['compile'] / s['compile']


def tell(rows, write):
    write('| shader | Heddle | lavapipe | kernel | lavapipe / Heddle | kernel / Heddle | compile: lavapipe / Heddle |\n')
    write('| --- | --: | --: | --: | --: | --: | --: |\n')
    for name, row in rows.items():
        marks = ''.join(f' differs from {w} in {row["differ"][w]:.2g} of its values' for w in row['wrong'])
        times = ' | '.join(f'{row[w]["run"]:.3f}' for w in NAMES)
        write(f'| {name}{marks} | {times} | ' + ' | '.join(f'{r:.2f}' for r in ratios(row)) + ' |\n')
    means = [geometric(r) for r in zip(*(ratios(row) for row in rows.values()))]
    write('| geometric mean | | | | ' + ' | '.join(f'**{m:.2f}**' for m in means) + ' |\n')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    p.add_argument('--rounds', type=int, default=3)
    p.add_argument('--min-time', type=float, default=100, help='ms of dispatches for a process (default 100)')
    p.add_argument('--cpu', action='store_true', help='compare processor time')
    p.add_argument('--threads', type=int, default=0, help='of both drivers (default: as they choose)')
    p.add_argument('--glslc', default='-O --target-env=vulkan1.1', help="glslc's options")
    p.add_argument('--markdown', metavar='FILE')
    p.add_argument('--json', metavar='FILE')
    p.add_argument('cases', nargs='*')
    options = p.parse_args()
    files = {os.path.basename(f)[:-5]: f for f in sorted(glob.glob(os.path.join(ROOT, 'bench/shaders/*.comp')))}
    unknown = [c for c in options.cases if c not in files]
    if unknown:
        sys.exit(f'no case {", ".join(unknown)}; there are {", ".join(files)}')
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            bench = Bench(options, folder)
        except peer.Lacking as e:
            sys.exit(f'needs {e}')
        for name in options.cases or files:
            rows[name] = bench.case(Case(files[name], folder, options.glslc.split()))
            print(name, ' '.join(f'{r:.2f}' for r in ratios(rows[name])), rows[name]['wrong'] or '', file=sys.stderr, flush=True)
    tell(rows, sys.stdout.write)
    for path, how in ((options.markdown, lambda f: tell(rows, f.write)), (options.json, lambda f: json.dump(rows, f, indent=1))):
        if path:
            with open(path, 'w', encoding='utf-8') as f:
                how(f)
    return 1 if any(row['wrong'] for row in rows.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
