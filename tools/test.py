#!/usr/bin/env python3
"""Run every test suite against a built tree and end with one line of counts.

  tools/test.py [--build build] [--quick | --room ROOM] [--asan build/asan] [--tsan build/tsan] [-j N] [SUITE …]

A suite is a command that ends with `N passed, N failed, N skipped`; its counts are added up. A suite that does not come to
that line counts as one failure. What failed is printed when it fails, and again at the end. As many suites run at once as
there are processors (-j). Each line ends with the suite's time, and its processor time. Suites: see below.

--quick: two minutes of a processor. Suites that take long (LONG) are left out, and the driver; the tests that are files
run at one width, compiled and interpreted. --room: all tests of src/ROOM or src/ops/ROOM.
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, glob, os, re, subprocess, sys, threading, time

HANGS = 2400  # seconds after which a suite is taken to hang: on a busy machine the longest needs 1,200, alone 300
# Suites that take more than two seconds of a processor, the longest first: they begin first, so that none runs alone at the
# end. tools/test.py prints the times by which this list is kept.
LONG = [
    'jit/aarch64_test.py', 'fuzz/shader_flow_test.py', 'rows/rows_test.py', 'fuzz/shader_matrices_test.py',
    'fuzz/kernels_test.py', 'math/code_test', 'fuzz/matrices_test.py', 'kernels', 'fuzz/vectors_test.py',
    'lanes/lanes_test', 'robust/shapes_test.py', 'fuzz/halfs_test.py', 'val/scale_test.py', 'api/convert_test',
    'fuzz/reconvergence_test.py', 'val/rules_test.py', 'cl/memory_test', 'checked/defects_test.py', 'fuzz/flow_test.py',
    'fuzz/natives_test.py', 'ir/ir_test', 'lib/install_test.py', 'math/math_test', 'lib/wheel_test.py', 'fuzz/optimised_test.py',
    'math/relaxed_test', 'checked/driver_test.py', 'jit/debugger_test.py', 'shaders/sampled_test.py',
    'checked/explain_test.py', 'xform/translator_test.py', 'tool/lower_test.py', 'text/language_test.py',
    'api/builtin_test', 'robust/robust_test', 'tool/release_test.py', 'tool/exit_test.py', 'clc/producers_test.py',
    'val/environments_test.py', 'rows/images_test.py', 'vulkan/lavapipe_test.py', 'robust/mutate_test',
    'lanes/fold_test.py', 'debug/terminal_test.py', 'vulkan/sampled_test.py', 'checked/host_test.py',
    'xform/offline_test.py', 'launch/image_test', 'robust/limits_test', 'tool/link_test.py', 'api/prespawn_test',
    'vulkan/lowered_test.py', 'lib/python_test.py', 'shaders/defects_test.py', 'tool/run_test.py', 'fuzz/mutants_test.py',
    'math/convert_test', 'api/subgroup_test', 'docs/docs_test.py', 'math/glsl_test', 'text/corpus_test.py',
    'math/interp_math_test']
# What computes numbers, on one thread or as other suites do, is not run under these sanitizers.
NUMBERS = {'asan': ('api/convert_test',), 'tsan': ('api/builtin_test', 'api/convert_test', 'launch/image_test')}
# What a suite does less of under the address sanitizer.
FEWER = {'ir/ir_test': ['tests/ir', '100']} # random programs
SEED = '20261129'
COUNTS = re.compile(r'(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$')


def units(build):
    """Unit tests of the rooms: (name, command, environment)."""
    for room in sorted(os.listdir('tests')):
        if room in ('kernels', 'api', 'fuzz'):
            continue
        for program in sorted(glob.glob('%s/tests/%s/*_test' % (build, room))):
            yield '%s/%s' % (room, os.path.basename(program)), [program], {}


def through_driver(build, spv, modes):
    """Host programs on the driver: the API's tests, and the kernels in these modes."""
    driver = {'OCL_ICD_VENDORS': os.path.abspath(build + '/heddle.icd')}
    for program in sorted(glob.glob('%s/tests/api/*_test' % build)):
        yield 'api/' + os.path.basename(program), [program], driver
    kernels = dict(driver, **({'MODES': modes} if modes else {}))
    yield 'kernels', ['tools/kernels-test.sh', build + '/kernels', spv, '--device-name', 'Heddle'], kernels


def scripts(build):
    for script in sorted(glob.glob('tests/*/*_test.py')):
        yield script[6:], [sys.executable, script, '--build', build], {}


def files(build, *options):
    yield 'files', ['tools/check.py', '--heddle', build + '/heddle', *options], {}


def suites(build):
    """(name, command, environment)."""
    yield 'lint', ['tools/lint.py'], {'BUILD': build}
    yield from units(build)
    yield from scripts(build)
    yield from through_driver(build, build + '/spv', None)
    yield 'text/emitted.py', [sys.executable, 'tests/text/emitted.py', '--build', build], {}
    yield from files(build, *(['--few'] if 'HEDDLE_TEST_SEED' in os.environ else []))


def quick(build):
    for suite in suites(build):
        if suite[0] not in LONG and suite[0] not in ('files', 'text/emitted.py') and not suite[0].startswith('api/'):
            yield suite
    yield from files(build, '--width', '8', '--engine', 'compiled', '--engine', 'interpreted')


def of_room(build, room):
    """Every test of a room, or of a family of operations."""
    folders = [f for f in ('src/' + room, 'src/ops/' + room, 'tests/' + room) if os.path.isdir(f)]
    if not folders:
        sys.exit('test.py: there is no room %s: neither src/%s nor src/ops/%s nor tests/%s' % ((room, ) * 4))
    for suite in suites(build):
        if suite[0].startswith(room + '/'):
            yield suite
    yield from files(build, *folders)


def sanitized(kind, build, spv):
    """The same under a sanitizer, in a build of its own: less of it, because it is slow."""
    options = {'ASAN_OPTIONS': 'detect_leaks=1:detect_stack_use_after_return=0:abort_on_error=0',
               'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1',
               'TSAN_OPTIONS': 'halt_on_error=1:suppressions=' + os.path.abspath('tools/tsan.supp')}
    rooms = ('launch/', 'lib/') if kind == 'tsan' else ('',)
    some = [u for u in units(build) if u[0].startswith(rooms) and not u[0].startswith(('math/', 'lanes/'))]
    if kind == 'asan':
        some = [(name, command + FEWER.get(name, []), extra) for name, command, extra in some]
        # The dispatcher is other generated code, which is not made for the sanitizer.
        # LLVM's allocations are slow with it, and its optimisations have most of them.
        some += [(name, command, {'HEDDLE_OPTIMISE': '0'})
                 for name, command, _ in files(build, '--width', '8', '--engine', 'compiled', '--engine', 'interpreted')]
        # An interpreter that is not made for the sanitizer needs its library in front, and leaks.
        library = subprocess.run(['gcc', '-print-file-name=libasan.so'], capture_output=True, text=True).stdout.strip()
        some.append(('fuzz/kernels_test.py', [sys.executable, 'tests/fuzz/kernels_test.py', '--build', build, '--count', '60', '-j', '1',
                                              '--seconds', '900'],
                     {'HEDDLE_OPTIMISE': '0', 'LD_PRELOAD': library, 'ASAN_OPTIONS': 'detect_leaks=0:abort_on_error=1'}))
    some += through_driver(build, spv, 'clang22-O2')
    for name, command, extra in some:
        if name in NUMBERS[kind]:
            continue
        yield '%s: %s' % (kind, name), command, dict(options, **extra)


def longest_first(work):
    """In the order of LONG; what has processes of its own, which fill every processor, comes last."""
    def place(suite):
        name = suite[0].split(': ')[-1]
        return LONG.index(name) if name in LONG else len(LONG) + (name == 'files')
    return sorted(work, key=place)


def execute(command, extra, path):
    """The status of a command, 1 when it does not end, and its processor time, that of its children included; its output
    goes to a file."""
    with open(path, 'wb') as out:
        try:
            p = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                 env=dict(os.environ, **extra))
        except OSError as e:
            out.write(str(e).encode())
            return 1, 0
        watch = threading.Timer(HANGS, p.kill)
        watch.start()
        _, status, usage = os.wait4(p.pid, 0)
        if not watch.is_alive():
            out.write(b'\nno end after %d s' % HANGS)
        watch.cancel()
        p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, usage.ru_utime + usage.ru_stime


def run(name, command, extra, log):
    start = time.time()
    path = os.path.join(log, re.sub(r'\W+', '_', name) + '.log')
    status, processor = execute(command, extra, path)
    with open(path, encoding='utf-8', errors='replace') as f:
        output = f.read()
    lines = output.strip().splitlines()
    m = COUNTS.search(lines[-1]) if lines else None
    counts = [int(x or 0) for x in m.groups()] if m else [0, 1, 0]
    if m and status != 0 and counts[1] == 0:
        counts[1] = 1
    print('%-34s %5d passed %4d failed %4d skipped  %6.1f s %6.1f s' % (name, *counts, time.time() - start, processor), flush=True)
    failure = ''
    if counts[1]:
        shown = [l for l in lines if re.search(r'not so|fail|error|FAIL|mismatch|SUMMARY', l)][:40] or lines[-25:]
        failure = '    ' + '\n    '.join(l[:240] for l in shown)
        print(failure, flush=True)
    return counts, failure and '%s: %d failed\n%s' % (name, counts[1], failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--room')
    parser.add_argument('--asan', help='a build with address and undefined-behaviour sanitizers, to test as well')
    parser.add_argument('--tsan', help='a build with the thread sanitizer, to test as well')
    parser.add_argument('--seed', default=SEED, help='what random tests begin with: a number, or new, with which the '
                        'tests that are files run in every form; default: %(default)s')
    parser.add_argument('-j', type=int, default=os.cpu_count())
    parser.add_argument('only', nargs='*')
    options = parser.parse_args()
    log = os.path.join(options.build, 'test-logs')
    os.makedirs(log, exist_ok=True)
    os.environ['HEDDLE_CACHE_DIR'] = os.path.abspath(os.path.join(options.build, 'test-cache'))
    if options.seed != 'new':
        os.environ['HEDDLE_TEST_SEED'] = options.seed
    work = list(quick(options.build) if options.quick else of_room(options.build, options.room) if options.room else
                suites(options.build))
    for kind in ('asan', 'tsan'):
        if getattr(options, kind):
            work += sanitized(kind, getattr(options, kind), options.build + '/spv')
    work = [w for w in work if not options.only or any(w[0].startswith(o) for o in options.only)]
    if any(w[0].endswith('kernels') for w in work):
        subprocess.run(['tools/kernels-spv.sh', options.build + '/spv'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        results = list(pool.map(lambda w: run(*w, log), longest_first(work)))
    for _, failure in results:
        if failure:
            print(failure)
    total = [sum(column) for column in zip([0, 0, 0], *(counts for counts, _ in results))]
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] else 0


if __name__ == '__main__':
    sys.exit(main())
