#!/usr/bin/env python3
"""Run the tests that are files: SPIR-V text, or OpenCL C with RUN lines, with comment lines that say what to run and what to
expect.

  tools/check.py [--heddle build/heddle] [-j N] [-v] [--few] [FILE or FOLDER …]      default: src/ and tests/

In a file (any line that begins with ; or //):
  RUN: heddle CMD … %s       a command; %s is the file, %t a scratch name (what writes it with -o has no CHECKs).
                             `heddle run` lines are repeated for each width and engine, and leave the same in all
                             arguments. Prefix `not` expects a failing exit status.
  DIFFERS: why               engines may leave other numbers: times, addresses, mathematics (also those with --tolerance)
  CHECK: text                must appear in the output, in order; CHECK-NEXT: on the next line; CHECK-NOT: nowhere before
                             the next match; {{regex}} inside. CHECK-W8: holds at that width only.
  WIDTHS: 1 4 8 16           widths of `heddle run` lines (this is the default)
  ENGINES: compiled dispatch interpreted      engines of `heddle run` lines (this is the default; with barriers, `fibers`
                             and `dispatch-fibers` too, with functions `calls` and `dispatch-calls`). With --few, of the
                             default `compiled` runs at two widths, other compiled forms at one, and `interpreted` at
                             those widths; file and line choose which. A file with WIDTHS or CHECK-W8 has `compiled`
                             at each. All forms but one `compiled` go without LLVM's optimisations
                             then (HEDDLE_OPTIMISE=0), if the code is not dumped: they are most of the time.
  EXIT: N                    expected exit status of RUN lines
  CPU: NAME                  processor to compile for (HEDDLE_CPU), for dumps; skipped where the code runs, too, and this processor lacks
                             an instruction of it
  PROFILE: opencl1.2 reject, opencl3.0+cl_khr_fp16 accept      `heddle val` verdicts per environment
  <instruction>   ; error: rule.id      `heddle val` must find this rule broken here, and none elsewhere
  <instruction>   ; warning: rule.id    … must warn so here; a file that has such lines has no other warnings
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, json, os, random, re, shlex, subprocess, sys, tempfile

import served

WIDTHS = ['1', '4', '8', '16']
ENGINES = ['compiled', 'dispatch', 'interpreted']
FIBERS = ['fibers', 'dispatch-fibers']
CALLS = ['calls', 'dispatch-calls']
OPTIONS = {'compiled': [], 'dispatch': ['--dispatch'], 'interpreted': ['--engine', 'interpreted'], 'fibers': ['--fibers'],
           'dispatch-fibers': ['--dispatch', '--fibers'], 'calls': ['--calls'], 'dispatch-calls': ['--dispatch', '--calls']}
QUICK = 'HEDDLE_OPTIMISE=0'
MEETS = re.compile(r'OpControlBarrier|OpGroup(?!NonUniform)')


class Test:
    def __init__(self, path):
        self.path, self.runs, self.checks, self.errors, self.warnings = path, [], [], [], []
        self.widths, self.engines, self.exit, self.cpu, self.profiles, self.differs = WIDTHS, ENGINES, None, None, [], False
        meets = calls = False
        for number, line in enumerate(open(path, encoding='utf-8', errors='replace'), 1):
            meets = meets or (MEETS.search(line) is not None and not line.startswith(';'))
            calls = calls or ('OpFunctionCall' in line and not line.startswith(';'))
            m = re.match(r'\s*(?:;|//|#)\s*(RUN|CHECK(?:-NEXT|-NOT)?(?:-W\d+)?|CHECK-W\d+|WIDTHS|CPU|ENGINES|EXIT|PROFILE|DIFFERS):(.*)', line)
            if m:
                self.directive(m.group(1), m.group(2).strip())
            for m in re.finditer(r';\s*(error|warning):\s*([\w.\-]+)', line):
                (self.errors if m.group(1) == 'error' else self.warnings).append((number, m.group(2)))
        self.few = {}  # how many widths an engine has with --few
        if self.engines is ENGINES:
            others = ['dispatch'] + FIBERS * meets + CALLS * calls
            self.engines = ['compiled', 'interpreted'] + others
            self.few = dict.fromkeys(others, 1)
            if self.widths is WIDTHS and not any('-W' in key for key, _ in self.checks):
                self.few['compiled'] = 2

    def widths_of(self, run, engine, few):
        """A lane alone is not dispatched."""
        widths = [w for w in self.widths if w != '1' or not engine.startswith('dispatch')]
        count = self.few.get(engine, len(widths)) if few else len(widths)
        return random.Random(self.path + run + engine).sample(widths, count) if count < len(widths) else widths

    def ways(self, run, few):
        """(width, engine) of a `heddle run` line."""
        found = [(width, engine) for engine in self.engines for width in self.widths_of(run, engine, few)]
        judged = {width for width, engine in found if engine != 'interpreted'} if few and self.few else set(self.widths)
        return [(width, engine) for width, engine in found if engine != 'interpreted' or width in judged]

    def slow(self, run, ways, few):
        """Those of these ways that have LLVM's optimisations."""
        if not few or '--dump' in run:
            return ways
        compiled = [way for way in ways if way[1] == 'compiled']
        return [random.Random(run + self.path).choice(compiled)] if compiled else []

    def directive(self, key, text):
        if key == 'RUN': self.runs.append(text)
        elif key == 'WIDTHS': self.widths = text.split()
        elif key == 'ENGINES': self.engines = text.split()
        elif key == 'CPU': self.cpu = text
        elif key == 'EXIT': self.exit = int(text)
        elif key == 'DIFFERS': self.differs = True
        elif key == 'PROFILE':
            self.profiles += [part.split() for part in text.split(',') if part.strip()]
        else: self.checks.append((key, text))


def to_regex(text):
    parts = re.split(r'\{\{(.*?)\}\}', text)
    return ''.join(p if i % 2 else r'\s+'.join(re.escape(word) for word in re.split(r'\s+', p)) for i, p in enumerate(parts))


def match_checks(checks, output, width):
    """None when every CHECK holds, else what does not."""
    lines, at, forbidden = output.splitlines(), 0, []
    for key, text in checks:
        m = re.fullmatch(r'(CHECK(?:-NEXT|-NOT)?)(?:-W(\d+))?', key)
        if m.group(2) and m.group(2) != width:
            continue
        pattern = re.compile(to_regex(text))
        if m.group(1) == 'CHECK-NOT':
            forbidden.append(pattern)
            continue
        last = at + 1 if m.group(1) == 'CHECK-NEXT' else len(lines)
        found = next((i for i in range(at, min(last, len(lines))) if pattern.search(lines[i])), None)
        if found is None:
            return '%s: %s\n  not found in:\n    %s' % (key, text, '\n    '.join(lines[at:at + 12]))
        for bad in forbidden:
            if any(bad.search(line) for line in lines[at:found]):
                return 'CHECK-NOT: %s was found' % bad.pattern
        forbidden, at = [], found + 1
    for bad in forbidden:
        if any(bad.search(line) for line in lines[at:]):
            return 'CHECK-NOT: %s was found' % bad.pattern
    return None


SKIPPED = object()


def execute(words, cpu=None, timeout=120):
    """(status, output) of a command; QUICK may stand before it."""
    env = dict(os.environ, **({'HEDDLE_CPU': cpu} if cpu else {}))
    if words[0] == QUICK:
        words = words[1:]
        env.update([QUICK.split('=')])
    try:
        p = served.run(words, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL, env=env)
    except subprocess.TimeoutExpired:
        return None, 'timed out after %d s' % timeout
    return p.returncode, (p.stdout + p.stderr).decode('utf-8', 'replace')


def check_val(test, words):
    """`heddle val`: the annotated instructions, and no others, break the rules named."""
    status, output = execute(words + ['--json'])
    if status not in (0, 1):
        return 'exit status %s\n%s' % (status, output)
    try:
        findings = json.loads(output[output.index('['):])
        found, warned = ([(d.get('line'), d.get('rule')) for d in findings if d['severity'] == severity]
                         for severity in ('error', 'warning'))
    except (ValueError, KeyError):
        return 'output is not JSON:\n' + output[:800]
    if not test.warnings:
        warned = []
    missing = [e for e in test.errors if e not in found] + [w for w in test.warnings if w not in warned]
    extra = [e for e in found if e not in test.errors] + [w for w in warned if w not in test.warnings]
    if missing or extra:
        return 'missing: %s; not expected: %s' % (missing, extra)
    want = 1 if test.errors else 0
    return None if status == want else 'exit status %d, not %d' % (status, want)


def jobs_of(test, heddle, folder, few):
    for run in test.runs:
        words = shlex.split(run)
        negated = words[0] == 'not'
        words = words[1:] if negated else words
        scratch = folder + '/' + re.sub(r'\W', '_', test.path)
        words = [w.replace('%s', test.path).replace('%t', scratch) for w in words]
        if words[0] == 'heddle':
            words[0] = heddle
        want = test.exit if test.exit is not None else ('fail' if negated else 0)
        if '-o' in words and scratch in words: # made for the next line
            yield run, 'status', words, want, None
        elif words[1] == 'val' and not test.checks and test.exit is None and not negated:
            yield run, 'val', words, want, None
        elif words[1] == 'run' and '--width' not in words:
            ways = test.ways(run, few)
            slow = test.slow(run, ways, few)
            for width, engine in ways:
                before = [] if engine == 'interpreted' or (width, engine) in slow else [QUICK]
                extra = ['--width', width] + OPTIONS[engine]
                yield ' '.join(before + [run] + extra), 'out', before + words + extra, want, width
        else:
            yield run, 'out', words, want, None
    for env, verdict in test.profiles:
        name, *exts = env.split('+')
        words = [heddle, 'val', '--env', name] + (['--ext', ','.join(exts)] if exts else []) + [test.path]
        yield 'PROFILE %s %s' % (env, verdict), 'status', words, 0 if verdict == 'accept' else 1, None


def run_job(test, job):
    """What is wrong, or None, or SKIPPED; and what was printed."""
    name, kind, words, want, width = job
    if kind == 'val':
        return check_val(test, words), None
    status, output = execute(words, test.cpu)
    if test.cpu and '[launch.processor]' in output:
        return SKIPPED, None
    if (want == 'fail' and status in (0, None)) or (want != 'fail' and status != want):
        return 'exit status %s, expected %s\n    %s' % (status, want, '\n    '.join(output.splitlines()[:12])), output
    return None if kind == 'status' else match_checks(test.checks, output, width), output


def run_jobs(test, jobs):
    """One after the other: some read what one before them made, and OpenCL C is compiled once (HEDDLE_CACHE)."""
    return [run_job(test, job) for job in jobs]


def first_difference(a, b):
    for x, y in zip(a.splitlines(), b.splitlines()):
        if x != y:
            at = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            return '…%s\n  …%s' % (x[max(0, at - 40):at + 40], y[max(0, at - 40):at + 40])
    return 'one prints more'


class Engines:
    """The arguments behind each run at a width on the engine that came first: others have the same."""
    def __init__(self):
        self.printed = {}

    def differ(self, test, job, output):
        _, kind, words, want, width = job
        if width is None or want != 0 or test.differs or '--tolerance' in words:
            return None
        output = '\n'.join(line for line in output.splitlines() if line.startswith(('arg ', 'bind ')))
        common = tuple(w for w in words if w not in (QUICK, '--dispatch', '--fibers', '--calls', '--engine', 'interpreted'))
        first = self.printed.setdefault((test.path, common), output)
        return None if first == output else 'not what the first engine left:\n  ' + first_difference(first, output)


def says_what_to_run(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return '// RUN:' in f.read()


def find_tests(roots):
    for root in roots:
        if os.path.isfile(root):
            yield root
            continue
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith('.spvasm') or (name.endswith('.cl') and says_what_to_run(path)):
                    yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--heddle', default='build/heddle')
    parser.add_argument('-j', type=int, default=os.cpu_count())
    parser.add_argument('-v', action='store_true', help='name every test')
    parser.add_argument('--engine', action='append', help='only these engines')
    parser.add_argument('--width', action='append', help='only these widths')
    parser.add_argument('--few', action='store_true', help='compiled code at two widths, dispatcher, fibers and calls at one, as `make test` does')
    parser.add_argument('paths', nargs='*', default=['src', 'tests'])
    options = parser.parse_args()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        work = []
        # Kernels are compiled each time, but the SPIR-V of a source is the same at all widths, in all engines.
        os.environ.setdefault('HEDDLE_CACHE', '2')
        os.environ['HEDDLE_CACHE_DIR'] = folder + '/cache'
        for path in find_tests(options.paths):
            test = Test(path)
            if options.engine:
                test.engines = [e for e in test.engines if e in options.engine]
            if options.width:
                test.widths = [w for w in test.widths if w in options.width]
            found = list(jobs_of(test, os.path.abspath(options.heddle), folder, options.few))
            skipped += not found
            work.append((test, found))
        longest_first = sorted(range(len(work)), key=lambda i: -len(work[i][1]))
        futures = {i: pool.submit(run_jobs, *work[i]) for i in longest_first}
        engines = Engines()
        results = ((test, job, result) for i, (test, jobs) in enumerate(work) for job, result in zip(jobs, futures[i].result()))
        for test, job, (wrong, output) in results:
            if wrong is SKIPPED:
                skipped += 1
                continue
            wrong = wrong or engines.differ(test, job, output)
            if wrong is None:
                passed += 1
                if options.v:
                    print('ok', test.path, job[0])
            else:
                failed += 1
                print('FAILED %s: %s\n  %s' % (test.path, job[0], wrong))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
