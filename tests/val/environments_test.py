#!/usr/bin/env python3
"""Every row of docs/environments.md, in every environment of OpenCL and Vulkan: accepted with its extension, refused without.

  tests/val/environments_test.py [--build build]

For each OpenCL version, full and embedded: SPIR-V versions; the capabilities of the version; the capabilities and the
SPIR-V extension of each row without extensions, with that one, with all, with all but that one, and without being told;
and that no other capability of the grammar is accepted. What a row means beyond capabilities (types, scopes, image
operands) has modules with verdicts in tests/val/env/: that each such row has one is checked, too.
SPDX-License-Identifier: MIT
"""
import argparse, glob, json, os, re, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import environments
import served

# These come with ImageBasic, which they need; the others of a row stand alone.
WITH_IMAGES = {'LiteralSampler', 'Sampled1D', 'Image1D', 'SampledBuffer', 'ImageBuffer'}
REFUSED = {'needs.environment-capability', 'needs.environment-extension', 'needs.version', 'needs.module-version',
           'needs.extension'}


ALIASES = {}


def grammar():
    """capability: (first SPIR-V version or None when an extension has it, extensions that declare it)"""
    body = open(os.path.join(ROOT, 'src/grammar/kinds.grammar'), encoding='utf-8').read()
    body = re.search(r'^enum Capability\n(.*?)^enum ', body, re.M | re.S).group(1)
    found = {}
    for name, rest in re.findall(r'^    \d+ (\w+)(?: :(.*))?$', body, re.M):
        version = re.search(r' v([\d.]+)', rest)
        aliases = (re.search(r' =(\S+)', rest) or [None, ''])[1].split(',')
        for alias in aliases if aliases[0] else []:
            ALIASES[alias] = name
        found[name] = (version.group(1) if version else None if ' v-' in rest else '1.0',
                       (re.search(r' @(\S+)', rest) or [None, ''])[1].split(',') if ' @' in rest else [])
    return found


def number(version):
    return tuple(int(x) for x in version.split('.'))


class Modules:
    """Small modules in a folder, one for each capability and extension."""

    def __init__(self, heddle, folder):
        self.heddle, self.folder, self.made = heddle, folder, {}

    def make(self, name, capabilities, extensions, version, shader=False):
        path = os.path.join(self.folder, name + '.spv')
        if path in self.made:
            return path
        text = ''.join('OpCapability %s\n' % c for c in ([] if shader else ['Kernel', 'Addresses', 'Linkage']) + capabilities)
        text += ''.join('OpExtension "%s"\n' % e for e in extensions) + ('OpMemoryModel Logical GLSL450\n' if shader else
                                                                        'OpMemoryModel Physical64 OpenCL\n')
        p = served.run([self.heddle, 'as', '--target-env', 'spv' + version, '-o', path, '-'], input=text.encode(),
                           capture_output=True)
        if p.returncode != 0:
            raise SystemExit(p.stderr.decode())
        self.made[path] = True
        return path

    def refused(self, env, extensions, paths):
        """Those that are refused, each with the rules."""
        command = [self.heddle, 'val', '--json', '--env', env] + (['--ext', extensions] if extensions else [])
        found = {}
        for d in json.loads(served.run(command + paths, capture_output=True).stdout or '[]'):
            if d['severity'] == 'error':
                found.setdefault(d['file'], set()).add(d['rule'])
        return found


class Test:
    def __init__(self, modules):
        self.modules, self.count, self.failures = modules, 0, []

    def expect(self, env, extensions, wanted):
        """wanted: {path: is it accepted}"""
        refused = self.modules.refused(env, extensions, sorted(wanted))
        for path, accepted in sorted(wanted.items()):
            self.count += 1
            rules = refused.get(path, set())
            if accepted != (not rules) or not rules <= REFUSED:
                self.failures.append('%s --ext %s: %s is %s' % (env, extensions, os.path.basename(path)[:-4],
                                                               'refused: %s' % sorted(rules) if rules else 'accepted'))


def check_environment(test, opencl, embedded, highest, known, table, core):
    env = 'opencl' + opencl + ('-embedded' if embedded else '')
    modules = test.modules
    by_extension, by_capability = {}, {}
    for name, versions, spirv, capabilities in table:
        capabilities = [ALIASES.get(c, c) for c in capabilities]
        row = by_extension.setdefault(name, (set(versions), set(), set()))
        row[1].update(capabilities)
        row[2].update([spirv] if spirv else [])
        for c in capabilities:
            by_capability.setdefault(c, set()).add(name)
    providers = {e: {n for n, r in by_extension.items() if e in r[2]} for e in sum((list(r[2]) for r in by_extension.values()), [])}
    in_core = {c for c, since, full, until in core
               if number(since) <= number(opencl) and not (full and embedded) and (not until or number(opencl) <= number(until))}

    def plain(c):
        first, extensions = known[c]
        return modules.make('plain_' + c, [c] + (['ImageBasic'] if c in WITH_IMAGES else []), [] if first else extensions,
                            first if first and first > '1.0' else '1.0')

    def fits(c):
        return number(known[c][0] or '1.0') <= number(highest)

    test.expect(env, 'none', {modules.make('version_' + v, [], [], v): number(v) <= number(highest)
                              for v in ('1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6')})
    # Nothing that no extension of this table brings, and of what extensions bring what the version made core.
    kept = in_core.union(*[r[1] for r in by_extension.values() if opencl in r[0] and '2.0' not in r[0]])
    test.expect(env, 'none', {plain(c): c in kept and fits(c) for c in known if c not in ('Kernel', 'Addresses', 'Linkage')
                              and (c in in_core or c in by_capability or not known[c][1])})
    for name, (versions, capabilities, spirvs) in by_extension.items():
        modules_of = {plain(c): c for c in capabilities if not known[c][1] or set(known[c][1]) <= spirvs}
        modules_of.update({modules.make('extension_' + e, [], [e], '1.0'): None for e in spirvs})
        if not modules_of:
            continue
        others = set().union(*[by_capability[c] for c in capabilities]) | set().union(*[providers[e] for e in spirvs])
        for extensions, on in ((name, True), ('all', True), ('none,' + name, True),
                               ('all,' + ','.join('-' + n for n in sorted(others)), False)):
            test.expect(env, extensions, {p: (c in in_core if c else False) or on if c is None or fits(c) else False
                                          for p, c in modules_of.items()})
        told = {n for n in others if opencl in by_extension[n][0]}
        test.expect(env, '', {p: (c in in_core or bool(by_capability[c] & told)) and fits(c)
                              for p, c in modules_of.items() if c})


def check_vulkan(test, env, highest, known):
    """Capabilities and extensions of an environment of Vulkan: with the SPIR-V extension that brings them, and without."""
    table = {ALIASES.get(n, n): (since, extended) for n, since, extended in environments.vulkan_capabilities()}
    extensions = {n for n, _ in environments.vulkan_extensions()}
    make = lambda *a: test.modules.make(*a, True)
    rules = {'vulkan.capability', 'vulkan.extension', 'needs.module-version'}

    def expect(wanted):
        found = test.modules.refused(env, '', sorted(wanted))
        for path, accepted in wanted.items():
            test.count += 1
            if bool(found.get(path, set()) & rules) == accepted:
                test.failures.append('%s: %s is %s' % (env, os.path.basename(path), sorted(found.get(path, ())) or 'accepted'))

    expect({make('vk_version_' + v, ['Shader'], [], v): number(v) <= number(highest) for v in ('1.0', '1.1', '1.3', '1.4', '1.5', '1.6')})
    wanted = {}
    for name, (first, bringing) in known.items():
        since, extended = table.get(name, ('', False))
        core = bool(since) and number(since) <= number(env[6:9])
        ours = sorted(set(bringing) & extensions)
        wanted[make('vk_plain_' + name, [name], [], '1.0')] = core or (extended and not bringing)
        if ours:
            wanted[make('vk_with_' + name, [name], ours[:1], '1.0')] = True
    wanted.update({make('vk_ext_' + e, ['Shader'], [e], '1.0'): True for e in extensions})
    wanted[make('vk_ext_intel', ['Shader'], ['SPV_INTEL_inline_assembly'], '1.0')] = False
    expect(wanted)


def check_meanings(test):
    """A row that rules ask for by name has a module in tests/val/env/ that is accepted with it and refused without."""
    texts = [open(p, encoding='utf-8').read() for p in glob.glob(os.path.join(ROOT, 'tests/val/env/*.spvasm'))]
    for name in sorted(environments.asked()):
        test.count += 1
        if not any(re.search(r'\+%s accept' % name, t) and re.search(r' reject', t) for t in texts):
            test.failures.append('%s: no module in tests/val/env/ is accepted with it and refused without' % name)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default='build')
    a = a.parse_args()
    heddle = os.path.abspath(os.path.join(a.build, 'heddle'))
    os.chdir(ROOT)
    known, table, core = grammar(), list(environments.rows()), list(environments.core())
    with tempfile.TemporaryDirectory() as folder:
        test = Test(Modules(heddle, folder))
        for opencl, highest in environments.spirv_versions():
            for embedded in (False, True):
                check_environment(test, opencl, embedded, highest, known, table, core)
        for env, highest in environments.vulkan_versions():
            check_vulkan(test, env, highest, known)
        check_meanings(test)
    for failure in test.failures:
        print('FAILED:', failure)
    print('%d passed, %d failed, 0 skipped' % (test.count - len(test.failures), len(test.failures)))
    return 1 if test.failures else 0


if __name__ == '__main__':
    sys.exit(main())
