#!/usr/bin/env python3
"""Heddle's version: the Makefile's VERSION is the one; all other files that name it follow.

  tools/version.py               does every file name that version?
  tools/version.py --set 0.2.0   set it everywhere

SPDX-License-Identifier: MIT
"""
import argparse, glob, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBER = r'\d+\.\d+\.\d+'
# File, and what stands in front of the version in it.
PLACES = [('Makefile', r'^VERSION  := '),
          ('python/heddle/__init__.py', r'^__version__ = "'),
          ('python/pyproject.toml', r'^version = "'),
          ('pyproject.toml', r'^version = "'),
          ('pyproject.toml', r'"heddle-tools=='),
          ('debian/changelog', r'\Aheddle \('),
          ('packaging/heddle.spec', r'^Version: +'),
          ('packaging/conda/meta.yaml', r'^{% set version = "'),
          ('README.md', r'^This is version ')]


def places():
    pages = [(os.path.relpath(page, ROOT), r'^\.TH \S+ 1 "[\d-]+" "heddle ')
             for page in sorted(glob.glob(os.path.join(ROOT, 'docs/man/*.1')))]
    return PLACES + pages


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


def named(path, front):
    found = re.search('(?:%s)(%s)' % (front, NUMBER), read(path), re.M)
    return found[1] if found else None


def write(path, front, version):
    text = re.sub('(%s)%s' % (front, NUMBER), lambda m: m[1] + version, read(path), flags=re.M)
    with open(os.path.join(ROOT, path), 'w', encoding='utf-8') as f:
        f.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--set', metavar='VERSION')
    wanted = parser.parse_args().set
    if wanted and not re.fullmatch(NUMBER, wanted):
        parser.error('a version is three numbers with dots between them')
    version, wrong = wanted or named(*PLACES[0]), 0
    for path, front in places():
        if wanted:
            write(path, front, version)
        is_right = named(path, front) == version
        wrong += not is_right
        if not is_right:
            print(f'{path}: names {named(path, front)}, not {version}')
    print('%d passed, %d failed, 0 skipped' % (len(places()) - wrong, wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
