#!/usr/bin/env python3
"""The seeded defects by name: each is found in its kernel, and nothing in the kernel's twin.

  tests/checked/defects_test.py [--build FOLDER] [--peer]

--peer: give the same kernels to Oclgrind (plain, and with all checks), and print a table of who finds what; `-` where it does
not take the source (OpenCL C 3.0). What it says is not judged here. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, shlex, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools'))
import served

HERE = os.path.dirname(os.path.abspath(__file__))
# name of the defect, kernel (file without ending), rule
DEFECTS = [
    ('read and write behind a buffer', 'global_bounds', 'out-of-bounds'),
    ('far outside a buffer, inside another', 'neighbour_bounds', 'out-of-bounds'),
    ('behind a local array', 'local_bounds', 'out-of-bounds|index'),
    ('behind a local argument', 'local_argument', 'out-of-bounds'),
    ('behind a private array', 'private_bounds', 'out-of-bounds|index'),
    ('behind constant memory', 'constant_bounds', 'out-of-bounds'),
    ('behind a row of an array', 'row_bounds', 'index'),
    ('an atomic behind a buffer', 'atomic_bounds', 'out-of-bounds'),
    ('null pointer', 'null', 'null'),
    ('pointer made of a number', 'wild', 'wild-pointer'),
    ('misaligned vector', 'misaligned', 'misaligned'),
    ('vload from an odd address', 'misaligned_vload', 'misaligned'),
    ('number at an odd place of a private array', 'misaligned_private', 'misaligned'),
    ('write to constant memory', 'constant_write', 'read-only'),
    ('race of work-items in global memory', 'race', 'race'),
    ('race of work-items in local memory', 'race_local', 'race'),
    ('race of work-groups', 'race_groups', 'race'),
    ('updates that race', 'race_update', 'race'),
    ('race of neighbouring bytes', 'race_bytes', 'race'),
    ('atomics mixed with plain accesses', 'race_atomic', 'race-atomic'),
    ('data behind a flag that is relaxed', 'relaxed_flag', 'race'),
    ('barrier with the wrong fence', 'missing_fence', 'missing-fence'),
    ('barrier that not all reach', 'divergent_barrier', 'divergent-barrier'),
    ('barrier that some have left without', 'barrier_left', 'barrier-left'),
    ('different barriers', 'different_barrier', 'different-barrier'),
    ('async copy whose work-items differ', 'async_uniform', 'non-uniform'),
    ('uninitialised global memory', 'uninitialised_global', 'uninitialised'),
    ('uninitialised local memory', 'uninitialised_local', 'uninitialised'),
    ('uninitialised local memory, added up', 'uninitialised_origin', 'uninitialised'),
    ('uninitialised private memory', 'uninitialised', 'uninitialised'),
    ('one uninitialised bit of what the host gets', 'uninitialised_bit', 'uninitialised'),
    ('uninitialised value in a branch', 'undefined_branch', 'uninitialised'),
    ('uninitialised value that an optimiser makes up', 'optimiser', 'uninitialised'),
    ('some uninitialised bytes of a number', 'uninitialised_bytes', 'uninitialised'),
    ('uninitialised texel', 'uninitialised_texel', 'uninitialised'),
    ('uninitialised part of a structure', 'uninitialised_part', 'uninitialised'),
    ('private pointer of another work-item', 'private_escape', 'private-escape|wrong-class'),
    ('pointer to a variable of a function that was left', 'dangling', 'dangling|out-of-bounds'),
    ('variable whose life is over', 'lifetime', 'lifetime|out-of-bounds'),
    ('pointer cast to the wrong class', 'wrong_class', 'wrong-class'),
    ('division by zero', 'division', 'division'),
    ('shift by the width', 'shift', 'shift'),
    ('number outside an integer\'s range', 'conversion', 'conversion'),
    ('component outside a vector', 'vector_index', 'vector-index'),
    ('loop without end', 'endless', 'time-limit'),
    ('function that returns nothing', 'missing_return', 'unreachable|uninitialised'),
    ('collective that not all reach', 'divergent_collective', 'divergent-barrier|barrier-left'),
    ('broadcast from different work-items', 'broadcast_uniform', 'non-uniform'),
    ('value of a lane that takes no part', 'inactive_lane', 'inactive-lane'),
    ('pointer passed with too little memory', 'pointer_passed', 'out-of-bounds'),
    ('pointer chosen from two arrays', 'pointer_chosen', 'out-of-bounds'),
    ('pointer kept in an array', 'pointer_stored', 'out-of-bounds'),
    ('race behind what many released', 'race_many', 'race'),
    ('more local memory than there is', 'local_size', 'local-memory'),
    ('async copy that nobody has waited for', 'async_pending', 'race'),
    ('source of an async copy overwritten', 'async_source', 'race'),
    ('event waited for twice', 'event_twice', 'event'),
    ('event that nobody waits for', 'event_lost', 'event'),
    ('different events', 'event_uniform', 'non-uniform'),
    ('own write before the others\' atomics', 'race_atomic_own', 'race-atomic'),
    ('sub-group operation that not all reach', 'divergent_subgroup', 'divergent-barrier'),
    ('sub-group barrier with the wrong fence', 'subgroup_fence', 'race'),
    ('sub-group barrier between sub-groups', 'subgroup_apart', 'race'),
    ('image barrier with the wrong fence', 'image_fence', 'missing-fence'),
    ('uninitialised value that is printed', 'printf_undefined', 'uninitialised'),
    ('flag without order', 'order_relaxed', 'race'),
    ('flag for the work-group alone', 'scope_workgroup', 'race'),
    ('flag for the sub-group alone', 'scope_subgroup', 'race'),
    ('barrier that releases nothing', 'barrier_acquire', 'missing-fence'),
    ('barrier with different scopes', 'barrier_scope', 'non-uniform'),
    ('bits outside a number', 'bit_field', 'bit-field'),
    ('shift that loses what it promised to keep', 'wrap_shift', 'wrap'),
    ('difference of pointers into two arrays', 'pointer_difference_local', 'pointer-difference'),
    ('copy behind a buffer', 'copy_bounds', 'out-of-bounds'),
    ('untyped pointer behind a buffer', 'untyped_bounds', 'out-of-bounds'),
    ('behind a variable-length array', 'vla_bounds', 'out-of-bounds'),
    ('reservation of a pipe that is not held', 'pipe_reservation', 'pipe-reservation'),
    ('reservation of a pipe that is not committed', 'pipe_commit', 'pipe-commit'),
    ('packet outside of its reservation', 'pipe_index', 'pipe-index'),
    ('packets of another size than the pipe\'s', 'pipe_packet', 'pipe-packet'),
    ('uninitialised packet of a pipe', 'pipe_uninitialised', 'uninitialised'),
    ('reservation of a group that does not agree', 'pipe_uniform', 'non-uniform'),
    ('arguments that a function has no result for', 'domain', 'domain'),
    ('bit of a ballot that is not there', 'ballot', 'domain'),
    ('sub-group operation whose operands differ', 'subgroup_uniform', 'non-uniform'),
    ('argument that printf\'s format does not fit', 'printf_wrong', 'printf'),
    ('coordinate that is not a number', 'image_coordinate', 'image-coordinate'),
    ('own texel read without a fence', 'image_own', 'missing-fence'),
    ('atomic on private memory', 'private_atomic', 'private-atomic'),
    ('flag that something else changes', 'atomic_flag', 'atomic-flag'),
    ('copy with a stride of 0', 'stride', 'stride'),
    ('constant variable written', 'constant_global', 'read-only'),
    ('upper half that has no value', 'uninitialised_narrow', 'uninitialised'),
    ('half of a vector that is stored', 'uninitialised_vstore', 'uninitialised'),
    ('undefined component of a shuffle', 'undef_shuffle', 'uninitialised'),
    ('infinity that was promised not to be', 'finite', 'finite'),
    ('write through a parameter that promises none', 'promise', 'promise'),
    ('dot product that overflows', 'dot_overflow', 'wrap'),
    ('scope that there is not', 'semantics', 'semantics'),
    ('barrier whose flags differ', 'barrier_semantics', 'non-uniform'),
    ('atomic read against a plain write', 'race_atomic_read', 'race-atomic'),
]
# What Oclgrind says when it has found something.
SAID = re.compile(r'Invalid (?:read|write)|data race|Unaligned|Work-group divergence|divergence|[Uu]ninitialized|fault|aborted|'
                  r'Invalid|undefined', re.I)


def command(path):
    """Words behind `heddle check FILE` of a kernel's first RUN line."""
    for line in open(path, encoding='utf-8'):
        m = re.search(r'RUN: heddle check %s (.*)', line)
        if m:
            return shlex.split(m.group(1))
    raise SystemExit('%s has no RUN line' % path)


def file_of(name):
    for end in ('.cl', '.spvasm'):
        if os.path.exists(os.path.join(HERE, name + end)):
            return os.path.join(HERE, name + end)
    return None


def checked(build, path):
    p = served.run([build + '/heddle', 'check', path, *command(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=300, text=True)
    return p.returncode, p.stdout


def numbers(kind, count, init):
    """What stands behind = as Oclgrind has it."""
    if init == '' or init == 'zeros':
        return 'fill=0', ''
    if init == 'undefined':
        return 'noinit', ''
    if init.startswith('range'):
        parts = [int(x) for x in init.split(':')[1:]]
        start, step = (parts + [0, 1][len(parts):])[:2]
        values = [start + step * n for n in range(count)]
    else:
        values = ([float(x) if kind.startswith('f') else int(x, 0) for x in init.split(',')] + [0] * count)[:count]
    return '', '\n' + ' '.join(str(v) for v in values)


def simulation(path):
    """Oclgrind's description of the launch, and options; None when it cannot be written."""
    words, kernel, size, local, args, options = command(path), None, None, None, [], ''
    kinds = {'i8': 'char', 'u8': 'uchar', 'i32': 'int', 'u32': 'uint', 'i64': 'long', 'u64': 'ulong', 'f32': 'float'}
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.startswith('--'):
            kernel = word
            continue
        value = words[at]
        at += 1
        if word == '--global':
            size = value
        elif word == '--local':
            local = value
        elif word == '--cl':
            options = value
        elif word == '--arg':
            m = re.match(r'(\w+?)(?:x(\d+))?(?:\[(\d+)\])?(?:=(.*))?$', value)
            if value == 'null':
                args.append('<null>')
            elif m is None:
                return None
            elif m.group(1) == 'local':
                args.append('<size=%s>' % m.group(3))
            elif m.group(1) not in kinds:
                return None
            else:
                count = int(m.group(2) or 1) * int(m.group(3) or 1)
                one = int(re.search(r'\d+', m.group(1)).group()) // 8
                how, data = numbers(m.group(1), count, m.group(4) or '')
                args.append('<size=%d %s %s>%s' % (one * count, kinds[m.group(1)], how, data))
    three = lambda s: ' '.join((s.split(',') + ['1', '1'])[:3])
    text = '\n'.join([path, kernel, three(size), three(local or size), *args]) + '\n'
    return text, options


def peer(path, folder):
    """Who of (Oclgrind plain, with all checks) finds something."""
    described = simulation(path) if path.endswith('.cl') else None
    if described is None or 'CL3.0' in described[1]:
        return '-', '-'
    sim = os.path.join(folder, 'sim')
    with open(sim, 'w') as f:
        f.write(described[0])
    found = []
    for flags in ([], ['--uninitialized', '--data-races']):
        options = ['--build-options', described[1]] if described[1] else []
        try:
            p = subprocess.run(['oclgrind-kernel', *flags, *options, sim], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, timeout=20, text=True, errors='replace')
            found.append('found' if SAID.search(p.stdout) else 'crashes' if p.returncode < 0 else 'missed')
        except subprocess.TimeoutExpired:
            found.append('hangs')
    return tuple(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build')
    parser.add_argument('--peer', action='store_true')
    o = parser.parse_args()
    passed = failed = 0
    if o.peer:
        print('%-52s %-10s %-10s %s' % ('defect', 'Oclgrind', 'all checks', 'heddle check'))
    with tempfile.TemporaryDirectory() as folder:
        for name, kernel, rule in DEFECTS:
            path, twin = file_of(kernel), file_of(kernel + '_fine')
            status, said = checked(o.build, path)
            fine = status == 1 and re.search(r'error: .*\[check\.(?:%s)\]|note: .*\[check\.conversion\]' % rule, said)
            if kernel == 'conversion':
                fine = status == 0 and '[check.conversion]' in said
            if twin is not None:
                status, said_of_twin = checked(o.build, twin)
                fine = fine and status == 0 and '[check.' not in said_of_twin
            passed, failed = passed + bool(fine), failed + (not fine)
            if not fine:
                print('failed: %s (%s)\n%s' % (name, kernel, said))
            if o.peer:
                print('%-52s %-10s %-10s %s' % (name, *peer(path, folder), 'found' if fine else 'missed'), flush=True)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
