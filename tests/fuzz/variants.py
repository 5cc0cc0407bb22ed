"""Compute shaders whose equivalent variants must leave what they leave: those of tests/shaders, and random ones.

SPDX-License-Identifier: MIT
"""
import argparse, collections, concurrent.futures, glob, json, os, random, re, shlex, shutil, subprocess, sys, tempfile, threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests/vulkan'))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import served
from lavapipe_test import arguments_of, runs_of  # noqa: E402
from peer import differences  # noqa: E402
from random_shader import KINDS, PER, SOURCE, SUMS  # noqa: E402

WIDTHS = [1, 4, 8, 16, 32]
WAYS = [[], ['--dispatch'], ['--engine', 'interpreted'], ['--calls']]
SECONDS = 200


class Shader:
    """A module, and what it is given; FILE in its arguments is the module."""

    def __init__(self, name, path, arguments, tolerance):
        self.name, self.path, self.arguments, self.tolerance = name, path, arguments, tolerance
        self.known, self.lock = {}, threading.Lock()

    def run(self, o, path, width, way):
        """What is left: (results, None) or (None, what is told)."""
        words = [path if w == 'FILE' else w for w in self.arguments]
        try:
            p = served.run([o.heddle, 'run', *words, '--json', '--threads', '1', '--width', str(width), *way], capture_output=True, text=True,
                               errors='replace', timeout=SECONDS, env=dict(os.environ, HEDDLE_CACHE='0'))
        except subprocess.TimeoutExpired:
            return None, 'no end after %d s' % SECONDS
        return (json.loads(p.stdout), None) if p.returncode == 0 else (None, 'exit status %d: %s' % (p.returncode, p.stderr[-2000:]))

    def right(self, o, width):
        with self.lock:
            if width not in self.known:
                self.known[width] = self.run(o, self.path, width, [])
            return self.known[width]


def without(words, option):
    while option in words:
        at = words.index(option)
        words = words[:at] + words[at + 2:]
    return words


def from_tests(o, folder):
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests/shaders/*.spvasm'))):
        name = os.path.basename(path)[:-7]
        to = os.path.join(folder, name + '.spv')
        line = next(iter(runs_of(path)), None)
        if o.only and name not in o.only or line is None or '--width' in line:
            continue
        # What lists more than inputs in its interface is of SPIR-V 1.4 and later.
        if served.run([o.heddle, 'lower', '--env', 'vulkan1.1', path, '-o', to], capture_output=True).returncode == 0:
            words, tolerance = arguments_of(line, 'FILE')
            yield Shader(name, to, without(words, '--env'), tolerance)


def from_random(o, folder, count):
    for n in range(count if shutil.which('glslc') else 0):
        kind = list(KINDS)[n % len(KINDS)]
        k = KINDS[kind](o.seed + n)
        name = '%s_%d' % (kind, k.number)
        path = os.path.join(folder, name)
        with open(path + '.comp', 'w') as f:
            f.write(k.glsl())
        made = subprocess.run(['glslc', '--target-env=vulkan1.1', '-O' if n % 8 < 4 else '-O0', path + '.comp', '-o', path + '.spv'], capture_output=True)
        if made.returncode < 0:
            continue  # its optimiser ends by a signal at times (2023.1)
        made.check_returncode()
        words = ['FILE', '--groups', str(k.groups), '--bind', '0.0=u32[%d]=random:%d' % (SOURCE, k.number), '--bind',
                 '0.1=u32[%d]=zeros' % (PER * k.total + SUMS), '--push', ','.join('u32=%d' % p for p in k.push), '--print', '0.1']
        yield Shader(name, path + '.spv', words, 0)


def is_undefined(o, shader, path):
    """Does a checked run find the variant undefined? Barriers that are copied into both sides of a branch are not the same."""
    words = [path if w == 'FILE' else w for w in shader.arguments]
    p = served.run([o.heddle, 'check', *words, '--no-print'], capture_output=True, text=True, errors='replace')
    return p.returncode == 1 or 'check.different-barrier' in p.stderr + p.stdout


def verdict(o, shader, number, path, explained=()):
    """A variant's run, compared with its shader's: (None, None) if they are the same; ('', why) if the variant is none; else the command
    that shows what differs, and that. The number chooses width and way. Rules in `explained` may refuse it."""
    choice = random.Random(number)
    width, way = choice.choice(WIDTHS), choice.choice(WAYS)
    want, told = shader.right(o, width)
    if told:
        return '', 'the shader itself: ' + told
    got, told = shader.run(o, path, width, way)
    found = told or [d for d in differences(want, got, shader.tolerance)][:4]
    if not found:
        os.remove(path)
        return None, None
    if told and shutil.which('spirv-val') and subprocess.run(['spirv-val', path], capture_output=True).returncode != 0:
        return '', 'spirv-val refuses the variant'
    rules = set(re.findall(r'\[([a-z]+\.[a-z-]+)\]', told or ''))
    if rules and rules <= set(explained):
        return '', 'refused: ' + ', '.join(sorted(rules))
    if is_undefined(o, shader, path):
        return '', 'a checked run finds the variant undefined'
    os.makedirs(o.keep, exist_ok=True)
    kept = shutil.move(path, os.path.join(o.keep, os.path.basename(path)))
    words = [kept if w == 'FILE' else w for w in shader.arguments]
    return 'heddle run %s --width %d %s' % (shlex.join(words), width, ' '.join(way)), '%s' % (found, )


def options(doc, count, random, program=None, seed=1):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if program is not None:
        parser.add_argument('program', metavar=program)
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=count)
    parser.add_argument('--seed', type=int, default=seed)
    parser.add_argument('--random', type=int, default=random)
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--only', type=lambda s: s.split(','))
    parser.add_argument('--keep')
    o = parser.parse_args()
    o.heddle, o.keep = os.path.join(os.path.abspath(o.build), 'heddle'), o.keep or os.path.join(o.build, 'variants')
    return o


def run_all(o, judge, begin=None):
    """Judge o.count variants; judge(o, shader, number, folder) is as verdict(). The exit status."""
    counts, skipped = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        shaders = list(from_tests(o, folder)) + list(from_random(o, folder, o.random))
        random.Random(o.seed).shuffle(shaders)
        if begin is not None:
            begin(shaders, folder)
        print('%d shaders, seeds from %d' % (len(shaders), o.seed), flush=True)
        futures = {pool.submit(judge, o, shaders[n % len(shaders)], o.seed + n, folder): shaders[n % len(shaders)] for n in range(o.count)}
        for n, f in enumerate(concurrent.futures.as_completed(futures)):
            command, told = f.result()
            counts['passed' if command is None else 'failed' if command else 'skipped'] += 1
            if command == '':
                skipped[futures[f].name, told] += 1
            elif command:
                print('FAILED %s\n    %s' % (command, told), flush=True)
            if n % 200 == 199:
                print('%d done' % (n + 1), flush=True)
    for (name, why), n in sorted(skipped.items()):
        print('%s: %d skipped: %s' % (name, n, why))
    print('%d passed, %d failed, %d skipped' % tuple(counts[w] for w in ('passed', 'failed', 'skipped')))
    return 1 if counts['failed'] else 0
