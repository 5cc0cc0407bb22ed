#!/usr/bin/env python3
"""Collect the rules that the sources check: their ids, sentences and sections, and the tests that break them.

  tools/rules.py OUT          write OUT, the table behind `heddle explain` (X-macro rows RULE(…))
  tools/rules.py --unexplained  print those that lack a sentence, section or example
  tools/rules.py --untested   print the ids that no test names, and why (tests/val/rules.txt)

A rule is named where it is checked and nowhere else, as a literal "family.rule" in a call that reports it. Its section
is the call's own, else what the file's opening comment says behind "Spec:". Where the interpreter puts a message
together from parts, the opening comment has a line "check.rule: sentence". tests/val/examples.txt and docs/undefined.md say
what neither does.
SPDX-License-Identifier: MIT
"""
import difflib, fnmatch, functools, glob, importlib.util, os, re, sys

sys.dont_write_bytecode = True

ID = re.compile(r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)*\.[a-z][a-z0-9]*(?:-[a-z0-9]+)*)"')
NAMED = re.compile(r'(?<=[\'"\s(\[])([a-z][\w-]*\.[a-z][\w-]*)(?=[\'"\s)\],:])')  # in a test that is a program
STRING = re.compile(r'"((?:\\.|[^"\\])*)"')
MOST_LINES = 24  # of a kernel that is shown whole
NOT_RULES = re.compile(r'\.(?:std|semantic|so|json|spv|def|cl|c|h|icd|sh|debuginfo|reflection)$|^(?:clspv|spirv|heddle|libheddle)|^(?:memory\.max|file\.io)$')
# What stands between the rule and the sentence: a hint, a caller.
HINTED = {'hd_as_fail': 1, 'hd_eval_defect': 1, 'hd_eval_note': 1, 'hd_report': 1, 'hd_check_host': 2,
          'tell': 1, 'begin_in': 1}
FOLDERS = ('src/module', 'src/text', 'src/val', 'src/interp', 'src/ops', 'src/xform', 'src/launch', 'src/cl')
TESTS = ('src/**/*.spvasm', 'tests/**/*.spvasm', 'tests/checked/*.cl')


class Rule:
    def __init__(self, name):
        self.name, self.sentences, self.sections, self.files, self.tests = name, [], [], [], []
        self.general = []  # sentences about all that it finds


def add(items, item):
    if item and item not in items:
        items.append(item)


def arguments(text, at):
    """The arguments of the call that `at` is in, from the one it is in on, as source text."""
    parts, start, depth = [], at, 0
    while at < len(text):
        c = text[at]
        if c == '"':
            at = STRING.match(text, at).end()
            continue
        depth += c in '([{'
        depth -= c in ')]}'
        if depth < 0 or c == ';' or (c == ',' and depth == 0):
            parts.append(text[start:at])
            start = at + 1
            if c != ',':
                return parts
        at += 1
    return parts


def callee(text, at):
    """The name of the call that `at` is in."""
    depth = 0
    while at > 0:
        at -= 1
        depth += text[at] in ')'
        depth -= text[at] in '('
        if depth < 0:
            return re.search(r'\w*$', text[:at]).group(0)
        if text[at] == ';' and depth == 0:
            return ''
    return ''


def string_of(source, macros):
    joined = ''.join(STRING.findall(source))
    return joined if joined else macros.get(source.strip(), '')


def vuids(source):
    """Identifiers of Vulkan's statements in an argument."""
    found = ['VUID-StandaloneSpirv-' + '-'.join(m) for m in
             re.findall(r'\b(?:VUID|HD_VUID_SPIRV)\(\s*"(\w+)",\s*"(\d+)"\)', source)]
    found += ['VUID-' + '-'.join(m) for m in re.findall(r'HD_VUID\(\s*"(\w+)",\s*"(\w+)",\s*"(\d+)"\)', source)]
    return '\n'.join(found)


def sentence(fmt):
    fmt = re.sub(r'%[-+#0]*(?:\.\*|[\d.]+)?(?:ll|z|l)?[a-zA-Z]', '\u2026', fmt.replace('%%', '\0')).replace('\0', '%')
    return fmt.replace('\\"', '"')


def read_source(path, rules):
    text = open(path).read()
    head = text.split('*/')[0]
    m = re.search(r'Spec: (.*?)(?:\n \*\s*\n|\Z)', head, re.S)
    section = re.sub(r'\s*\n \*\s*', ' ', m.group(1)).strip().rstrip('.') if m else ''
    section = section.replace('"', '').split(' SPDX')[0]
    # A comment may hold quotes that do not match: blank them, keeping places.
    text = re.sub(r'/\*.*?\*/', lambda c: re.sub(r'[^\n]', ' ', c.group(0)), text, flags=re.S)
    for name, about in re.findall(r'^ \* (check\.[\w-]+): (.*(?:\n \* +(?!check\.[\w-]+:)\S.*)*)$', head, re.M):
        add(rules.setdefault(name, Rule(name)).general, re.sub(r'\s*\n \*\s*', ' ', about))
    macros = dict(re.findall(r'#define (\w+) +"([^"]*)"', text))
    named = dict(re.findall(r'#define (\w+) +(HD_VUID\w*\("[^)]*\))', text))
    for m in ID.finditer(text):
        if NOT_RULES.search(m.group(1)):
            continue
        name = callee(text, m.start())
        before = text[:m.start()].rstrip()
        ends = ('return', '?', ':') + (('=', 'HD_ERROR,', 'HD_NOTE,') if m.group(1).startswith('check.') else ())
        if not name and not before.endswith(ends):
            continue
        rule = rules.setdefault(m.group(1), Rule(m.group(1)))
        rest = arguments(text, m.start())[1:] if name else []
        own = ''
        if name.endswith('_spec') and rest:
            own, rest = vuids(named.get(rest[0].strip(), rest[0])) or string_of(rest[0], macros), rest[1:]
        elif name in HINTED:
            rest = rest[HINTED[name]:]
        for part in re.split(r'(?<=\s)\?(?=\s*")|(?<=")\s*:(?=\s*")', rest[0]) if rest else []:
            said = sentence(string_of(part, {}))
            words = len(re.findall('[a-z]{2,}', said))  # places for words alone say nothing
            add(rule.sentences, said if words > rule.name.startswith('check.') else '')
        for one in (own or section).split('\n'):
            add(rule.sections, one)
        add(rule.files, path)


def read_test(path, rules):
    for line in open(path, encoding='utf-8', errors='replace'):
        named = re.findall(r';\s*(?:error|warning):\s*([\w.\-]+)', line)
        for name in named:
            if name in rules:
                rules[name].tests.append((path, ' '.join(line.split(';')[0].split())))
        if not named and re.match(r'\s*(?:;|//)\s*CHECK(?!-NOT)', line):
            for name in re.findall(r'[a-z][\w-]*\.[a-z][\w-]*', line):
                if name in rules:
                    rules[name].tests.append((path, ''))


def collect():
    rules = {}
    for folder in FOLDERS:
        for path in sorted(glob.glob(folder + '/**/*.c', recursive=True)):
            if folder != 'src/ops' or '_rule' in path or '_eval' in path:
                read_source(path, rules)
    for rule in rules.values():
        rule.sentences = rule.general + [s for s in rule.sentences if s + '.' not in rule.general]
    for name, identifier in re.findall(r'^SECTION\("([^"]+)", "[^"]*", (HD_VUID.*)\)$', open('src/val/vulkan_sections.def').read(), re.M):
        if name in rules:
            add(rules[name].sections, vuids(identifier))
    for path in sorted(sum((glob.glob(where, recursive=True) for where in TESTS), [])):
        read_test(path, rules)
    for path in sorted(glob.glob('tests/**/*.c', recursive=True) + glob.glob('tests/**/*.py', recursive=True)):
        for name in NAMED.findall(open(path, encoding='utf-8', errors='replace').read()):
            if name in rules:
                rules[name].tests.append((path, ''))
    return dict(sorted(rules.items()))


# ---- examples: a line that breaks a rule and one like it that does not, with what they name -------------------------

class Text:
    """A test's instructions: in order, whether a finding is expected, and who defines what."""
    cache = {}

    def __init__(self, path):
        self.lines, self.defined, self.fine = [], {}, {}  # fine: what has no finding, by opcode
        for line in open(path, encoding='utf-8', errors='replace'):
            code = ' '.join(re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', line)[0].split())
            if not code:
                continue
            self.lines.append((code, bool(re.search(r';\s*(error|warning):', line))))
            if not self.lines[-1][1]:
                self.fine.setdefault(opcode(code), []).append(code)
            if m := re.match(r'(%\w+) = ', code):
                self.defined.setdefault(m.group(1), code)

    @classmethod
    def of(cls, path):
        if path not in cls.cache:
            cls.cache[path] = cls(path)
        return cls.cache[path]


@functools.cache
def modules(folder):
    return sorted(glob.glob(folder + '/*.spvasm'))


@functools.cache
def opcode(code):
    m = re.search(r'\bOp[A-Z]\w*', code)
    return m.group(0) if m else ''


def like(path, wrong):
    """The instruction without a finding that is most like a wrong one, and its test: in the same file, else in its
    folder, else anywhere. Where the place is wrong and not the words, the same words in another place."""
    folder = [p for p in modules(os.path.dirname(path)) if p != path]
    best = (0, '', path)
    for near in ([path], folder, modules('src/ops/*/tests') + modules('tests/val')):
        found = {}
        for p in near:
            for code in Text.of(p).fine.get(opcode(wrong), ()):
                if code != wrong:
                    found.setdefault(code, p)
        for code in list(found)[:100]:
            best = max(best, (difflib.SequenceMatcher(None, code, wrong).ratio(), code, found[code]), key=lambda b: b[0])
        if best[1]:
            break
    if not best[1] and opcode(wrong):
        same = next((p for p in [path] + near if (wrong, False) in Text.of(p).lines), None)
        return (wrong, same) if same else ('', path)
    return best[1:]


def names(code):
    return re.findall(r'%\w+', code.split(' = ')[-1])


def with_names(path, code, other, depth):
    """The definitions of what the instruction names and the other does not, and of what those name, then the instruction."""
    defined, found, level = Text.of(path).defined, [], [n for n in names(code) if n not in names(other)]
    for _ in range(depth):
        lines = list(dict.fromkeys(defined[n] for n in level if n in defined))[:4]
        found = lines + [line for line in found if line not in lines]
        level = [n for line in lines for n in names(line)]
    return '\n'.join(found + [code])


def with_uses(path, text, code):
    """What decorates the ids of an instruction, or makes them entry points, before a text."""
    of = set(re.findall(r'%\w+', code))
    lines = [c for c, _ in Text.of(path).lines if re.match(r'Op(Member)?Decorate|OpEntryPoint|OpExecutionMode', c) and
             c not in text and re.search(r'%\w+', c).group(0) in of]
    return '\n'.join(lines[:3] + [text])


def by_order(text):
    """A text whose ids are named in the order in which they come: alike where only names differ."""
    ids = {}
    return re.sub(r'%\w+', lambda m: ids.setdefault(m.group(0), '%%%d' % len(ids)), text)


def side_by_side(path, wrong, where, right):
    """Both with as many definitions as show what the difference is."""
    for depth in range(1, 6):
        both = with_names(path, wrong, right, depth % 5 or 1), with_names(where, right, wrong, depth % 5 or 1)
        if depth == 5:
            both = with_uses(path, both[0], wrong), with_uses(where, both[1], right)
        if by_order(both[0]) != by_order(both[1]):
            return both
    return with_names(path, wrong, right, 1), with_names(where, right, wrong, 1)


# Most used instructions of kernels, roughly in that order.
OFTEN = ['OpLoad', 'OpStore', 'OpIAdd', 'OpFAdd', 'OpFMul', 'OpInBoundsPtrAccessChain', 'OpAccessChain', 'OpExtInst', 'OpISub', 'OpIMul',
         'OpBranchConditional', 'OpPhi', 'OpFunctionCall', 'OpBitcast', 'OpUConvert', 'OpSConvert', 'OpSLessThan', 'OpULessThan', 'OpSelect',
         'OpVariable', 'OpConstant', 'OpFunction', 'OpTypeInt', 'OpTypeFloat', 'OpTypeVector', 'OpTypePointer', 'OpDecorate']


def by_opcode(rule, shown):
    """What breaks a rule with other instructions than the example's: (opcode, test, wrong, right), one of each."""
    found = {}
    for path, wrong in rule.tests:
        op = opcode(wrong)
        if op and not (op in found and found[op][3]) and op != opcode(shown.split('\n')[-1]) and path.endswith('.spvasm'):
            right = next((code for code, flagged in Text.of(path).lines if not flagged and opcode(code) == op and code != wrong), '')
            both = side_by_side(path, wrong, path, right) if right else (with_names(path, wrong, '', 1), '')
            found[op] = (op, path, *both)
    return found.values()


def twins(path):
    """What a test of checked runs has and its twin without the defect has not, and the other way round."""
    fine = re.sub(r'(\.\w+)$', r'_fine\1', path)
    if not os.path.exists(fine):
        return '', ''
    code = [[line.rstrip() for line in open(p, encoding='utf-8') if not line.startswith(('//', ';')) and line.strip()]
            for p in (path, fine)]
    found = [line for line in difflib.unified_diff(*code, n=0, lineterm='') if not line.startswith(('---', '+++', '@@'))]
    return tuple('\n'.join(line[1:].strip() for line in found if line[0] == sign) for sign in '-+')


def whole(path):
    """A kernel as it stands in a test of checked runs, behind the command that runs it; '' if it is long."""
    with open(path, encoding='utf-8') as f:
        lines = f.read().rstrip().split('\n')
    run = next((line for line in lines if re.match('// RUN: (not )?heddle check ', line)), '')
    code = [line for line in lines if not line.startswith('//')]
    while code and not code[0]:
        del code[0]
    if not run or len(code) > MOST_LINES:
        return ''
    return '\n'.join([re.sub('RUN: (not )?', '', run).replace('%s', 'FILE.cl')] + code)


def defect(rule):
    """(test, wrong, right) of a rule of checked runs: the shortest whole kernel with the defect, and its twin."""
    found = []
    for path in {path for path, _ in rule.tests if path.startswith('tests/checked/') and path.endswith('.cl')}:
        fine = re.sub(r'\.cl$', r'_fine.cl', path)
        right = whole(fine) if os.path.exists(fine) else say(rule, 'right')
        if whole(path) and right:
            found.append((not os.path.exists(fine), len(whole(path).split('\n')), path, whole(path), right))
    return min(found)[2:] if found else None


@functools.cache
def written():
    """What tests/val/examples.txt says: by pattern, by what (says, section, wrong, right)."""
    found, at, key = {}, {}, None
    with open('tests/val/examples.txt', encoding='utf-8') as f:
        for line in f:
            line = line.rstrip()
            if m := re.fullmatch(r'\[(.+)\]', line):
                at, key = found.setdefault(m.group(1), {}), None
            elif m := re.match(r'(says|section|wrong|right): (.*)', line):
                key = m.group(1)
                at[key] = m.group(2)
            elif line.startswith('  ') and key:
                at[key] += '\n' + line[2:]
            elif line and not line.startswith('#'):
                sys.exit('tests/val/examples.txt: ' + line)
    return found


def say(rule, what):
    return next((w[what] for p, w in written().items() if what in w and fnmatch.fnmatchcase(rule.name, p)), '')


@functools.cache
def undefined():
    """The sections of docs/undefined.md that name a rule of checked runs."""
    found, of = {}, ''
    with open('docs/undefined.md', encoding='utf-8') as f:
        for line in f:
            if line.startswith('## '):
                of = line[3:].strip()
            elif line.startswith('| '):
                for name in re.findall(r'`(check\.[\w-]+)`', line):
                    add(found.setdefault(name, []), of + ', ' + line.split('|')[1].strip())
    return found


@functools.cache
def told():
    """The tables of tests that are programs: rule, what is wrong, like it and right."""
    found = {}
    for path, table in (('tests/text/refused_test.py', 'TEXTS'), ('tests/interp/guards_test.py', 'CASES')):
        spec = importlib.util.spec_from_file_location('table', path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for row in getattr(module, table):
            before = (row[1] if len(row) == 4 else module.HEAD).split('\n')
            defined = {line.split(' = ')[0]: line for line in before if ' = ' in line}
            both = [[defined[n] for n in dict.fromkeys(names(row[side])) if n in defined and n not in names(row[-3 - side])] +
                    [row[side]] for side in (-2, -1)]
            found.setdefault(row[0], (path, *('\n'.join(lines) for lines in both)))
    return found


def examples(rule):
    """(test, wrong, right); each may be empty."""
    if rule.name.startswith('check.') and defect(rule):
        return defect(rule)
    own = say(rule, 'wrong'), say(rule, 'right')
    test = rule.tests[0][0] if rule.tests else ''
    if all(own):
        return (test, *own)
    if rule.name in told():
        return told()[rule.name]
    return found_examples(rule)


def ordinary(test):
    """What instructions people meet most comes first: without a vendor's name, scalars' before those of vectors and matrices."""
    op = opcode(test[1])
    return (bool(re.search(r'[a-z][A-Z]{2,}$', op)), bool(re.search(r'Vector|Matrix|Composite', op)),
            OFTEN.index(op) if op in OFTEN else len(OFTEN))


def found_examples(rule):
    alone = same = None
    for path, wrong in sorted(rule.tests, key=ordinary):
        if not wrong or not path.endswith('.spvasm'):
            continue
        right, where = like(path, wrong)
        both = side_by_side(path, wrong, where, right) if right else ('', '')
        if by_order(both[0]) != by_order(both[1]):
            return (path, *both)
        same = same or (right and (path, *both))
        alone = alone or (path, with_names(path, wrong, right, 1), '')
    if same:
        return same
    for test, _ in rule.tests:
        if any(twins(test)):
            return (test, *twins(test))
    path, wrong = rule.tests[0] if rule.tests else ('', '')
    return alone or (path, wrong, '')


def about(rule):
    """(sentences, sections)"""
    sections = rule.sections or undefined().get(rule.name) or [say(rule, 'section')]
    return '\n'.join(rule.sentences or [say(rule, 'says')]), '\n'.join(sections)


def unexplained():
    """Rules that `heddle explain` would not show whole, and entries of examples.txt that are of none."""
    rules = collect()
    # Examples that differ in names alone show nothing.
    return ([r.name for r in rules.values() if not all((*about(r), *examples(r))) or
             by_order(examples(r)[1]) == by_order(examples(r)[2])] +
            [p for p in written() if not any(fnmatch.fnmatchcase(name, p) for name in rules)])


def quote(text):
    return '"%s"' % text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n') if text else 'NULL'


def write(out):
    lines = ['/* Made by tools/rules.py. RULE(id, sentences, sections, files, test, wrong, right), and for other instructions',
             ' * than its example\'s, EXAMPLE(id, opcode, test, wrong, right). */']
    for rule in collect().values():
        shown = examples(rule)
        lines.append('RULE(%s)' % ', '.join(quote(x) for x in (rule.name, *about(rule), '\n'.join(rule.files), *shown)))
        if not rule.name.startswith('check.'):
            lines += ['EXAMPLE(%s)' % ', '.join(quote(x) for x in (rule.name, *one)) for one in by_opcode(rule, shown[1])]
    with open(out + '.new', 'w') as f:
        f.write('\n'.join(lines) + '\n')
    os.replace(out + '.new', out)


# ---- what no test names ---------------------------------------------------------------------------------------------

def listed():
    """(pattern, test or guard) of tests/val/rules.txt; what says more about a rule stands first."""
    with open('tests/val/rules.txt', encoding='utf-8') as f:
        entries = [line.strip().split(None, 1) for line in f if line.strip() and not line.startswith('#')]
    return sorted(entries, key=lambda entry: '*' in entry[0])


def entry_of(name, entries):
    return next(((p, where) for p, where in entries if fnmatch.fnmatchcase(name, p)), (None, ''))


def untested():
    entries = listed()
    return [(r.name + ' ' + entry_of(r.name, entries)[1]).strip() for r in collect().values() if not r.tests]


if __name__ == '__main__':
    if sys.argv[1:] == ['--unexplained']:
        print('\n'.join(unexplained()))
    elif sys.argv[1:] == ['--untested']:
        print('\n'.join(untested()))
    elif len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    else:
        write(sys.argv[1])
