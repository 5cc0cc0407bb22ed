#!/usr/bin/env python3
"""Mutants of valid modules that are valid as well: run in the interpreter, checked, and, if nothing is undefined, compiled at every
width, which must leave the same bits.

  tests/fuzz/mutants_test.py [--build build] [--count N] [--seed S] [--jobs N] [--forms all] [--seeds FOLDER …]
                              [--only PART] [--keep DIR]

Mutants are those of build/tests/robust/mutate_test, which takes them through everything but a launch: N of them (default: 24)
from number S on, so the same ones each time. They are made from the tests that are files and run (in src/ and tests/; OpenCL C as clang-22 compiles it
at -O0 and -O2, if it is there), and run as these are; with --seeds also from the modules in a folder, whose arguments are
guessed. Each width is compiled in one form, which the number chooses, or with --forms all in each. Where results depend on the
order in which work-items run, the mathematics is not rounded once, or NaNs differ, no more is asked than the
specifications do. A mutant on which engines differ, or that crashes or hangs one of them, is kept in DIR (default:
BUILD/random) as text that tests/fuzz/reduce.py takes. Skipped are mutants that are not valid, that no longer take the arguments, and
in which something is undefined. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, collections, concurrent.futures, glob, os, random, re, shlex, shutil, signal, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDTHS = [1, 4, 8, 16, 32]
FORMS = [[], ['--dispatch'], ['--fibers'], ['--calls'], ['--dispatch', '--fibers'], ['--dispatch', '--calls'], ['--lane-dim', '2']]
KEPT = {'--global', '--local', '--offset', '--arg', '--spec', '--groups', '--bind', '--push'}  # of a test's command; options with a value
DROPPED = {'--expect', '--print', '--tolerance', '--dump', '--width', '--engine', '--threads', '--repeat', '--lane-dim', '-o', '--out',
           '--image', '--cl', '--env'}
SECONDS = 60  # of processor time, of any one run
DEFINED = {'check.division', 'check.conversion'}  # by Heddle, to the same bits on all engines
HARMLESS = {'check.limits'}
ELEMENT = {'char': 'i8', 'uchar': 'u8', 'short': 'i16', 'ushort': 'u16', 'int': 'i32', 'uint': 'u32', 'long': 'i64', 'ulong': 'u64',
           'half': 'f16', 'float': 'f32', 'double': 'f64'}


def words_of(command):
    """What of a test's `heddle run` line a mutant runs with: None if it only compiles."""
    words, out, at = shlex.split(command)[2:], [], 0
    while at < len(words):
        word = words[at]
        if word in KEPT or word in DROPPED:
            out += words[at:at + 2] if word in KEPT else []
            at += 2
        else:
            if word != '%s' and not word.startswith('--'):
                out.append(word)
            at += 1
    return out if {'--global', '--groups'} & set(out) and not any('@' in w for w in out) else None


def compiled(source, folder):
    """Modules that clang-22 makes of a source."""
    options = re.findall(r'-(?:cl-std=\S+|D\S+)', ' '.join(re.findall(r'RUN: .*', open(source).read())))
    standard = ['-cl-std=CL3.0'] if not any(o.startswith('-cl-std') for o in options) else []
    for level in ('-O0', '-O2'):
        path = os.path.join(folder, level[1:] + '.spv')
        p = subprocess.run([os.environ.get('HEDDLE_CLANG', 'clang-22'), '-target', 'spirv64', *standard, *sorted(set(options)), level, '-w',
                            '-Xclang', '-finclude-default-header', '-c', source, '-o', path], capture_output=True)
        if p.returncode == 0:
            yield path


def guessed(heddle, path):
    """Arguments for the first kernel of any module."""
    text = subprocess.run([heddle, 'info', path], capture_output=True, text=True).stdout
    kernel = re.search(r'^kernel (\S+)\n((?:  .*\n)*)', text, re.M)
    if not kernel:
        return None
    code = subprocess.run([heddle, 'dis', path], capture_output=True, text=True).stdout
    usual = next((e for e in ('f32', 'f64', 'f16') if 'OpTypeFloat ' + e[1:] in code), 'u32')  # for pointers to bytes
    out = [kernel[1], '--global', '64', '--local', '16']
    for kind, size, type_ in re.findall(r'argument \d+: (\S+), (\d+) bytes, (.*)', kernel[2]):
        element = next((ELEMENT[w] for w in re.findall(r'[a-z]+', type_) if w in ELEMENT and not w.endswith('char')), usual)
        if kind == 'local':
            out += ['--arg', 'local[4096]']
        elif kind in ('global', 'constant'):
            out += ['--arg', element + '[4096]=range' + ':0:0.25' * (element[0] == 'f')]
        elif kind == 'value' and ELEMENT.get(type_):
            out += ['--arg', element + '=8']
        elif kind == 'value':
            out += ['--arg', 'bytes[%s]=%s' % (size, '08' + '00' * (int(size) - 1))]
        else:
            return None
    return out


def collect(o, folder):
    """Modules in a folder, and by their paths there how to run them."""
    runs, found = {}, sorted(glob.glob('src/**/tests/*', recursive=True) + glob.glob('tests/**/*', recursive=True))
    texts, sources = ([p for p in found if p.endswith(suffix)] for suffix in ('.spvasm', '.cl'))
    few = random.Random(o.seed).sample(sources, min(len(sources), max(10, o.count // 20))) if o.sources else []
    for source in texts + sorted(few):
        text = open(source, encoding='utf-8', errors='replace').read()
        lines = [w for w in map(words_of, re.findall(r'RUN: (heddle (?:run|check) %s .*)', text)) if w]
        if not lines or 'DIFFERS:' in text or o.only not in source:
            continue
        name = os.path.join(folder, re.sub(r'\W', '_', source))
        if source.endswith('.spvasm'):
            env = re.search(r'RUN: heddle (?:run|check) %s .*--env universal(\S+)', text)
            version = ['--target-env', 'spv' + env[1]] if env else []
            if subprocess.run([o.heddle, 'as', source, '-o', name + '.spv', *version], capture_output=True).returncode == 0:
                runs[name + '.spv'] = lines
        else:
            with tempfile.TemporaryDirectory() as scratch:
                for path in compiled(source, scratch):
                    shutil.move(path, name + '_' + os.path.basename(path))
                    runs[name + '_' + os.path.basename(path)] = lines
    for path in sorted(p for s in o.seeds for p in glob.glob(s + '/**/*.spv', recursive=True)):
        words = guessed(o.heddle, path)
        name = os.path.join(folder, re.sub(r'\W', '_', path)[:-4] + '.spv')
        if words:
            shutil.copy(path, name)
            runs[name] = [words]
    return runs


class Fault(Exception):
    """A crash or a hang, or what no valid module may lead to: (command, what)."""


class Mutant:
    def __init__(self, o, number, path, words, scratch):
        self.o, self.number, self.path, self.words, self.scratch = o, number, path, words, scratch
        self.arguments = {str(k): a for k, a in enumerate(w for k, w in enumerate(words) if k > 0 and words[k - 1] == '--arg')}
        for k, w in enumerate(words):
            if k > 0 and words[k - 1] == '--bind':
                self.arguments.update([w.split('=', 1)])
        self.buffers = [k for k, a in self.arguments.items() if re.match(r'(?:\w+:)?\w+\[\d+\]=|image', a) and not a.startswith('bytes')]

    def call(self, command, *options):
        """(exit status, contents of the buffers, what was said)."""
        names = [os.path.join(self.scratch, '%d.%d' % (self.number, k)) for k in range(len(self.buffers))]
        words = ['sh', '-c', 'ulimit -t %d; exec "$@"' % SECONDS, 'sh', self.o.heddle, command, self.path, *self.words, '--threads', '1', '--no-print', *options]
        for k, name in zip(self.buffers, names):
            words += ['--out', '%s=%s' % (k, name)]
        shown = ' '.join(words[5:words.index('--out')] if self.buffers else words[5:])
        try:
            p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=15 * SECONDS)
        except subprocess.TimeoutExpired:
            raise Fault(shown, 'no end after %d s' % (15 * SECONDS))
        said = p.stdout.decode('utf-8', 'replace')
        if p.returncode < 0 or p.returncode > 3 or 'a defect of Heddle' in said or 'Sanitizer' in said:
            why = signal.strsignal(-p.returncode) if p.returncode < 0 else 'exit status %d' % p.returncode
            raise Fault(shown, '%s: %s' % (why, said[-1500:]))
        contents = []
        for name in names:
            if os.path.exists(name):
                contents.append(open(name, 'rb').read())
                os.unlink(name)
        return p.returncode, contents, said

    def text(self):
        return subprocess.run([self.o.heddle, 'dis', '--no-header', self.path], capture_output=True, text=True).stdout

    def same(self, one, two, zeros_alike):
        """Equal, but for NaNs, and for the signs of zeros."""
        for k, a, b in zip(self.buffers, one, two):
            known = re.match(r'(?:\w+:)?f(\d+)', self.arguments[k])
            if a != b and not any(alike(a, b, bits, zeros_alike) for bits in ([int(known[1])] if known else [32, 64, 16])):
                return False
        return True

    def checked(self, *options):
        """What a checked run leaves, or None, and why: what is undefined, or not to be had."""
        status, contents, said = self.call('check', '--time-limit', '3', *options)
        rules = re.findall(r'\[([\w.]+\.[\w-]+)\]', said)
        told = [r for r in rules if r.startswith(('check.', 'interp.')) and r not in DEFINED | HARMLESS]
        if told or (status != 0 and not DEFINED & set(rules)):
            return None, (told + rules + ['not run'])[0]
        return contents, None

    def judge(self):
        """None, if all went well; a reason why there is nothing to compare; a Fault is raised."""
        try:
            want, why = self.checked()
        except Fault as f:
            if f.args[1].startswith(('no end', signal.strsignal(signal.SIGXCPU), signal.strsignal(signal.SIGKILL))):
                return 'long'
            raise
        if why:
            return why
        if self.checked('--schedule', '%d' % (self.number + 1))[0] != want:
            return 'unordered'
        choice, first = random.Random(self.number), None
        for width in WIDTHS:
            for form in FORMS if self.o.forms == 'all' else [choice.choice(FORMS)]:
                status, got, said = self.call('run', '--width', str(width), *form)
                refused = re.search(r'error: .*\[(build\.[\w-]+)\]', said)
                if refused:
                    return refused[1]
                first = first or got
                if status != 0 or got != want:
                    self.excuse(width, form, status, got, first, said)
        return None

    def excuse(self, width, form, status, got, first, said):
        """Raise a Fault, unless a difference is one that the specifications allow, or something is undefined at a width."""
        own, why = self.checked('--width', str(width))
        if why:
            return
        if status == 0:
            text = self.text()
            if re.search('OpCaptureEventProfilingInfo|OpReadClockKHR', text):
                return  # times
            zeros = re.search(r'fmin|fmax|minmag|maxmag|fclamp|GroupFM|GroupNonUniformFM', text) is not None
            if self.same(own, got, zeros) or (INEXACT.search(text) and ('Group' in text or self.same(first, got, zeros))):
                return
            at = next((k for k, a, b in zip(self.buffers, own, got) if a != b), '?')
            said = "argument %s differs from the interpreter's" % at
        raise Fault('run --width %d %s' % (width, ' '.join(form)), said[-1500:])


def numbers(data, bits):
    size = bits // 8
    return (int.from_bytes(data[k:k + size], 'little') for k in range(0, len(data), size))


def alike(one, two, bits, zeros_alike):
    """Are they the same floats?"""
    return all(plain(x, bits, zeros_alike) == plain(y, bits, zeros_alike) for x, y in zip(numbers(one, bits), numbers(two, bits)))


def plain(x, bits, zeros_alike):
    """One number for all NaNs of a size, and perhaps for both zeros."""
    fraction = {16: 10, 32: 23, 64: 52}[bits]
    infinity = ((1 << bits - 1) - 1) >> fraction << fraction
    magnitude = x & (1 << bits - 1) - 1
    return 'nan' if magnitude > infinity else 0 if zeros_alike and magnitude == 0 else x


def inexact():
    """A pattern for instructions that need not be rounded once, and operations that may be reassociated."""
    rows = re.findall(r'^MATH\(\w+,\s*\d,\s*\w+,\s*(\w+),\s*(\w+),\s*(\w+),\s*"(\w+)"\)', open('src/rt/math/math.def').read(), re.M)
    exact = {name for *limits, name in rows if set(limits) <= {'EXACT', 'ROUNDED'}} - {'lgamma_r'}
    return re.compile(r'OpExtInst \S+ \S+ (?!(?:%s|[su]_\w+|v(?:load|store)\w+|select|bitselect|shuffle2?|popcount|clz|ctz|rotate|printf|'
                      r'prefetch)\b)|FPFastMathMode|OpGroup\w*F(?:Add|Mul)|OpDot |OpFSigmoidINTEL|Matrix' % '|'.join(sorted(exact)))


def complain(o, number, path, words, fault):
    os.makedirs(o.keep, exist_ok=True)
    kept = os.path.join(o.keep, 'mutant_%d' % number)
    shutil.copy(path, kept + '.spv')
    text = subprocess.run([o.heddle, 'dis', '--no-header', path], capture_output=True, text=True).stdout
    with open(kept + '.spvasm', 'w') as f:
        f.write('; RUN: heddle run %%s %s\n%s' % (' '.join(words), text))
    print('FAILED %d: %s.spvasm\n    %s\n    %s' % (number, kept, fault.args[0][:400], fault.args[1].strip().replace('\n', '\n    ')), flush=True)


def main():
    global INEXACT
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=24)
    parser.add_argument('--seed', type=int, default=1, help='the first one\'s number')
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--forms', choices=['one', 'all'], default='one')
    parser.add_argument('--seeds', nargs='*', default=[])
    parser.add_argument('--only', default='', help='tests whose path has this in it')
    parser.add_argument('--no-sources', dest='sources', action='store_false', help='no OpenCL C')
    parser.add_argument('--keep')
    o = parser.parse_args()
    o.build = os.path.abspath(o.build)
    o.heddle, o.keep = os.path.join(o.build, 'heddle'), os.path.abspath(o.keep or os.path.join(o.build, 'random'))
    o.seeds = [os.path.abspath(s) for s in o.seeds]
    os.chdir(ROOT)
    os.environ['HEDDLE_CACHE'] = '0'
    INEXACT = inexact()
    o.sources = o.sources and shutil.which(os.environ.get('HEDDLE_CLANG', 'clang-22')) is not None
    passed, failed, reasons = 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        seeds, mutants = os.path.join(scratch, 'seeds'), os.path.join(scratch, 'mutants')
        os.makedirs(seeds)
        os.makedirs(mutants)
        runs = collect(o, seeds)
        made = subprocess.run([os.path.join(o.build, 'tests/robust/mutate_test'), '-m', str(o.count), str(o.seed), mutants, seeds],
                              capture_output=True, text=True)
        work = [(int(n), os.path.join(mutants, n + '.spv'), runs[p]) for n, p in (l.split() for l in made.stdout.splitlines())]
        reasons['not valid'] = o.count - len(work)
        work = [Mutant(o, n, path, lines[n % len(lines)], scratch) for n, path, lines in work]
        judged = {pool.submit(m.judge): m for m in work}
        for future in concurrent.futures.as_completed(judged):
            m = judged[future]
            try:
                reason = future.result()
                passed += reason is None
                if reason:
                    reasons[reason] += 1
            except Fault as fault:
                failed += 1
                complain(o, m.number, m.path, m.words, fault)
    print('%d modules; skipped: %s' % (len(runs), ', '.join('%s %d' % r for r in reasons.most_common())))
    print('%d passed, %d failed, %d skipped' % (passed, failed + (made.returncode != 0), sum(reasons.values())))
    return 1 if failed or made.returncode != 0 else 0


if __name__ == '__main__':
    sys.exit(main())
