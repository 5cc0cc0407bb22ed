#!/usr/bin/env python3
"""The documents against the tree: docs_test.py [--build FOLDER].

- docs/options.md is what tools/options_md.py makes; every HEDDLE_ variable that is read has a row.
- Relative links of README.md, CHANGELOG.md and docs/ lead to files, their #anchors to headings.
- Files that documents name exist.
- The map and README's tour name every room.
- Commands in README's code blocks exist: make targets, scripts, heddle's subcommands and options.
- docs/undefined.md names the rules of checked runs, all of them and no others.
- Each subcommand has a manual page that names exactly the options that its --help names; man has no
  complaint about any page.

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Programs of others that README may call: from tools/packages.txt, from Debian's base, or from a section
# that says where they are from.
KNOWN = {'glslc', 'git', 'cd', 'export', 'cc', 'clang-22', 'clang-15', 'llvm-spirv-15', 'clinfo', 'sudo', 'man', 'cat', 'echo',
         'diff', 'lcov', 'genhtml', 'python3', './sum', './your-program'}


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, holds, why):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print('failed:', why)


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


def documents():
    pages = glob.glob('docs/**/*.md', root_dir=ROOT, recursive=True)
    return ['README.md', 'CHANGELOG.md'] + sorted(pages)


# ---- options ------------------------------------------------------------------------------------


def check_options(counts):
    made = subprocess.run([sys.executable, os.path.join(ROOT, 'tools/options_md.py')], capture_output=True,
                          text=True).stdout
    counts.check(made == read('docs/options.md'), 'docs/options.md is not current: tools/options_md.py --write')
    rows = set(re.findall(r'`(HEDDLE_\w+)`', made))
    for path in sorted(glob.glob('src/**/*.c', root_dir=ROOT, recursive=True)):
        for name in re.findall(r'getenv\("(HEDDLE_\w+)"\)', read(path)):
            counts.check(name in rows, '%s reads %s, which has no row in src/base/option.h' % (path, name))


# ---- links --------------------------------------------------------------------------------------


def anchors(text):
    out = set()
    for title in re.findall(r'^#+ (.*)$', re.sub(r'^```.*?^```', '', text, flags=re.S | re.M), re.M):
        slug = re.sub(r'[^\w\- ]', '', title.strip().lower()).replace(' ', '-')
        out.add(slug)
    return out


def check_links(counts):
    for page in documents():
        text = re.sub(r'^```.*?^```', '', read(page), flags=re.S | re.M)
        text = re.sub(r'`[^`\n]*`', '', text)
        for target in re.findall(r'\]\(([^)\s]+)\)', text):
            if re.match(r'[a-z]+:', target):
                continue
            path, _, anchor = target.partition('#')
            to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            exists = os.path.exists(os.path.join(ROOT, to))
            counts.check(exists, '%s: link to %s, which is not there' % (page, target))
            if exists and anchor:
                counts.check(anchor in anchors(read(to)), '%s: %s has no heading #%s' % (page, to, anchor))


def check_paths(counts):
    """Files that documents name in backquotes, with one of the tree's folders in front."""
    tops = 'src|tests|tools|bench|examples|include|docs'
    for page in documents():
        for path in sorted(set(re.findall(r'`((?:%s)/[\w./\-]+\.\w+)`' % tops, read(page)))):
            counts.check(os.path.exists(os.path.join(ROOT, path)), '%s names %s, which is not there' % (page, path))


def check_names(counts):
    """Files that documents name in backquotes without their folder: pass files that were renamed, for example. Decision
    records tell what was when they were written; CHANGELOG what was in each version."""
    there = {name for top in ('src', 'tests', 'tools', 'bench', 'examples', 'include', 'findings')
             for _, _, names in os.walk(os.path.join(ROOT, top)) for name in names}
    for page in documents():
        if page.startswith(('docs/adr/', 'CHANGELOG')):
            continue
        for name in sorted(set(re.findall(r'`([a-z]\w*\.(?:c|h|def|py|sh|mk|cc))`', read(page)))):
            counts.check(name in there, '%s names %s, and there is no such file' % (page, name))


def check_map(counts):
    """docs/map.md and README's tour have a line for each room; the map's numbers may be older than the tree."""
    rooms = {path.split('/')[1] for path in glob.glob('src/*/*', root_dir=ROOT)}
    mapped = set(re.findall(r'^\| (\w+) \|', read('docs/map.md'), re.M)) - {'room'}
    counts.check(rooms <= mapped, 'docs/map.md lacks %s: tools/lint.py --map' % sorted(rooms - mapped))
    toured = set(re.findall(r'`src/(\w+)`', read('README.md')))
    counts.check(toured == rooms, "README's tour: missing %s, too many %s" %
                 (sorted(rooms - toured), sorted(toured - rooms)))


# ---- commands -----------------------------------------------------------------------------------


def subcommands():
    return re.findall(r'^COMMAND\((\w+),', read('src/tool/commands.def'), re.M)


def make_targets():
    text = read('Makefile') + read('tools/wheel.mk')
    names = set(re.findall(r'^([a-z][\w\-]*)\s*:(?!=)', text, re.M))
    for line in re.findall(r'^\.PHONY: (.*)$', text, re.M):
        names |= set(line.split())
    return names


def options_of(text):
    """Long options and -o, -h that a text names."""
    return set(re.findall(r'(?<![\w\-])(--[a-z][a-z\-]*[a-z]|-[oh](?=[\s,\]]))', text))


def help_of(heddle, name, cache={}):
    if name not in cache:
        p = subprocess.run([heddle, name, '--help'], capture_output=True, text=True)
        cache[name] = p.stdout if p.returncode == 0 else ''
    return cache[name]


def commands_in(page):
    """Lines of ```sh blocks that are commands: all of a block without prompts, else those with `$ `."""
    for block in re.findall(r'^```sh\n(.*?)^```', read(page), re.S | re.M):
        block = block.replace('\\\n', ' ')
        lines = block.splitlines()
        if any(line.startswith('$ ') for line in lines):
            lines = [line[2:] for line in lines if line.startswith('$ ')]
        for line in lines:
            if line.strip() and not line.startswith('#'):
                yield line


def check_command(counts, heddle, page, line):
    for part in re.split(r'\s(?:\||&&|;)\s', line):
        words = shlex.split(part, comments=True)
        while words and (re.match(r'[A-Z_]+=', words[0]) or words[0] == 'sudo'):
            words = words[1:]
        if not words:
            continue
        name = os.path.basename(words[0])
        if name == 'make':
            for target in words[1:]:
                if '=' not in target and not target.startswith('-'):
                    counts.check(target in make_targets(), '%s: make has no target %s' % (page, target))
        elif name == 'heddle':
            if len(words) < 2 or words[1].startswith('-'):
                continue
            counts.check(words[1] in subcommands(), '%s: heddle has no command %s' % (page, words[1]))
            if heddle:
                known = options_of(help_of(heddle, words[1]))
                for option in words[2:]:
                    if option.startswith('--') or option == '-o':
                        counts.check(option.split('=')[0] in known,
                                     '%s: heddle %s has no option %s' % (page, words[1], option))
        elif '/' in words[0] and not words[0].startswith('build/') and words[0] not in KNOWN:
            counts.check(os.access(os.path.join(ROOT, words[0]), os.X_OK), '%s: %s is not a program' % (page, words[0]))
        else:
            counts.check(words[0] in KNOWN or words[0].startswith('build/'),
                         '%s: %s is not among the programs that a reader has' % (page, words[0]))


def check_commands(counts, heddle):
    for page in documents():
        for line in commands_in(page):
            check_command(counts, heddle, page, line)


# ---- manual pages -------------------------------------------------------------------------------


def check_pages(counts, heddle):
    pages = {os.path.basename(p) for p in glob.glob(os.path.join(ROOT, 'docs/man/*.1'))}
    expected = {'heddle.1'} | {'heddle-%s.1' % name for name in subcommands()}
    counts.check(pages == expected, 'docs/man: missing %s; too many %s' %
                 (sorted(expected - pages), sorted(pages - expected)))
    for name in subcommands():
        path = 'docs/man/heddle-%s.1' % name
        if 'heddle-%s.1' % name not in pages:
            continue
        if not heddle:
            counts.skipped += 1
            continue
        shown = options_of(read(path).split('.SH EXAMPLES')[0].replace('\\-', '-').replace('\\fR', ' ').replace('\\fB', ''))
        known = options_of(help_of(heddle, name))
        counts.check(known <= shown, '%s lacks %s' % (path, sorted(known - shown)))
        counts.check(shown - known <= {'-h', '--help'}, '%s names %s, which --help does not' % (path, sorted(shown - known)))
    if heddle:
        forms = re.findall(r'^  ([a-z]+)', help_of(heddle, 'run').split('arguments:')[1], re.M) + ['undefined']
        lost = [f for f in forms if not re.search(r'\b%s\b' % f, read('docs/man/heddle-run.1').split('.SH ARGUMENTS')[1])]
        counts.check(len(forms) > 6 and not lost, 'docs/man/heddle-run.1: arguments lack %s' % lost)
    rows = set(re.findall(r'`(HEDDLE_\w+)`', read('docs/options.md')))
    named = set(re.findall(r'HEDDLE_\w+', read('docs/man/heddle.1'))) | set(re.findall(r'HEDDLE_[A-Z_]+', read('README.md')))
    own = {name for name in named if name in read('include/heddle/heddle.h')}
    counts.check(named - own <= rows, 'variables without a row: %s' % sorted(named - own - rows))
    man = shutil.which('man')
    if man is None or os.path.getsize(man) < 20000:  # minimal systems have a script that says "no manual pages"
        counts.skipped += 1
        return
    for page in sorted(pages):
        p = subprocess.run([man, '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', 'docs/man/' + page], cwd=ROOT,
                           env=dict(os.environ, MANROFFSEQ='', MANWIDTH='80'), capture_output=True, text=True)
        counts.check(p.returncode == 0 and not p.stderr, 'docs/man/%s: %s' % (page, p.stderr.strip()))


def check_undefined(counts, heddle):
    """The rules of checked runs and the table of what is undefined."""
    if heddle is None:
        counts.skipped += 1
        return
    shown = subprocess.run([heddle, 'explain', '--list'], capture_output=True, text=True, check=True).stdout
    rules = set(re.findall(r'^(check\.[\w-]+)', shown, re.M))
    named = set(re.findall(r'`(check\.[\w-]+)`', read('docs/undefined.md')))
    counts.check(len(rules) > 60 and rules <= named, 'docs/undefined.md lacks %s' % sorted(rules - named))
    counts.check(named <= rules, 'docs/undefined.md: there is no rule %s' % sorted(named - rules))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    heddle = os.path.join(os.path.abspath(parser.parse_args().build), 'heddle')
    heddle = heddle if os.access(heddle, os.X_OK) else None
    counts = Counts()
    check_options(counts)
    check_links(counts)
    check_paths(counts)
    check_names(counts)
    check_map(counts)
    check_commands(counts, heddle)
    check_pages(counts, heddle)
    check_undefined(counts, heddle)
    print('%d passed, %d failed, %d skipped' % (counts.passed, counts.failed, counts.skipped))
    return 1 if counts.failed else 0


if __name__ == '__main__':
    sys.exit(main())
