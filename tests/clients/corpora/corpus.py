"""What the readers of other projects' shader tests share: a run of `heddle`, its verdict, and the table at the end.

A reader gives cases. Each is a function that is given a folder of its own and returns a verdict: right, wrong, refused (Heddle says
why), compiler (the producer rejects the source), reader (the reader, or the command line, cannot express the test), or crash.
SPDX-License-Identifier: MIT
"""
import collections, concurrent.futures, os, re, subprocess, sys, tempfile, threading

LAST = threading.local()    # the words of this thread's last run
# What a checked run reports where a program means nothing, so that no result is right or wrong.
UNDEFINED = re.compile(r'\[(check\.(?:out-of-bounds|null|uninitialised|race|division|divergent-barrier|misaligned|descriptor|wrap|shift|'
                       r'conversion|non-uniform|inactive-lane|vector-index|wild-pointer|bit-field))\]')


class Verdict(Exception):
    """How a case ended; raised, so that any step can end it."""

    def __init__(self, kind, reason=''):
        super().__init__(kind, reason)
        self.kind, self.reason = kind, reason


def call(words, folder, seconds=120):
    """A producer or a peer: status and everything that it says."""
    try:
        p = subprocess.run(words, cwd=folder, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 124, 'no end after %d s' % seconds
    return p.returncode, (p.stdout + p.stderr).decode('utf-8', 'replace')


def refusal(text):
    """The reason that Heddle gives, with numbers and names of the module left out, so that equal ones are counted together."""
    line = ([t for t in text.splitlines() if 'warning:' not in t and re.search(r'\[[a-z-]+\.[a-z0-9.-]+\]', t)] or text.splitlines() or [''])[0]
    line = re.sub(r'^\S*?:(byte \d+:|\d+:)? error: ', '', line)
    line = re.sub(r'%\S+', '%…', line)
    if '[jit.codegen]' in text or '[internal' in text:
        raise Verdict('crash', text[-300:])
    return line[:150]


def padded(binds, bindings):
    """What is bound, at least as long as the block: some tests rely on robust access, or on a compiler that lays blocks out otherwise."""
    result = dict(binds)
    for key, value in binds.items():
        least = bindings.get(tuple(int(x) for x in key.split('[')[0].split('.')), (0, 0, 0, 0))[2]
        if isinstance(value, (bytes, bytearray)) and len(value) < least:
            result[key] = bytes(value) + bytes(least - len(value))
    return result


def with_addresses(data, refs):
    """Bytes of which some eight are the device address of a binding: {offset: '9.0'}, as words of 64 bits."""
    data = bytes(data) + bytes(-len(data) % 8)
    return [('&' + refs[at] if at in refs else str(int.from_bytes(data[at:at + 8], 'little'))) for at in range(0, len(data), 8)]


def heddle(binary, module, folder, groups, binds=(), push=(), outs=(), extra=(), seconds=120):
    """Run a shader. binds: {'0.1': text, bytes, or bytes and addresses in them}; push: bytes, or these and addresses; outs: keys
    of binds. Returns the bytes of outs."""
    words = [binary, 'run', module, '--groups', ','.join(str(g) for g in groups)]
    for i, (key, value) in enumerate(dict(binds).items()):
        if isinstance(value, (bytes, bytearray)):
            path = os.path.join(folder, 'in%d' % i)
            with open(path, 'wb') as f:
                f.write(value)
            value = 'bytes[%d]=@%s' % (len(value), path)
        elif isinstance(value, tuple):
            items = with_addresses(*value)
            value = 'u64[%d]=%s' % (len(items), ','.join(items))
        words += ['--bind', key + '=' + value]
    if isinstance(push, tuple):
        words += ['--push', ','.join('u64=' + w for w in with_addresses(*push))]
    elif push:
        words += ['--push', 'bytes[%d]=%s' % (len(push), bytes(push).hex())]
    LAST.words, LAST.peer = words, None
    words = words + ['--no-print', *extra]
    for i, key in enumerate(outs):
        words += ['--out', '%s=%s' % (key, os.path.join(folder, 'out%d' % i))]
    status, text = call(words, folder, seconds)
    if status == 124:
        raise Verdict('crash', text)
    if status < 0 or status > 3:
        raise Verdict('crash', 'status %d: %s' % (status, text[-300:]))
    if status != 0:
        raise Verdict('refused', refusal(text))
    results = []
    for i in range(len(outs)):
        with open(os.path.join(folder, 'out%d' % i), 'rb') as f:
            results.append(f.read())
    LAST.peer = None if isinstance(push, tuple) else (module, groups, dict(binds), bytes(push), list(outs), results)
    return results


def peer_says(options, v, folder):
    """What another implementation makes of the same launch. Its command: MODULE X,Y,Z main SET.BINDING[I]=s|u=FILE… push=FILE; it
    writes buffers back to their files."""
    if v.kind not in ('wrong', 'undefined') or not options.peer or not getattr(LAST, 'peer', None):
        return v
    module, groups, binds, push, outs, results = LAST.peer
    kinds = described(options.heddle, module, folder)[2]
    words, files = [options.peer, module, ','.join(str(g) for g in groups), 'main'], {}
    for i, (key, value) in enumerate(binds.items()):
        if not isinstance(value, (bytes, bytearray)):
            return v
        files[key] = os.path.join(folder, 'peer%d' % i)
        with open(files[key], 'wb') as f:
            f.write(value)
        kind = kinds.get(tuple(int(x) for x in key.split('[')[0].split('.')), ('storage',))[0]
        words.append('%s=%s=%s' % (key, 'u' if 'uniform' in kind else 's', files[key]))
    if push:
        with open(os.path.join(folder, 'peer.push'), 'wb') as f:
            f.write(push)
        words.append('push=' + os.path.join(folder, 'peer.push'))
    status, said = call(words, folder)
    if status != 0:
        return Verdict(v.kind, 'the peer ends with %d; %s' % (status, v.reason))
    same = True
    for key, mine in zip(outs, results):
        with open(files[key], 'rb') as f:
            same = same and f.read() == mine
    return Verdict('producer' if same and v.kind == 'wrong' else v.kind, ('another implementation agrees; ' if same else 'the peer DIFFERS; ') + v.reason)


def described(binary, module, folder):
    """What `heddle info` says of the bindings: {(set, binding): (kind, count, fixed bytes, element bytes)}, and of push constants."""
    status, text = call([binary, 'info', module], folder)
    bindings = {}
    for m in re.finditer(r'^  binding (\d+)\.(\d+)(?:\[(\d*)\])?: ([^,\n]*)(.*)$', text, re.M):
        fixed, element = re.search(r', (\d+) bytes', m[5]), re.search(r'elements of (\d+)', m[5])
        bindings[int(m[1]), int(m[2])] = (m[4], int(m[3]) if m[3] else 1 if m[3] is None else 0,
                                          int(fixed[1]) if fixed else 0, int(element[1]) if element else 0)
    push = re.search(r'^  push constants: (\d+) bytes', text, re.M)
    return status, text, bindings, int(push[1]) if push else 0


def defined(v, folder):
    """A wrong result or a crash of a shader whose checked run has findings is undefined."""
    if v.kind not in ('wrong', 'crash') or not getattr(LAST, 'words', None):
        return v
    status, text = call([LAST.words[0], 'check', *LAST.words[2:]], folder, 300)
    found = UNDEFINED.findall(text)
    if status != 1 or not found:
        return v
    return Verdict('undefined', ', '.join(sorted(set(found))) + '; ' + v.reason)


def run_all(cases, options, title):
    """cases: [(name, function of a folder)]. Prints each that is not right, and the table."""
    counts, reasons, examples = collections.Counter(), collections.Counter(), {}

    def one(case):
        LAST.words = LAST.peer = None
        with tempfile.TemporaryDirectory(prefix='heddle-corpus-') as folder:
            try:
                case[1](folder)
                return case[0], Verdict('right')
            except Verdict as v:
                return case[0], peer_says(options, defined(v, folder), folder)
            except Exception as e:     # a reader's own fault concerns one case
                return case[0], Verdict('reader', 'the reader fails: %r' % e)

    log = open(options.log, 'w') if options.log else sys.stdout
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, v in pool.map(one, cases):
            counts[v.kind] += 1
            if v.kind != 'right':
                reasons[v.kind, v.reason if v.kind in ('refused', 'reader', 'excluded', 'invalid', 'findings') else ''] += 1
                examples.setdefault((v.kind, v.reason if v.kind in ('refused', 'reader', 'excluded', 'invalid', 'findings') else ''), name)
            if v.kind != 'right' or options.verbose:
                print('%-8s %s: %s' % (v.kind, name, v.reason.strip()), file=log, flush=True)
    print('\n%s: %d cases: %s' % (title, sum(counts.values()), ', '.join('%d %s' % (n, k) for k, n in counts.most_common())))
    for (kind, reason), n in reasons.most_common():
        print('%5d %-8s %s  (%s)' % (n, kind, reason, examples[kind, reason]))
    return 1 if counts['wrong'] or counts['crash'] else 0


def arguments(parser):
    parser.add_argument('--heddle', default='build/heddle')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--log', help='file for the cases that are not right')
    parser.add_argument('--verbose', action='store_true', help='list those that are right, too')
    parser.add_argument('--keep', help='folder where modules are kept, which later runs take from there')
    parser.add_argument('--peer', help='a command that runs a shader by another implementation, asked about what is wrong')
    parser.add_argument('only', nargs='*', help='parts of names')
    options = parser.parse_args()
    options.heddle = os.path.abspath(options.heddle)
    return options
