#!/usr/bin/env python3
"""Write the wheels `heddle` and `heddle-tools` from what a build has made; `make wheel` calls it.

  tools/wheel.py --build build --version 0.1.0 --headers FOLDER [--machine x86_64]

A wheel's platform tag names the oldest C library that its programs run with: the newest version of a symbol that they need. The
same files make the same bytes. docs/wheels.md says what is where, and why.
SPDX-License-Identifier: MIT
"""
import argparse, base64, glob, hashlib, os, re, stat, subprocess, sys, tempfile, zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIME = (2026, 1, 1, 0, 0, 0)
MOST_MIB = {'heddle': 60, 'heddle_tools': 3}
SUMMARY = {'heddle': 'Runs, checks and debugs OpenCL and SPIR-V on CPUs: driver, compiler, command and library',
           'heddle_tools': 'Validates, assembles, links, checks and debugs SPIR-V modules: the heddle command without its compiler'}
# $ORIGIN is the folder of the loader that reads it: pyopencl's own, and one in the environment's lib/.
VENDORS = {'{purelib}pyopencl/.libs/heddle.icd': '$ORIGIN/../../../../heddle/libheddle-cl.so\n',
           '{data}etc/OpenCL/vendors/heddle.icd': '$ORIGIN/heddle/libheddle-cl.so\n'}


def stripped(path, folder, binutils):
    """A copy of a library without what only debuggers read."""
    copy = os.path.join(folder, os.path.basename(path))
    subprocess.run([binutils + 'strip', '--strip-unneeded', '-o', copy, path], check=True)
    return copy


def cjson(options, command):
    """The file of the one library that comes along."""
    if options.cjson:
        return os.path.realpath(options.cjson)
    said = subprocess.run(['ldd', command], capture_output=True, text=True, check=True).stdout
    return os.path.realpath(re.search(r'libcjson\.so\.1 => (\S+)', said)[1])


def glibc(paths, binutils):
    """The oldest C library that has all that these files need, as a platform tag has it: "2_34"."""
    needed = [(2, 17)]
    for path in paths:
        said = subprocess.run([binutils + 'readelf', '-W', '--version-info', path], capture_output=True, text=True, check=True).stdout
        needed += [tuple(map(int, m.split('.'))) for m in re.findall(r'Name: GLIBC_(\d+\.\d+)', said)]
    return '%d_%d' % max(needed)


def is_program(path):
    with open(path, 'rb') as f:
        return f.read(4) == b'\x7fELF'


def metadata(name, version):
    project = name.replace('_', '-')
    with open(os.path.join(ROOT, 'python', 'README.md'), encoding='utf-8') as f:
        readme = f.read()
    return (f'Metadata-Version: 2.1\nName: {project}\nVersion: {version}\nSummary: {SUMMARY[name]}\nLicense: MIT\n'
            'Requires-Python: >=3.9\nClassifier: License :: OSI Approved :: MIT License\nClassifier: Operating System :: POSIX :: Linux\n'
            'Classifier: Typing :: Typed\nDescription-Content-Type: text/markdown\n\n' + readme)


class Wheel:
    """name → bytes or path of a file, and whether it is to be executable."""
    def __init__(self, name, version):
        self.name, self.version, self.stem, self.files = name, version, f'{name}-{version}', {}

    def add(self, place, content, executable=False):
        place = place.format(purelib='', data=f'{self.stem}.data/data/')
        self.files[place] = content, executable

    def bytes_of(self, content):
        if isinstance(content, str) and os.path.isfile(content):
            with open(content, 'rb') as f:
                return f.read()
        return content.encode()

    def write(self, folder, machine, binutils):
        programs = [c for c, _ in self.files.values() if os.path.isfile(c) and is_program(c)]
        tag = f'py3-none-manylinux_{glibc(programs, binutils)}_{machine}'
        info = f'{self.stem}.dist-info/'
        self.add(info + 'METADATA', metadata(self.name, self.version))
        self.add(info + 'WHEEL', f'Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: false\nTag: {tag}\n')
        self.add(info + 'licenses/LICENSE', os.path.join(ROOT, 'LICENSE'))
        path, record = os.path.join(folder, f'{self.stem}-{tag}.whl'), []
        for old in glob.glob(os.path.join(folder, f'{self.name}-[0-9]*.whl')):
            os.remove(old)
        with zipfile.ZipFile(path + '.new', 'w', zipfile.ZIP_DEFLATED, compresslevel=6) as z:
            for place, (content, executable) in self.files.items():
                data = self.bytes_of(content)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
                record.append(f'{place},sha256={digest},{len(data)}\n')
                self.store(z, place, data, executable)
            self.store(z, info + 'RECORD', ''.join(record + [info + 'RECORD,,\n']).encode(), False)
        os.rename(path + '.new', path)
        return path

    def store(self, z, place, data, executable):
        entry = zipfile.ZipInfo(place, TIME)
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        z.writestr(entry, data)


def make_tools(options, made):
    w = Wheel('heddle_tools', options.version)
    w.add('{data}bin/heddle', os.path.join(made, 'heddle-tools'), True)
    w.add('{data}lib/heddle/libcjson.so.1', cjson(options, os.path.join(made, 'heddle-tools')))
    return w


def make_whole(options, made, folder):
    w = Wheel('heddle', options.version)
    for path in sorted(glob.glob(os.path.join(ROOT, 'python/heddle/*.py')) + [os.path.join(ROOT, 'python/heddle/py.typed')]):
        w.add('{purelib}heddle/' + os.path.basename(path), path)
    w.add('{data}bin/heddle', os.path.join(made, 'heddle'), True)
    w.add('{data}lib/heddle/clang-heddle', os.path.join(made, 'clang-heddle'), True)
    w.add('{data}lib/heddle/libheddle-llvm.so', os.path.join(made, 'libheddle-llvm.so'))
    w.add('{data}lib/heddle/libheddle-cl.so', stripped(os.path.join(options.build, 'libheddle-cl.so'), folder, options.binutils))
    w.add('{data}lib/heddle/libheddle-clang.so', stripped(os.path.join(options.build, 'libheddle-clang.so'), folder, options.binutils))
    w.add('{data}lib/heddle/libheddle.so', stripped(os.path.join(options.build, 'libheddle.so'), folder, options.binutils))
    w.add('{data}lib/heddle/libcjson.so.1', cjson(options, os.path.join(made, 'heddle')))
    for name in ('opencl-c.h', 'opencl-c-base.h'):
        w.add('{data}lib/heddle/clang/include/' + name, os.path.join(options.headers, name))
    for place, content in VENDORS.items():
        w.add(place, content)
    return w


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True)
    parser.add_argument('--version', required=True)
    parser.add_argument('--headers', required=True, help="the folder of clang's opencl-c.h")
    parser.add_argument('--machine', default='x86_64')
    parser.add_argument('--binutils', default='', help='what stands before the names of strip and readelf')
    parser.add_argument('--cjson', help='the cJSON library that is brought along; by default what the command loads')
    options = parser.parse_args()
    made = os.path.join(options.build, 'wheel')
    with tempfile.TemporaryDirectory() as folder:
        for w in make_tools(options, made), make_whole(options, made, folder):
            path = w.write(made, options.machine, options.binutils)
            mib = os.path.getsize(path) / 2**20
            print('  WHEEL %s (%.1f MiB)' % (path, mib))
            if mib > MOST_MIB[w.name]:
                print('wheel.py: it is larger than %d MiB' % MOST_MIB[w.name], file=sys.stderr)
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
