#!/usr/bin/env python3
"""What a release consists of: one version in all files, a tarball that is the same each time; and what make says where LLVM is missing.
[--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import glob
import hashlib
import os
import subprocess
import sys
import tarfile

import harness


def make(t, *words, **env):
    p = subprocess.run(['make', '-s', *words], capture_output=True, text=True, cwd=harness.ROOT, env={**os.environ, 'MAKEFLAGS': '', **env})
    return p.returncode, p.stdout + p.stderr


def check_version(t):
    p = subprocess.run([sys.executable, 'tools/version.py'], capture_output=True, text=True, cwd=harness.ROOT)
    t.check(p.returncode == 0, p.stdout)
    said = t.run('--version')[1].split()[1]
    with open(os.path.join(harness.ROOT, 'Makefile')) as f:
        t.check(f'VERSION  := {said}\n' in f.read(), said)


def tarball(t, name, **env):
    folder = t.path(name)
    code, out = make(t, 'dist', 'BUILD=' + folder, **env)
    made = glob.glob(folder + '/heddle-*.tar.gz')
    t.check(code == 0 and len(made) == 1, out)
    return made[0]


def check_tarball(t):
    if not os.path.exists(os.path.join(harness.ROOT, '.git')):
        t.skipped += 1  # this tree is one
        return
    once, again = tarball(t, 'once'), tarball(t, 'again', TZ='Asia/Tokyo', LC_ALL='C')
    digests = []
    for path in once, again:
        with open(path, 'rb') as f:
            digests.append(hashlib.sha256(f.read()).hexdigest())
    t.check(digests[0] == digests[1], 'it is the same each time')
    with tarfile.open(once) as archive:
        names = archive.getnames()
    top = os.path.basename(once)[:-len('.tar.gz')]
    for name in 'COMMIT', 'Makefile', 'LICENSE', 'src/tool/main.c', 'tools/llvm.mk':
        t.check(f'{top}/{name}' in names, name)
    t.check(all(name.split('/')[0] == top for name in names if name != 'pax_global_header'), 'all is in one folder')


def built_commit(t, folder, tree):
    """What a tree's build will say of its commit."""
    p = subprocess.run(['make', '-s', 'BUILD=' + folder, folder + '/gen/commit.h'], capture_output=True, text=True, cwd=tree,
                       env={**os.environ, 'MAKEFLAGS': ''})
    t.check(p.returncode == 0, p.stderr)
    with open(folder + '/gen/commit.h') as f:
        return f.read().split('"')[1]


def check_commit(t):
    """The commit: from git, from the file in the tarball, from neither; not from a repository that the tree lies in."""
    if not os.path.exists(os.path.join(harness.ROOT, '.git')):
        t.skipped += 1  # this tree is a tarball's
        return
    here = built_commit(t, t.path('commit'), harness.ROOT).removesuffix('-dirty')
    named = [subprocess.run(['git', 'rev-parse', name + '^{commit}'], capture_output=True, text=True, cwd=harness.ROOT).stdout
             for name in ('HEAD', here)]
    t.check(named[0] and named[0] == named[1], f'a repository: {here}, {named}')
    outer = t.path('outer')
    os.makedirs(outer + '/tree/tools')
    subprocess.run(['git', 'init', '-q', outer], check=True)
    for name in ['Makefile', *glob.glob('tools/*.mk', root_dir=harness.ROOT)]:
        with open(os.path.join(harness.ROOT, name)) as f, open(os.path.join(outer, 'tree', name), 'w') as g:
            g.write(f.read())
    t.check(built_commit(t, t.path('commit'), outer + '/tree') == '', 'no repository, no tarball')
    with open(outer + '/tree/COMMIT', 'w') as f:
        f.write('0123456789ab\n')
    t.check(built_commit(t, t.path('commit'), outer + '/tree') == '0123456789ab', 'a tarball')


def check_goal(t):
    code, out = make(t, '-n', 'BUILD=' + t.path('x'))
    t.check(code == 0 and 'x/libheddle-cl.so' in out and 'x/heddle.icd' in out, 'make without a goal builds all')


def check_missing_llvm(t):
    target = t.path('x') + '/gen/llvm-headers'
    code, out = make(t, 'BUILD=' + t.path('x'), 'LLVM_CONFIG=/nonexistent', target)
    t.check(code != 0 and 'LLVM_CONFIG=' in out and 'make LLVM=no' in out, out)
    code, out = make(t, 'LLVM=dynamic', 'help')
    t.check(code != 0 and 'static, shared or no' in out, out)
    code, out = make(t, '-n', 'BUILD=' + t.path('x'), 'LLVM=no', 'LLVM_CONFIG=/nonexistent', 'all')
    t.check(code == 0 and 'codegen' not in out and 'libheddle-cl' not in out, 'LLVM=no asks for no LLVM')


with harness.Tool() as t:
    check_version(t)
    check_tarball(t)
    check_commit(t)
    check_goal(t)
    check_missing_llvm(t)
sys.exit(t.end())
