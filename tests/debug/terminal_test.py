#!/usr/bin/env python3
"""`heddle debug` at a terminal: completion, history, Ctrl-C at the prompt and while a kernel runs. [--build FOLDER]

With libedit and, by a path that has none, without. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import ctypes.util, os, pty, re, select, signal, sys, termios, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness

ENDLESS = 'kernel void k(global volatile int *a)\n{\n    while (a[0] == 0)\n        a[1] += 1;\n}\n'


class Terminal:
    """A session at a pseudo-terminal."""

    def __init__(self, t, home):
        source = t.path('endless.cl', ENDLESS)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(t.folder)
            os.environ.update(HOME=home, TERM='xterm')
            os.execv(t.heddle, [t.heddle, 'debug', source, '--global', '1', '--arg', 'i32[2]'])
        self.text = ''

    def wait_for(self, wanted, seconds=60):
        """Read until that comes; what came until then, None if it does not."""
        end = time.time() + seconds
        while time.time() < end:
            m = re.search(wanted, self.text)
            if m:
                before, self.text = self.text[:m.end()], self.text[m.end():]
                return before
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.text += re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', os.read(self.fd, 4096).decode('utf-8', 'replace'))
                except OSError:
                    return None
        return None

    def type(self, text):
        os.write(self.fd, text.encode())

    def reads_keys(self):
        """The terminal hands on single keys, Ctrl-D among them."""
        return termios.tcgetattr(self.fd)[3] & termios.ICANON == 0

    def end(self):
        """The exit status: None if it goes on."""
        for _ in range(100):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None


def session(t, has_edit, home):
    s = Terminal(t, home)
    t.check(s.wait_for(r'\(heddle\) ') is not None, f'a prompt: {s.text}')
    for i in range(40):  # as soon as the prompt is there, when nothing may wait for the terminal yet
        if s.reads_keys() != has_edit:
            t.check(False, f'the terminal is set before the prompt, time {i}')
            break
        s.type('\x03')
        if s.wait_for(r'\(heddle\) ', 10) is None:
            t.check(False, f'Ctrl-C at the prompt asks again, time {i}: {s.text}')
            break
    else:
        t.check(True, '')
    s.type('li\t' if has_edit else 'list ')
    if has_edit:
        t.check(s.wait_for(r'st') is not None, f'completion: {s.text!r}')
    s.type('1,1\r')
    t.check(s.wait_for(r'1\tkernel void k') is not None or s.wait_for(r'1 +kernel void k', 1) is not None, f'list 1,1: {s.text}')
    s.wait_for(r'\(heddle\) ')
    if has_edit:
        s.type('\x10\r')  # Ctrl-P: the line before
        t.check(s.wait_for(r'list 1,1') is not None and s.wait_for(r'kernel void k') is not None, f'history: {s.text}')
        s.wait_for(r'\(heddle\) ')
    s.type('run\r')
    time.sleep(1.5)
    s.type('\x03')
    t.check(s.wait_for(r'interrupted, work-item \(0, 0, 0\)') is not None, f'Ctrl-C stops the program: {s.text}')
    s.wait_for(r'\(heddle\) ')
    s.type('print a[0]\r')
    t.check(s.wait_for(r'a\[0\] = 0') is not None, f'the session goes on: {s.text}')
    s.wait_for(r'\(heddle\) ')
    s.type('continue\r')
    time.sleep(0.5)
    s.type('\x03')
    t.check(s.wait_for(r'interrupted') is not None, f'again: {s.text}')
    s.wait_for(r'\(heddle\) ')
    s.type('set a[0] = 1\r')
    s.wait_for(r'\(heddle\) ')
    s.type('continue\r')
    t.check(s.wait_for(r'the kernel has ended') is not None, f'to the end: {s.text}')
    s.wait_for(r'\(heddle\) ')
    s.type('\x04')  # end of input
    s.wait_for(r'nothing of this kind', 1)
    code = s.end()
    t.check(code in (0, 1), f'the end of the input ends it: {code}')


def main():
    with harness.Tool() as t:
        home = t.path('')
        if ctypes.util.find_library('edit'):
            session(t, True, home)
            with open(t.path('.heddle_history')) as f:
                t.check('list' in f.read(), 'history is kept')
        else:
            t.skipped += 1
        # Without libedit: the loader finds what is no library under its name.
        t.path('none/libedit.so.2', 'not a library')
        t.path('none/libedit.so.0', 'not a library')
        os.environ['LD_LIBRARY_PATH'] = t.path('none')
        session(t, False, home)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
