#!/usr/bin/env python3
"""The corpora through the assembler and disassembler: corpus_test.py [-v] [--build FOLDER].

- asm.jsonl.gz: accepted text gives the same words, words give the same text, rejected text is
  rejected in the same line.
- however words are spaced, text means the same: the assembler has a quick way for the usual spacing.
- val.jsonl.gz (valid modules) and sycl/: as(dis(m)) == m, with raw and with friendly names, and
  hd_text_inst gives the lines of the disassembler.

Differences that are meant are listed in tests/text/differences.txt, by the record's id. Needs
<build>/tests/text/text_serve. Ends with a line of counts; all is skipped where the corpora
(HEDDLE_CORPUS) are not there.

SPDX-License-Identifier: MIT
"""
import argparse
import array
import base64
import gzip
import json
import os
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORPUS = pathlib.Path(os.environ.get('HEDDLE_CORPUS', ROOT.parent / 'shared/corpus'))
PRESERVE, FRIENDLY, NO_HEADER = 2, 64, 32
VERSIONS = {'vulkan1.0': 0, 'vulkan1.1': 3, 'vulkan1.2': 5, 'vulkan1.3': 6, 'vulkan1.4': 6,
            'vulkan1.1spv1.4': 4, 'opencl2.2': 2, 'opencl2.2embedded': 2}


def version(env):
    minor = VERSIONS.get(env, int(env[5:]) if env.startswith('spv1.') else 0)
    return 0x10000 | minor << 8


class Server:
    def __init__(self, program):
        self.p = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, kind, opts, ver, data):
        self.p.stdin.write(kind + struct.pack('<III', opts, ver, len(data)) + data)
        self.p.stdin.flush()
        head = self.p.stdout.read(16)
        if len(head) != 16:
            raise SystemExit(f'the server died (status {self.p.wait()}) on {data[:200]!r}')
        status, line, column, count = struct.unpack('<IIII', head)
        return status, line, column, self.p.stdout.read(count)


def text_bytes(text):
    """Texts were read as Latin-1 where they are not UTF-8."""
    try:
        return text.encode('latin-1')
    except UnicodeEncodeError:
        return text.encode()


SPACES = re.compile(rb'("(?:[^"\\]|\\.)*"|;[^\n]*)| +')


def spread(text):
    """The text with other white space between its words, on the same lines."""
    return SPACES.sub(lambda m: m.group(1) or b' \t', text)


def respaced(server, opts, ver, text, status, line, out):
    """How a text with other white space differs from what it gave before."""
    again = server.ask(b'a', opts, ver, spread(text))
    if (again[0] == 0) != (status == 0) or (status and again[1] != line):
        return f'with other white space {again[:3]}'
    return 'other words with other white space' if status == 0 and again[3] != out else None


def check(server, r):
    """What differs in a record of asm.jsonl.gz, or None."""
    if r['kind'] == 'as':
        status, line, column, out = server.ask(b'a', r['opts'], version(r['env']),
                                               text_bytes(r['text']))
        if r['rc'] == 0:
            if status:
                return f'rejected at {line}:{column}'
            if out != base64.b64decode(r['bin']):
                return 'other words'
        elif status == 0:
            return 'accepted'
        elif r['line'] >= 0 and line != r['line'] + 1:
            return f'line {line} instead of {r["line"] + 1}'
        return respaced(server, r['opts'], version(r['env']), text_bytes(r['text']), status, line,
                        out)
    elif r['kind'] == 'dis':
        data = base64.b64decode(r['bin'] or '')
        status, _, _, out = server.ask(b'd', r['opts'], 0, data)
        if (r['rc'] == 0) != (status == 0):
            return 'rejected' if status else 'accepted'
        if r['rc'] == 0 and out != text_bytes(r['text']):
            return 'other text: ' + out.decode('utf-8', 'replace')
    return None


def swapped(data):
    words = array.array('I', data)
    words.byteswap()
    return words.tobytes()


def round_trip(server, data):
    for opts in (NO_HEADER, NO_HEADER | FRIENDLY):
        status, _, _, text = server.ask(b'd', opts, 0, data)
        if status:
            return 'cannot be disassembled'
        if server.ask(b'd', opts, 0, swapped(data))[3] != text:
            return 'other text from the other endianness'
        flags = 0 if opts & FRIENDLY else PRESERVE
        status, line, column, out = server.ask(b'a', flags, 0, text)
        if status:
            return f'its text is rejected at {line}:{column}'
        if problem := respaced(server, flags, 0, text, status, line, out):
            return problem
        if opts & FRIENDLY:  # ids are numbered anew, so compare the text
            status, _, _, lines = server.ask(b'i', opts, 0, data)
            if status:
                return 'cannot be read'
            if lines != text:
                return 'hd_text_inst gives other text'
            if server.ask(b'i', 0, 0, data)[0]:
                return 'hd_text_inst without names fails'
            text2 = server.ask(b'd', opts, 0, out)[3]
            if len(text.split()) != len(text2.split()) or len(out) != len(data):
                return 'other words with friendly names'
        elif out[20:] != data[20:]:
            return 'other words'
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=str(ROOT / 'build'))
    parser.add_argument('-v', action='store_true', help='show all differences')
    options = parser.parse_args()
    if not (CORPUS / 'asm.jsonl.gz').exists():
        print('0 passed, 0 failed, 1 skipped')
        return 0
    server = Server(str(pathlib.Path(options.build) / 'tests/text/text_serve'))
    meant = {line.split()[0] for line in (HERE / 'differences.txt').read_text().splitlines()
             if line.strip() and not line.startswith('#')}
    total = bad = known = 0

    def judge(name, problem, text):
        nonlocal total, bad, known
        total += 1
        if problem is None:
            return
        if name in meant:
            known += 1
            return
        bad += 1
        if options.v or bad <= 20:
            print(f'failed: {name}: {problem}\n    {text!r}'[:1500])

    with gzip.open(CORPUS / 'asm.jsonl.gz', 'rt') as f:
        for line in f:
            r = json.loads(line)
            if r['kind'] in ('as', 'dis'):
                judge(r['id'], check(server, r), f'{r["test"]} {r["env"]} {r["opts"]} {r["text"]}')
    with gzip.open(CORPUS / 'val.jsonl.gz', 'rt') as f:
        for n, line in enumerate(f, 1):
            r = json.loads(line)
            if r['expect'] == 'valid' and r.get('bin'):
                judge(f'val:{n}', round_trip(server, base64.b64decode(r['bin'])), r['env'])
    for path in sorted((CORPUS / 'sycl').glob('*.spv')):
        judge(path.name, round_trip(server, path.read_bytes()), '')
    print(f'{known} differ as listed in differences.txt')
    print(f'{total - bad - known} passed, {bad} failed, {known} skipped')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
