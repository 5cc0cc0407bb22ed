#!/usr/bin/env python3
"""Print docs/environments.md, made from the validator's data: src/val/opencl.def and the tables of src/val/env.c.

  tools/environments.py            print it
  tools/environments.py --write    write docs/environments.md
  tools/environments.py --check    say whether docs/environments.md is current

SPDX-License-Identifier: MIT
"""
import glob, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, 'docs/environments.md')
VERSIONS = {'V20': '2.0', 'V21': '2.1', 'V22': '2.2', 'V31': '3.1'}
HEAD = """\
# OpenCL environments

Made by `tools/environments.py --write` from [src/val/opencl.def](../src/val/opencl.def) and
[src/val/env.c](../src/val/env.c); do not edit. It is what `heddle val --env opencl… --ext …` goes by; the
rules that need more than a capability (types, scopes, image operands) ask for an extension by name, and
`tests/val/env/` has a module for each.
"""


def read(path):
    return open(os.path.join(ROOT, path), encoding='utf-8').read()


def rows():
    """(extension, versions that have it, SPIR-V extension, capabilities)"""
    body = read('src/val/opencl.def').replace('V2X', 'V20 | V21 | V22')
    for name, versions, spirv, rest in re.findall(r'^ROW\((\w+), ([^,]+), ("[^"]*"|NULL), (.*)-1\)', body, re.M):
        yield (name, [VERSIONS[v] for v in re.findall(r'V\d\d', versions)], spirv.strip('"').replace('NULL', ''),
               re.findall(r'SpvCapability(\w+)', rest))


def core():
    """(capability, first version, full profile only, last version or 0)"""
    for c, since, full, until in re.findall(r'\{SpvCapability(\w+), (\d+), (true|false), (\d+)\}', read('src/val/env.c')):
        yield c, '%s.%s' % tuple(since), full == 'true', '%s.%s' % tuple(until) if until != '0' else ''


def spirv_versions():
    for name, version in re.findall(r'\{"opencl([\d.]+)", "[^"]+", \d+, (0x\w+)\}', read('src/val/env.c')):
        yield name, '%d.%d' % (int(version, 16) >> 16, int(version, 16) >> 8 & 255)


def asked():
    """Extensions that rules ask for, each with the ids of those rules."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, 'src/**/*.c'), recursive=True)):
        text = open(path, encoding='utf-8').read()
        for m in re.finditer(r'hd_val_has\(v, "(\w+)"\)', text):
            # A predicate of its own: the rules are where it is asked, which the name says well enough.
            found.setdefault(m.group(1), set()).add(os.path.relpath(path, ROOT))
    return found


def page():
    out = [HEAD, '## SPIR-V versions', '', '| OpenCL | up to SPIR-V |', '| --- | --- |']
    out += ['| %s | %s |' % pair for pair in spirv_versions()]
    out += ['', '## Capabilities of a version', '', '| capability | OpenCL | |', '| --- | --- | --- |']
    for name, since, full, until in core():
        out.append('| %s | %s | %s |' % (name, 'from %s on' % since if not until else 'only %s' % until if until == since else
                                         '%s to %s' % (since, until), 'full profile only' if full else ''))
    out += ['', 'LiteralSampler, Sampled1D, Image1D, SampledBuffer and ImageBuffer come with ImageBasic.', '',
            '## Extensions', '',
            '| extension | without being named in | SPIR-V extension | capabilities | rules that ask for it |',
            '| --- | --- | --- | --- | --- |']
    merged, known = {}, asked()
    for name, versions, spirv, capabilities in rows():
        row = merged.setdefault(name, (versions, [], []))
        row[1].extend([spirv] if spirv else [])
        row[2].extend(capabilities)
    for name, (versions, spirv, capabilities) in merged.items():
        where = ', '.join('[%s](../%s)' % (os.path.basename(p), p) for p in sorted(known.get(name, ())))
        out.append('| `%s` | %s | %s | %s | %s |' % (name, ', '.join(versions), ', '.join(spirv), ', '.join(capabilities), where))
    return '\n'.join(line.replace('|  |', '| |').replace('|  |', '| |') for line in out) + '\n'


def current():
    return os.path.exists(PAGE) and open(PAGE, encoding='utf-8').read() == page()


def main():
    if sys.argv[1:] == ['--write']:
        open(PAGE, 'w', encoding='utf-8').write(page())
    elif sys.argv[1:] == ['--check']:
        if not current():
            sys.exit('docs/environments.md is not current: run tools/environments.py --write')
    elif len(sys.argv) == 1:
        sys.stdout.write(page())
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main()
