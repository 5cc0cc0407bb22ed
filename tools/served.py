"""subprocess.run for tests that start heddle thousands of times.

    p = served.run([heddle, 'val', path], capture_output=True, timeout=60)

Arguments and result are those of subprocess.run. A heddle that was started once, up to main (tests/tool/serve.c), forks
for each call: there are as many of them as calls at once, and others with the code generator's library open. Other
programs, builds without serve.so, and calls that need a new process are started as ever.
SPDX-License-Identifier: MIT
"""
import atexit, os, select, signal, socket, struct, subprocess, threading, time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/tool/serve.c')
AT_START = ('LD_', 'ASAN_', 'LSAN_', 'TSAN_', 'UBSAN_', 'MALLOC_', 'GLIBC_')  # variables that are read before main
HANDLED = {'input', 'stdin', 'stdout', 'stderr', 'capture_output', 'timeout', 'check', 'cwd', 'env', 'text', 'encoding', 'errors',
           'universal_newlines'}
idle = {}  # servers without a call, by command and whether they have the library open
lock = threading.Lock()


def at_start(env):
    return {name: value for name, value in env.items() if name.startswith(AT_START)}


class Server:
    """A heddle that waits before main."""

    def __init__(self, heddle, library, compiles):
        self.environment = at_start(os.environ)
        self.socket, other = socket.socketpair()
        env = dict(os.environ, LD_PRELOAD=':'.join(filter(None, (os.environ.get('LD_PRELOAD'), library))),
                   HEDDLE_SERVE=str(other.fileno()),
                   ASAN_OPTIONS=os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0')
        if compiles:
            env['HEDDLE_SERVE_COMPILES'] = '1'
        with other:
            self.process = subprocess.Popen([heddle], env=env, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL)

    def start(self, words, cwd, env, files):
        """A request's process, by its number."""
        texts = [os.path.abspath(cwd or '.'), str(len(words)), *words]
        data = b''.join(os.fsencode(t) + b'\0' for t in texts)
        data += b''.join(os.fsencode(name) + b'=' + os.fsencode(value) + b'\0' for name, value in env.items())
        socket.send_fds(self.socket, [struct.pack('=I', len(data))], files)
        self.socket.sendall(data)
        pid = self.number()
        if pid < 0:
            raise OSError('the server of heddle cannot fork')
        return pid

    def number(self):
        data = self.socket.recv(4, socket.MSG_WAITALL)
        if len(data) != 4:
            raise OSError('the server of heddle ended')
        return struct.unpack('=i', data)[0]

    def close(self):
        self.socket.close()
        self.process.wait()


def library_of(heddle):
    """serve.so of a build, where it is not older than its source."""
    path = os.path.join(os.path.dirname(os.path.abspath(heddle)), 'tests/tool/serve.so')
    try:
        return path if os.path.getmtime(path) >= os.path.getmtime(SOURCE) else None
    except OSError:
        return None


def take(key, env):
    """A server for a call with this environment; None where there can be none."""
    with lock:
        servers = idle.setdefault(key, [])
        if servers:
            return servers.pop() if servers[-1].environment == at_start(env) else None
    library = library_of(key[0]) if at_start(env) == at_start(os.environ) else None
    return library and Server(key[0], library, key[1])


def key_of(words):
    return words[0], words[1:2] == ['run'] and 'interpreted' not in words


@atexit.register
def end():
    """Ends the servers, so that their processor time counts for this process."""
    with lock:
        for servers in idle.values():
            while servers:
                servers.pop().close()


class Pipes:
    """A call's standard files: what the process gets, and what we read or write."""

    def __init__(self, options):
        self.given, self.ours, self.to_close = [], {}, []
        self.input = options.get('input')
        captured = subprocess.PIPE if options.get('capture_output') else None
        self.add(0, subprocess.PIPE if self.input is not None else options.get('stdin'))
        self.add(1, options.get('stdout', captured))
        self.add(2, options.get('stderr', captured))

    def add(self, number, what):
        if what == subprocess.PIPE:
            read, write = os.pipe()
            given, self.ours[number] = (read, write) if number == 0 else (write, read)
            self.to_close.append(given)
        elif what == subprocess.DEVNULL:
            given = os.open(os.devnull, os.O_RDWR)
            self.to_close.append(given)
        elif what == subprocess.STDOUT:
            given = self.given[1]
        elif what is None:
            given = number
        else:
            given = what if isinstance(what, int) else what.fileno()
        self.given.append(given)

    def close_given(self):
        while self.to_close:
            os.close(self.to_close.pop())

    def close(self):
        self.close_given()
        for fd in self.ours.values():
            os.close(fd)
        self.ours = {}


def communicate(server, pipes, data, deadline):
    """(status, output by number) when the process has ended; the status is None when time ran out before."""
    output = {number: [] for number in pipes.ours if number}
    poll = select.poll()
    poll.register(server.socket, select.POLLIN)
    data = memoryview(data or b'')
    if 0 in pipes.ours:
        os.set_blocking(pipes.ours[0], False)
    for number, fd in pipes.ours.items():
        poll.register(fd, select.POLLIN if number else select.POLLOUT)
    number_of = {fd: number for number, fd in pipes.ours.items()}
    status = None
    while status is None or any(pipes.ours):
        left = None if deadline is None else max(0, deadline - time.monotonic())
        events = poll.poll(left and left * 1000 + 1)
        if not events and left is not None and time.monotonic() >= deadline:
            return None, output
        for fd, _ in events:
            number = number_of.get(fd)
            if number is None:
                status = server.number()
                poll.unregister(fd)
                done = False
            elif number == 0:
                try:
                    data = data[os.write(fd, data):]
                except BrokenPipeError:
                    data = b''
                done = not data
            else:
                chunk = os.read(fd, 1 << 16)
                output[number].append(chunk)
                done = not chunk
            if done:
                poll.unregister(fd)
                os.close(pipes.ours.pop(number))
    return status, output


def as_asked(data, options):
    """Bytes, or text as subprocess.run has it."""
    if data is None or not any(options.get(o) for o in ('text', 'encoding', 'errors', 'universal_newlines')):
        return data
    text = data.decode(options.get('encoding') or 'utf-8', options.get('errors') or 'strict')
    return text.replace('\r\n', '\n').replace('\r', '\n')


def ask(server, words, env, options):
    timeout = options.get('timeout')
    deadline = None if timeout is None else time.monotonic() + timeout
    data = options.get('input')
    if isinstance(data, str):
        data = data.encode(options.get('encoding') or 'utf-8', options.get('errors') or 'strict')
    pipes = Pipes(options)
    try:
        pid = server.start(words, options.get('cwd'), env, pipes.given)
        pipes.close_given()
        try:
            status, output = communicate(server, pipes, data, deadline)
        except BaseException:
            os.kill(pid, signal.SIGKILL)
            raise
        if status is None:
            os.kill(pid, signal.SIGKILL)
            server.number()
    finally:
        pipes.close()
    out, err = (b''.join(output[n]) if n in output else None for n in (1, 2))
    if status is None:
        raise subprocess.TimeoutExpired(words, timeout, out, err)
    return subprocess.CompletedProcess(words, os.waitstatus_to_exitcode(status), as_asked(out, options), as_asked(err, options))


def run(words, **options):
    words = [os.fspath(w) for w in words]
    env = options.get('env') or os.environ
    server = take(key_of(words), env) if os.path.basename(words[0]) == 'heddle' and set(options) <= HANDLED else None
    if server is None:
        return subprocess.run(words, **options)
    is_whole = False  # a server whose call was left in the middle answers no other
    try:
        p = ask(server, words, env, options)
        is_whole = True
    except subprocess.TimeoutExpired:
        is_whole = True
        raise
    finally:
        if is_whole:
            with lock:
                idle[key_of(words)].append(server)
        else:
            server.close()
    if options.get('check'):
        p.check_returncode()
    return p
