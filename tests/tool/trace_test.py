#!/usr/bin/env python3
"""HEDDLE_TRACE and `heddle run --trace`: valid JSON whatever becomes of the process, with what happened. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import ctypes.util
import json
import os
import subprocess
import sys

import harness

KERNEL = 'kernel void twice(global float *x) { size_t i = get_global_id(0); x[i] = 2 * x[i]; }\n'
HOST = os.path.join(harness.ROOT, 'bench/trace_host.py')


def events(path):
    with open(path) as f:
        found = json.load(f)
    for e in found:
        if not (e['ph'] in 'XiM' and isinstance(e['pid'], int) and (e['ph'] == 'M' or e['ts'] > 0 and isinstance(e['tid'], int)) and
                (e['ph'] != 'X' or e['dur'] >= 0)):
            raise ValueError(e)
    return found


def names(found, category):
    return [e['name'] for e in found if e.get('cat') == category]


def nest(found):
    """Spans of a thread lie in each other or apart, as viewers want them."""
    for tid in {e['tid'] for e in found if e['ph'] == 'X'}:
        ends = []
        for e in sorted((e for e in found if e['ph'] == 'X' and e['tid'] == tid), key=lambda e: (e['ts'], -e['dur'])):
            while ends and ends[-1] <= e['ts'] + 0.0005:
                ends.pop()
            if ends and e['ts'] + e['dur'] > ends[-1] + 0.0015:
                return False
            ends.append(e['ts'] + e['dur'])
    return True


def check_run(t):
    source, trace = t.path('twice.cl', KERNEL), t.path('run.json')
    run = ['run', source, '--global', '65536', '--local', '64', '--arg', 'f32[65536]=fill:1', '--no-print', '--trace', trace]
    t.check(t.run(*run) == (0, '', ''), f'run --trace: {t.run(*run)}')
    os.environ['HEDDLE_CACHE_DIR'] = t.path('cache')
    t.run(*run)
    found = events(trace)
    builds = names(found, 'build')
    t.check({'OpenCL C to SPIR-V', 'clang', 'validate', 'translate, optimise', 'LLVM', 'load'} <= set(builds), f'phases of a build: {builds}')
    t.check(names(found, 'cache') == [] and nest(found), 'nothing was found in an empty cache; spans nest')
    done = sum(e['args']['count'] for e in found if e.get('cat') == 'groups')
    launched = [e['args']['groups'] for e in found if e.get('cat') == 'launch']
    t.check([done] == launched and {e['args']['kernel'] for e in found if e.get('cat') == 'groups'} == {'twice'}, f'all work-groups: {done} of {launched}')
    t.run(*run)
    found = events(trace)
    t.check({'source found', 'kernel found'} <= set(names(found, 'cache')) and 'clang' not in names(found, 'build'), 'what the cache had')
    done = t.run(*run[:-1], t.path('no/such/folder.json'))
    t.check(done[0] == 3 and 'cannot write' in done[2], f'a file that cannot be written: {done}')


def host(t, trace, *args):
    env = dict(os.environ, OCL_ICD_VENDORS=os.path.join(os.path.dirname(t.heddle), 'heddle.icd'))
    if trace:
        env['HEDDLE_TRACE'] = trace
    return subprocess.run([sys.executable, HOST, *args], env=env, capture_output=True, text=True, timeout=300)


def check_driver(t):
    trace = t.path('host.json')
    p = host(t, trace, '20', '100')
    found = events(trace)
    api = names(found, 'api')
    t.check(p.returncode == 0 and api.count('clEnqueueNDRangeKernel') == 21 and api.count('clBuildProgram') == 1, f'API calls: {api} {p.stderr}')
    queue = [e for e in found if e.get('cat') == 'queue']
    tracks = {e['tid']: e['args']['name'] for e in found if e['name'] == 'thread_name'}
    t.check([e['name'] for e in queue] == ['NDRANGE_KERNEL'] * 21 + ['READ_BUFFER'] and
            all(tracks.get(e['tid']) == 'queue 1' for e in queue), f'commands: {queue[-1:]} {tracks}')
    t.check(nest(found), 'spans nest')
    t.check(host(t, '', '1', '1').returncode == 0 and sorted(os.listdir(t.folder)) == sorted(set(os.listdir(t.folder))), 'without')
    p = host(t, t.path('no/such/folder.json'), '1', '1')
    t.check(p.returncode == 0 and 'HEDDLE_TRACE: cannot write' in p.stderr, f'where it cannot be written: {p}')


def check_ends(t):
    trace = t.path('kill.json')
    p = host(t, trace, '20', '10', 'kill')
    own = names(events(trace), 'api').count('clGetPlatformInfo') - 1  # the loader's
    t.check(p.returncode == -9 and names(events(trace), 'api').count('clEnqueueNDRangeKernel') == 21, 'a process that is killed')
    trace = t.path('fork.json')
    p = host(t, trace, '3', '10', 'fork')
    child = f'{trace}.{p.stdout.strip()}'
    t.check(p.returncode == 0 and names(events(trace), 'api').count('clGetPlatformInfo') == own + 10, f'a parent: {p}')
    t.check(names(events(child), 'api').count('clGetPlatformInfo') == 11, 'a forked child has a file of its own')
    trace = t.path('threads.json')
    host(t, trace, '1', '10', 'threads')
    found = events(trace)
    asked = [e for e in found if e['name'] == 'clGetPlatformInfo']
    t.check(len(asked) == own + 8 * 500 and len({e['tid'] for e in asked}) in (8, 9), f'threads: {len(asked)}')
    trace = t.path('same.json')
    env = dict(os.environ, OCL_ICD_VENDORS=os.path.join(os.path.dirname(t.heddle), 'heddle.icd'), HEDDLE_TRACE=trace)
    both = [subprocess.Popen([sys.executable, HOST, '300', '100'], env=env, stdout=subprocess.DEVNULL) for _ in range(2)]
    for p in both:
        p.wait()
    files = [f for f in os.listdir(t.folder) if f.startswith('same.json')]
    t.check(len(files) == 2 and all(names(events(t.path(f)), 'api').count('clEnqueueNDRangeKernel') == 301 for f in files),
            f'two processes with one name: {files}')


def main():
    os.environ.pop('HEDDLE_TRACE', None)
    with harness.Tool() as t:
        check_run(t)
        if ctypes.util.find_library('OpenCL'):
            check_driver(t)
            check_ends(t)
        else:
            t.skipped += 1
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
