#!/usr/bin/env python3
"""heddle lower for Vulkan: shaders with newer extensions become valid core SPIR-V that leaves the same. [--build FOLDER] [-v]

The modules of tests/shaders that declare a capability below, or are named there, are lowered and run as their `RUN: heddle run` lines say: before and
after, by both engines, and what was lowered by lavapipe, where it is installed. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lavapipe_test  # noqa: E402
import peer  # noqa: E402

ROOT = lavapipe_test.ROOT
GONE = re.compile(r'Untyped\w*|AtomicF(Min|Max|Add)EXT|WorkgroupMemoryExplicitLayout\w*|\w+3AMD|SPV_AMD_shader_trinary_minmax')
NEWER = re.compile(r'^ *OpCapability (UntypedPointersKHR|AtomicFloat(16|32|64)(MinMax|Add)EXT|WorkgroupMemoryExplicitLayoutKHR)|^ *OpExtension "SPV_AMD_shader_trinary_minmax"', re.M)
# Those for Vulkan 1.0, too: two entry points whose interfaces name buffers, which are not in SPIR-V 1.0.
OLD = ['entries']
# What has no older form, and what is said of it.
REFUSED = {'untyped_columns': 'OpLoad has no older form for a pointer to another type, in logical addressing [lower.unsupported]',
           'atomics_vectors_shared': "OpAtomicFAddEXT has no older form of this width, in the work-group's memory [lower.unsupported]",
           'image_atomics': 'OpAtomicFAddEXT has no older form for texels: integers take an image of another format [lower.unsupported]',
           'untyped_lengths': 'OpUntypedArrayLengthKHR has no older form for a pointer to another type, in logical addressing [lower.unsupported]',
           'untyped_bytes': 'OpUntypedVariableKHR has no older form without a data type [lower.unsupported]'}


class Test:
    def __init__(self, build, verbose):
        self.heddle, self.verbose = os.path.join(os.path.abspath(build), 'heddle'), verbose
        self.passed = self.failed = self.skipped = 0
        self.spirv_val = shutil.which('spirv-val')
        try:
            self.peer = peer.Peer(build)
        except peer.Lacking as e:
            print(f'not by lavapipe: needs {e}')
            self.peer = None

    def say(self, fine, name, text):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine or self.verbose:
            print(f'{name}: {text}')

    def run(self, *words):
        p = subprocess.run([self.heddle, *words], capture_output=True, text=True, timeout=300)
        return p.returncode, p.stdout, p.stderr

    def lower(self, name, path, to, env):
        """Is it lowered, and valid for the target?"""
        code, _, told = self.run('lower', '--env', env, path, '-o', to)
        if name in REFUSED:
            self.say(code == 1 and REFUSED[name] in told, name, f'refused: {told}')
            return False
        self.say(code == 0, name, f'lower --env {env}: {code}\n{told}')
        if code != 0:
            return False
        code, _, told = self.run('val', '--env', env, to)
        self.say(code == 0, name, f'val --env {env}: {told}')
        if self.spirv_val:
            p = subprocess.run([self.spirv_val, '--target-env', env, to], capture_output=True, text=True)
            is_known = 'Invalid capability operand' not in p.stderr  # Debian's is of 2023
            self.say(p.returncode == 0 or not is_known, name, f'spirv-val --target-env {env}: {p.stdout}{p.stderr}')
        left = GONE.findall(self.run('dis', to)[1])
        self.say(not left, name, f'{left} is left')
        return True

    def same(self, name, line, path, to):
        """Before and after."""
        words, _ = lavapipe_test.arguments_of(line, path)
        code, before, told = self.run('run', *words)
        self.say(code == 0, name, f'as it is: {told}')
        words = [to if w == path else w for w in words]
        if '--env' in words:  # what was lowered has the target's version
            del words[words.index('--env'):words.index('--env') + 2]
        for engine in ('compiled', 'interpreted'):
            code, after, told = self.run('run', *words, '--engine', engine)
            self.say(code == 0 and after == before, name, f'lowered, {engine}: {told}\n{before}{after}')
        if self.peer is None:
            return
        try:
            ours, theirs = self.peer.on_heddle(words), self.peer.on_lavapipe(words)
        except peer.Lacking as e:
            self.skipped += 1
            print(f'{name}: skipped, {e}')
            return
        found = peer.differences(ours, theirs)
        self.say(not found, name, f'lavapipe: {found[:6]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('-v', dest='verbose', action='store_true')
    options = parser.parse_args()
    test = Test(options.build, options.verbose)
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob(os.path.join(ROOT, 'tests/shaders/*.spvasm'))):
            name = os.path.basename(path)[:-7]
            with open(path, encoding='utf-8') as f:
                if name not in OLD and not NEWER.search(f.read()):
                    continue
            for line in lavapipe_test.runs_of(path):
                to = os.path.join(folder, name + '.spv')
                for env in ('vulkan1.3', 'vulkan1.1', *(['vulkan1.0'] if name in OLD else [])):
                    if test.lower(name, path, to, env):
                        test.same(name, line, path, to)
    print(f'{test.passed} passed, {test.failed} failed, {test.skipped} skipped')
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
