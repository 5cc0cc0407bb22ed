#!/usr/bin/env python3
"""Defects of shaders by name: each is found, with its variable, and nothing in the twin. [--build FOLDER]

Modules that hold several choose one by a specialisation constant. What is expected is a list of rule and variable, in the order in
which they are found; `note ` before a rule: it is no error. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse, json, os, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools'))
import served

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# The memory of a work-group: case, invocations, what is found without synchronisation, and with.
RACE, ATOMIC, SAME = 'race', 'race-atomic', 'note race-same-value'
SHARED = [
    ('a scalar that all write', 0, 8, [f'{RACE} one'], [f'{RACE} one']),
    ('atomics of all', 1, 8, [], []),
    ('one value that all write', 2, 8, [f'{SAME} one'], [f'{SAME} one']),
    ('a neighbour\'s element', 3, 8, [f'{RACE} many[1]'], []),
    ('an array of arrays', 4, 3, [f'{RACE} grid[1][1]'], []),
    ('columns apart', 5, 3, [], []),
    ('members, crosswise', 6, 2, [f'{RACE} pair.b', f'{RACE} pair.a'], []),
    ('a structure and its member', 7, 2, [f'{RACE} pair.b'], []),
    ('a vector and its component', 8, 2, [f'{RACE} four.z'], []),
    ('two variables, crosswise', 9, 2, [f'{RACE} one', f'{RACE} other'], []),
    ('two vectors, crosswise', 10, 2, [f'{RACE} four', f'{RACE} four_too'], []),
    ('an array of vectors', 11, 4, [f'{RACE} vectors[0].y'], []),
    ('a 16-bit index', 12, 4, [f'{RACE} vectors[0].w'], []),
    ('an atomic store and a store', 13, 2, [f'{ATOMIC} one'], []),
    ('an atomic addition and a load', 14, 2, [f'{ATOMIC} one'], []),
    ('two functions', 15, 2, [f'{RACE} one'], []),
    ('many that load, one that stores', 16, 8, [f'{RACE} one'], []),
    ('pairs that are added up', 17, 8, [f'{RACE} many[0]'], []),
    ('a load, then a store of one\'s own', 18, 8, [], []),
    ('least and most by sub-groups', 19, 8, [f'{ATOMIC} low[1]', f'{ATOMIC} high[1]'], []),
    ('a barrier of the sub-group', 20, 8, [f'{ATOMIC} many[0]'], []),
    ('a barrier of the sub-group, for another one', 21, 24, [f'{ATOMIC} many[1]', f'{ATOMIC} many[0]'], []),
    ('a loop that lacks one of two barriers', 22, 8, [f'{RACE} many[0]'], []),
    ('a member of a nested structure', 23, 2, [f'{RACE} nest.z[1].b'], []),
    ('nothing is used', 24, 8, [], []),
]
# Others, with FINE and without: what, case, what is found in the defective one.
BUFFERS = [
    ('one element in each work-group', 0, ['race b[0].pos.y']),
    ('an update that others make, too', 1, ['race count', 'race count']),
    ('a barrier that orders shared memory alone', 2, ['missing-fence data[1]']),
    ('the same with semantics', 3, ['missing-fence data[1]']),
    ('the last work-group, without a fence', 4, ['race data[0]', 'missing-fence data[9]']),
    ('the last work-group, not coherent', 5, ['coherent d[4]', 'note coherent d[13]']),
    ('a barrier is for one work-group', 6, ['race data[8]', 'race data[0]']),
    ('within a work-group, not coherent', 7, ['note coherent d[1]']),
    ('a fence before the store', 8, ['missing-fence data[1]']),
    ('some sub-groups store', 9, ['missing-fence data[0]']),
]
HIDDEN = [('a private store', 0, ['note coherent data[1]']), ('a store that is not made available', 1, ['note coherent data[1]']),
          ('one that the barrier makes available', 2, []), ('one that is available', 3, [])]
REACHED = [
    ('past what is bound', 0, ['out-of-bounds b[1].pos.y']),
    ('past an array in a block', 1, ['index fixed_ones[4]']),
    ('past an array in a structure in an array', 2, ['index b[0].in_it[2]']),
    ('past a matrix', 3, ['index turn[2].y']),
    ('past an array in a uniform buffer', 4, ['index u.small[2].x']),
    ('past shared memory', 5, ['index s[8]']),
    ('past a private array', 6, ['index list[4]']),
    ('past an array of descriptors', 7, ['descriptor']),
    ('a descriptor that binds nothing', 8, ['null xs[1].x[0]']),
    ('an index that is not NonUniform', 9, ['non-uniform-index xs[2].x[0]']),
    ('shared memory without a value', 10, ['uninitialised s']),
    ('a Private variable without a value', 11, ['uninitialised kept']),
    ('a local variable without a value', 12, ['uninitialised unset']),
    ('a barrier in a branch', 13, ['barrier-left']),
    ('a shuffle from an inactive invocation', 14, ['inactive-lane']),
    ('a broadcast from an inactive invocation', 15, ['inactive-lane']),
    ('a return before a barrier', 16, ['barrier-left']),
    ('a division by zero', 17, ['division']),
    ('a shift by the width', 18, ['shift']),
    ('past an array that is passed to a function', 19, ['index list[4]']),
    ('past a run-time array', 20, ['out-of-bounds o[8]']),
    ('past a vector', 21, ['vector-index']),
]
PROMISES = [
    ('a NonWritable member is written', 0, ['promise read_only.x']),
    ('a NonReadable member is read', 1, ['promise write_only[1]']),
    ('a column of a NonWritable matrix is written', 2, ['promise read_only.m']),
    ('an atomic operation reads, too', 3, ['promise write_only[0]']),
    ('a block whose members are all NonReadable', 4, ['promise e[2]']),
    ('read through another Restrict variable', 5, ['restrict b[0]']),
    ('written through another Restrict variable', 6, ['restrict b[0]']),
    ('two variables that promise nothing', 7, []),
]
NAMED = [
    ('a race in an element of an array of descriptors', 0, ['race ds[1].x[0]']),
    ('the length of what is not bound', 1, ['null ds[2]']),
    ('the size of an image that is not bound', 2, ['null images[2]']),
    ('past an array behind an address', 3, ['index p.v[4]']),
    ('the same in a function', 4, ['index r.v[4]']),
    ('a power of a negative number', 5, ['domain']),
    ('an arc sine of more than 1', 6, ['domain']),
    ('an angle of no direction', 7, ['domain']),
    ('a logarithm of 0', 8, ['note domain']),
    ('a mixture with a weight of 2', 9, []),
    ('a clamp with limits exchanged', 10, ['domain']),
    ('an inverse root of -1', 11, ['note domain']),
    ('a texel of an image that is not bound', 12, ['null images[2]']),
    ('a step without a width', 13, ['domain']),
]
MATRICES = [
    ('an element is stored, its matrix loaded', 0, ['race halves[17]']),
    ('a matrix is stored, its element loaded', 1, ['race halves[17]']),
    ('matrices with a corner in common', 2, ['race halves[264]']),
    ('the same through floats', 3, ['race floats[132]']),
    ('the same through bytes, by columns', 4, ['race bytes[528]']),
    ('an atomic operation on what is stored', 5, ['race-atomic words[5]']),
    ('quarters apart', 6, []),
    ('quarters apart, through floats', 7, []),
]
OF_GROUP = [
    ('a matrix of the work-group is stored, an element loaded', 0, ['race halves[17]']),
    ('an element is stored, the matrix of the work-group loaded', 1, ['race halves[17]', 'race halves[17]']),
    ('such a matrix in a buffer', 2, ['race b[17]']),
    ('a component of a long vector', 3, ['race v.x']),
]
LACKING = [
    (what, case, ['uninitialised ' + name]) for case, (what, name) in enumerate((
        ('a shuffle', 'x'), ('an exchange', 'x'), ('a broadcast', 'x'), ('a swap in a quad', 'x'), ('a sum', 'x'), ('a scan', 'x'), ('a cluster', 'x'),
        ('a vote that nobody decides', 'b'), ('a vote that all are needed for', 'b'), ('a bit of a ballot', 'b'), ('a component of a sum', 'v'),
        ('the source of a shuffle', 'x')))]
Q = '--push ' + ','.join(['f32x4=0'] * 8) + ',f32=0'
BOUND = '--groups 2 --bind 0.0=u32[68]=zeros --bind 0.1=u32[18]=zeros --bind 0.2=u32[20]=zeros --width 4'
PAIRS = [
    ('image_defects', f'--groups 2 --width 8 --bind 0.0=image2d:8x4=zeros --bind 0.1=u32[16]=zeros --bind 0.2=u32[32]=undefined --bind 0.3[0]=image2d:8x2=zeros '
     f'--bind 0.3[1]=image2d:8x2=zeros --bind 0.4=image2d:8x2=zeros --bind 0.5=imagecube:1x1=zeros --bind 0.6=u32[8]=zeros --bind 0.7=image2d:1x1:samples4=zeros', [
        ('a texel that all invocations write', 0, ['race img']),
        ('a texel that two work-groups write', 1, ['race img']),
        ('a texel of a buffer that two work-groups write', 2, ['race texels']),
        ('a texel read beside its writer', 3, ['race img']),
        ('a barrier that orders buffers only, images', 4, ['missing-fence img']),
        ('a barrier that orders buffers only, texel buffers', 5, ['missing-fence texels']),
        ('an atomic on a texel and a write', 6, ['race-atomic texels']),
        ('an image that is not coherent', 7, ['note coherent plain']),
        ('a row behind the image', 8, ['image-outside img']),
        ('a column behind the image', 9, ['image-outside img']),
        ('an atomic behind a texel buffer', 10, ['image-outside texels']),
        ('a seventh face', 11, ['image-outside faces']),
        ('an index that is not uniform', 12, ['non-uniform-index several[1]']),
        ('an image that is not bound', 13, ['null several[2]']),
        ('an image behind its array', 14, ['descriptor']),
        ('a fetch behind a texel buffer', 15, ['image-outside fetched']),
        ('a fifth sample', 16, ['image-outside samples']),
        ('a texel without a value', 17, ['uninitialised']),
        ('one value by two work-groups', 18, ['note race-same-value img']),
        ('a texel of one\'s own, which needs no fence', 19, [])]),
    ('image_promises', '--groups 1 --bind 0.0=image2d:8x1=zeros --bind 0.1=u32[8]=zeros --bind 0.2=u32[8]=zeros --bind 0.3=u32[8]=zeros', [
        ('a write to a NonWritable image', 0, ['promise read_only']),
        ('a read from a NonReadable texel buffer', 1, ['promise write_only']),
        ('an atomic on a NonWritable image', 2, ['promise read_only']),
        ('an atomic on a NonReadable texel buffer', 3, ['promise write_only'])]),
    ('buffer_races', BOUND, BUFFERS),
    ('vulkan_races', BOUND, BUFFERS),
    ('vulkan_hidden', '--groups 1 --bind 0.1=u32[8]=zeros --bind 0.2=u32[8]=zeros --width 4', HIDDEN),
    ('reach', '--groups 1 --bind 0.0=u32[16]=zeros --bind 0.1=u32[8]=zeros --bind 0.2=f32[8]=zeros --bind 0.3[0]=u32[4]=range '
     '--bind 0.3[2]=u32[4]=range --push u32=0,u32=1 --width 8', REACHED),
    ('lacking_lanes', '--groups 1 --width 8 --bind 0.0=u32[8]=zeros', LACKING),
    ('shared_matrices', '--groups 1 --bind 0.0=f32[1]=zeros --width 16', MATRICES),
    ('shared_matrices_group', '--groups 1 --bind 0.0=f32[1]=zeros --bind 0.1=f16[256]=zeros --width 16', OF_GROUP),
    ('named', '--groups 1 --bind 0.0=f32[8]=zeros --bind 0.1[1]=u32[8]=zeros --bind 0.2[1]=image2d:2x1=zeros --bind 1.0=u32[5]=range '
     '--push u64=&1.0,f32=0,f32=1 --width 8', NAMED),
    ('promises', '--groups 1 --bind 0.0=u32[16]=zeros --bind 0.1=u32[8]=zeros --bind 0.2=u32[8]=zeros --bind 0.3=u32[4]=range', PROMISES),
]
# what, module, options, what is found
IMAGES_HIDDEN = f'--groups 1 --bind 0.0=image2d:8x1=zeros --bind 0.1=image2d:8x1=zeros --bind 0.2=image2d:8x1=zeros --bind 0.3=u32[8]=zeros'
OTHERS = [
    *[('texels in Vulkan\'s memory model: ' + what, 'image_hidden', f'{IMAGES_HIDDEN} --spec 0={case}', found) for what, case, found in (
        ('private', 0, ['note coherent own']), ('nothing shows them', 1, ['note coherent shown']), ('the barrier does', 2, []),
        ('the accesses do', 3, []), ('the barrier orders buffers', 4, ['missing-fence shown']))],
    ('some return before the barrier', 'shared_races', '--groups 1 --bind 0.0=u32[8]=zeros --spec 0=19 --spec 1=8 --spec 2=1 --spec 3=6',
     ['barrier-left', 'barrier-left']),
    ('a length that is specialised', 'shared_races', '--groups 1 --bind 0.0=u32[8]=zeros --spec 0=3 --spec 1=6 --spec 3=6',
     ['race many[1]']),
    *[(f'atomics, {what}', 'atomic_sizes', f'--groups {groups} --spec 0={case} --bind 0.0=u32[4]=zeros {Q}', found)
      for what, case, groups, found in (
        ('a word within what another adds to', 0, 1, ['race-atomic words[1]']), ('side by side', 1, 1, []), ('with a barrier between', 2, 1, []),
        ('of one invocation', 3, 1, []), ('of several groups', 4, 2, ['race-atomic words[3]']), ('of one size', 5, 1, []))],
    *[(f'the last workgroup, {what}, of {size}', 'last_group',
       f'--env vulkan1.3 --threads 1 --groups 3 --spec 0={case} --spec 1={size} --bind 0.0=u32[1]=zeros --bind 0.1=u32[384]=zeros --bind 0.2=u32[128]=zeros {Q}', found)
      for what, case, size, found in (
        ('with fences', 0, 32, []), ('with fences', 0, 128, []), ('fences alone', 3, 32, []), ('fences alone', 3, 128, []),
        ('not released', 1, 32, ['race data[1]']), ('not released', 1, 128, ['race data[1]']), ('not acquired', 2, 128, ['race data[65]']),
        ('barriers that are fences', 4, 32, []), ('barriers that are fences', 4, 128, []), ('written behind the fence', 5, 128, ['race data[0]', 'race data[128]']))],
    *[(f'available to {what}', 'vulkan_scopes', f'--env vulkan1.2 --threads 1 --groups 2 --spec 0={case} --bind 0.0=u32[2]=zeros --bind 0.1=u32[4]=zeros {Q}', found)
      for what, case, found in (
        ('the workgroup alone', 0, ['coherent near[0]']), ('all, by the access', 1, []), ('all, by the atomic', 2, []))],
    *[(f'atomics, {what}', 'atomic_scopes', f'--threads 1 --groups 2 --spec 0={case} --bind 0.0=u32[4]=zeros {Q}', found)
      for what, case, found in (
        ('the workgroup\'s, of two', 0, ['race-atomic words[0]']), ('the workgroup\'s, apart', 1, []), ('the device\'s', 2, []),
        ('the workgroup\'s and the device\'s', 3, ['race-atomic words[1]']), ('one before the device\'s', 4, ['race-atomic words[2]']),
        ('reads alone', 5, []), ('the subgroup\'s', 6, []))],
    ('atomics, the subgroup\'s, of two', 'atomic_scopes', f'--groups 1 --width 1 --spec 0=6 --bind 0.0=u32[4]=zeros {Q}', ['race-atomic one']),
    ('an array that nobody wrote', 'undefined_whole', '--groups 1 --bind 0.0=u32[4]=fill:7', ['uninitialised']),
    ('one that is written in part', 'undefined_whole', '--groups 1 --bind 0.0=u32[4]=fill:7 --spec 2=1', []),
    ('the other entry point', 'races_entries', 'bad --groups 1', ['race %3']),
    ('invocations', 'limits', f'--groups 1 --spec 0=129 --bind 0.0=u32[129]=zeros --bind 0.1=f32[8]=0 {Q}', ['note limits', 'note limits']),
    ('invocations in z', 'limits', f'--groups 1 --spec 1=65 --bind 0.0=u32[129]=zeros --bind 0.1=f32[8]=0 {Q}', ['note limits', 'note limits']),
    ('work-groups', 'limits', f'--groups 1,65536 --spec 2=4 --bind 0.0=u32[1]=zeros --bind 0.1=f32[8]=0 {Q}',
     ['note limits', 'note limits', 'note race-same-value a[0]']),
    ('shared memory', 'limits', f'--groups 1 --spec 2=1025 --bind 0.0=u32[1]=zeros --bind 0.1=f32[8]=0 {Q}', ['note limits', 'note limits']),
    ('a large uniform buffer', 'limits', f'--groups 1 --bind 0.0=u32[1]=zeros --bind 0.1=f32[4097]=0 {Q}', ['note limits', 'note limits']),
]


def shared():
    for what, case, size, alone, met in SHARED:
        for sync, found in ((0, alone), (1, met)):
            yield (f'{what}, {"" if sync else "not "}synchronised', 'shared_races',
                   f'--groups 1 --bind 0.0=u32[{size}]=zeros --width 8 --spec 0={case} --spec 1={size} --spec 2={sync}', found)


def pairs():
    for module, options, cases in PAIRS:
        for what, case, found in cases:
            yield what, module, f'{options} --spec 0={case}', found
            if module != 'vulkan_hidden':
                yield what + ', the twin', module, f'{options} --spec 0={case} --spec 2=1', []


def findings(heddle, module, options):
    words = [heddle, 'check', os.path.join(HERE, module + '.spvasm'), '--env', 'universal1.6', '--no-print', '--json', '--threads', '1', *options.split()]
    p = served.run(words, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    try:
        told = json.loads(p.stdout)['defects']
    except (ValueError, KeyError):
        return p.returncode, [(p.stdout + p.stderr).decode('utf-8', 'replace')]
    return p.returncode, [('note ' if d['severity'] == 'note' else '') + d['rule'].removeprefix('check.') +
                          (' ' + d['variable'] if d.get('variable') else '') for d in told]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    heddle = os.path.join(os.path.abspath(p.parse_args().build), 'heddle')
    failed = passed = 0
    for what, module, options, expected in [*shared(), *pairs(), *OTHERS]:
        status, found = findings(heddle, module, options)
        want = 1 if any(not f.startswith('note ') for f in expected) else 0
        if found == expected and status == want:
            passed += 1
            continue
        failed += 1
        print(f'FAILED {what}: {module} {options}: exit status {status}\n  {found}, not\n  {expected}')
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
