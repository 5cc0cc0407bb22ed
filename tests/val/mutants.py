#!/usr/bin/env python3
"""Compare verdicts of `heddle val` and SPIRV-Tools' spirv-val on mutants of valid modules.

  tests/val/mutants.py [--heddle build/heddle] [--peer spirv-val] [--seed N] [--count N] [--group kernel|shader] [--corpus FOLDER]
                       [--keep FOLDER]

Each mutant is a valid module of the corpus in which one instruction has been dropped, moved, or given another word. Prints
what the two disagree in, the most frequent first, with the number of one such mutant (--keep writes those to a folder).
A disagreement is a question, not an error: the exit status is 0.
SPDX-License-Identifier: MIT
"""
import argparse, base64, collections, gzip, json, os, random, re, shutil, struct, subprocess, sys, tempfile


def valid_modules(path, group):
    """(version as the peer names it, words) of the corpus' valid cases."""
    for line in gzip.open(path):
        case = json.loads(line)
        kernel = 'OpCapability Kernel' in (case['text'] or '')
        if case['expect'] == 'valid' and not case['options'] and case['text'] and kernel == (group == 'kernel'):
            data = base64.b64decode(case['bin'])
            env = case['env'] if case['env'].startswith('spv') else 'spv1.2'
            yield env, list(struct.unpack('<%dI' % (len(data) // 4), data))


def instructions(words):
    """Lists of words, None where a length is wrong."""
    out, at = [], 5
    while at < len(words):
        count = words[at] >> 16
        if count == 0 or at + count > len(words):
            return None
        out.append(words[at:at + count])
        at += count
    return out


def mutate(rng, insts, bound):
    at = rng.randrange(len(insts))
    inst, kind = insts[at], rng.randrange(6)
    if kind == 0:
        del insts[at]
    elif kind == 1:
        insts.insert(rng.randrange(len(insts)), insts.pop(at))
    elif len(inst) > 1:
        word = rng.randrange(1, len(inst))
        other = rng.choice([x for x in insts if len(x) > 1])
        if kind == 2:
            swap = rng.randrange(1, len(inst))
            inst[word], inst[swap] = inst[swap], inst[word]
        elif kind == 3:
            inst[word] = other[rng.randrange(1, len(other))]
        elif kind == 4:
            inst[word] = rng.randrange(1, max(bound, 2))
        else:
            inst[word] = (inst[word] + rng.choice([1, -1, 2, 4, 8, 16, 32])) & 0xffffffff


def run(command):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return p.returncode, p.stdout.decode('utf-8', 'replace')


def compare(options, path, env):
    """None where both agree, else what the one that rejects says, without names and numbers."""
    peer, said = run([options.peer, '--target-env', env, path])
    ours, found = run([options.heddle, 'val', '--json', '--env', 'universal' + env[3:], path])
    if (peer != 0) == (ours != 0):
        return None
    if ours != 0:
        first = next(d for d in json.loads(found) if d['severity'] == 'error')
        said = 'rejected here: %s: %s' % (first['rule'], first['message'])
    else:
        said = 'accepted here: ' + said.split('\n')[0]
    return re.sub(r'\d+', 'N', re.sub("'.*?'", 'X', said))[:180]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--heddle', default='build/heddle')
    parser.add_argument('--peer', default='spirv-val')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--group', default='kernel', choices=['kernel', 'shader'])
    parser.add_argument('--corpus', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../shared/corpus'))
    parser.add_argument('--keep')
    options = parser.parse_args()
    source = os.path.join(options.corpus, 'val.jsonl.gz')
    if not os.path.exists(source) or not shutil.which(options.peer):
        print('skipped: no corpus at', source, 'or no', options.peer)
        return 0
    modules, rng = list(valid_modules(source, options.group)), random.Random(options.seed)
    differ, compared = collections.defaultdict(list), 0
    with tempfile.TemporaryDirectory() as scratch:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        for number in range(options.count):
            env, words = rng.choice(modules)
            insts = instructions(words)
            if not insts:
                continue
            insts = [list(inst) for inst in insts]
            mutate(rng, insts, words[3])
            path = os.path.join(options.keep or scratch, f'{options.seed}-{number}.spv')
            out = words[:5] + [word for inst in insts for word in inst]
            with open(path, 'wb') as f:
                f.write(struct.pack('<%dI' % len(out), *out))
            why = compare(options, path, env)
            compared += 1
            if why is not None:
                differ[why].append(number)
            if why is None or not options.keep:
                os.unlink(path)
    for why, numbers in sorted(differ.items(), key=lambda item: -len(item[1])):
        print(f'{len(numbers):5} {why} ({options.seed}-{numbers[0]})')
    wrong = sum(map(len, differ.values()))
    print(f'{compared - wrong} of {compared} mutants agree, {100 * (compared - wrong) / max(compared, 1):.2f} %')
    return 0


if __name__ == '__main__':
    sys.exit(main())
