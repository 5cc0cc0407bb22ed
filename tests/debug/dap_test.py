#!/usr/bin/env python3
"""Does `heddle debug --dap` speak the Debug Adapter Protocol as an editor expects it?

A small client launches kernels, sets breakpoints, steps, looks at threads, frames, variables, memory, and leaves.
Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, base64, json, os, select, shutil, subprocess, sys, time

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
heddle = os.path.abspath(parser.parse_args().build + '/heddle')
here = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(here, 'sums.cl')
counts = {True: 0, False: 0}


def check(what, good, shown=''):
    counts[bool(good)] += 1
    if not good:
        print('failed: %s %s' % (what, shown))


class Client:
    def __init__(self, cwd=here):
        self.p = subprocess.Popen([heddle, 'debug', '--dap'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
        self.seq, self.events, self.output = 0, [], ''

    def send(self, command, **arguments):
        self.seq += 1
        text = json.dumps({'seq': self.seq, 'type': 'request', 'command': command, 'arguments': arguments}).encode()
        self.p.stdin.write(b'Content-Length: %d\r\n\r\n' % len(text) + text)
        self.p.stdin.flush()
        return self.seq

    def read(self):
        length = 0
        while True:
            line = self.p.stdout.readline()
            if not line:
                raise EOFError
            if line == b'\r\n':
                break
            if line.lower().startswith(b'content-length:'):
                length = int(line.split(b':')[1])
        message = json.loads(self.p.stdout.read(length))
        if message['type'] == 'event':
            if message['event'] == 'output':
                self.output += message['body']['output']
            else:
                self.events.append(message)
        return message

    def ask(self, command, **arguments):
        """Send and wait: the response."""
        seq = self.send(command, **arguments)
        while True:
            m = self.read()
            if m['type'] == 'response' and m['request_seq'] == seq:
                return m

    def body(self, command, **arguments):
        m = self.ask(command, **arguments)
        if not m['success']:
            raise AssertionError('%s: %s' % (command, m.get('message')))
        return m.get('body', {})

    def event(self, *names):
        """The next event of these names."""
        while True:
            for e in self.events:
                if e['event'] in names:
                    self.events.remove(e)
                    return e
            self.read()

    def start(self, **launch):
        self.body('initialize', adapterID='heddle', linesStartAt1=True, columnsStartAt1=True)
        self.body('launch', **launch)
        self.event('initialized')

    def leave(self):
        self.body('disconnect')
        self.p.stdin.close()
        code = self.p.wait(timeout=60)
        errors = self.p.stderr.read().decode()
        self.p.stdout.close()
        self.p.stderr.close()
        return code, errors

    def frame(self, thread):
        return self.body('stackTrace', threadId=thread)['stackFrames'][0]

    def scope(self, frame, name):
        scopes = self.body('scopes', frameId=frame['id'])['scopes']
        reference = [s['variablesReference'] for s in scopes if s['name'] == name][0]
        return {v['name']: v for v in self.body('variables', variablesReference=reference)['variables']}


SUMS = dict(program=SOURCE, kernel='sums', **{'global': [8], 'local': [4]},
            args=['f32[8]', 'f32[8]=range', 'i32=8', 'local[16]'])


def session():
    c = Client()
    able = c.body('initialize', adapterID='heddle')
    check('capabilities', able.get('supportsConfigurationDoneRequest') and able['exceptionBreakpointFilters'][0]['filter'] == 'defects', able)
    check('no threads yet', c.body('threads')['threads'] == [])
    check('too early', not c.ask('stackTrace', threadId=1)['success'])
    check('unknown request', not c.ask('frobnicate')['success'])
    c.body('launch', **SUMS)
    c.event('initialized')
    set_ = c.body('setBreakpoints', source={'path': SOURCE}, breakpoints=[{'line': 20}, {'line': 9, 'condition': '$gid.x == 2'}, {'line': 999}])['breakpoints']
    check('breakpoints', [b['verified'] for b in set_] == [True, True, False] and set_[0]['line'] == 20 and set_[0]['source']['path'] == SOURCE, set_)
    c.body('setExceptionBreakpoints', filters=['defects'])
    c.body('configurationDone')
    stop = c.event('stopped')['body']
    check('stops at the breakpoint', stop['reason'] == 'breakpoint' and stop['hitBreakpointIds'] == [set_[0]['id']] and stop['allThreadsStopped'], stop)
    threads = c.body('threads')['threads']
    check('threads are work-items', [t['name'] for t in threads] == ['work-item (%d, 0, 0)' % i for i in range(4)], threads)
    frame = c.frame(stop['threadId'])
    check('frame', frame['name'] == 'sums' and frame['line'] == 20 and frame['source']['path'] == SOURCE, frame)
    local = c.scope(frame, 'Locals')
    check('locals', local['i']['value'] == '0' and local['j']['value'] == '<no value>' and local['p']['variablesReference'] > 0, local)
    parts = c.body('variables', variablesReference=local['p']['variablesReference'])['variables']
    check('members', [p['value'] for p in parts] == ['0', '{1, 2, 3}'], parts)
    inner = c.body('variables', variablesReference=parts[1]['variablesReference'], start=1, count=2)['variables']
    check('elements', [p['name'] + p['value'] for p in inner] == ['[1]2', '[2]3'], inner)
    arguments = c.scope(frame, 'Arguments')
    check('arguments', arguments['n']['value'] == '8' and "'in'" in arguments['in']['value'], arguments)
    check('ids', any(name.startswith('%') for name in c.scope(frame, 'Ids')))
    item = c.scope(c.frame(3), 'Work-item')
    check('the work-item', item['global id']['value'] == '(2, 0, 0)' and item['state']['value'] == 'runs', item)
    check('evaluate', c.body('evaluate', expression='in[3] + 1', frameId=frame['id'])['result'] == '4')
    check('evaluate in hexadecimal', c.body('evaluate', expression='(uint)255', format={'hex': True})['result'] == '0xff')
    wrong = c.ask('evaluate', expression='nothing')
    check('evaluate nonsense', not wrong['success'] and 'nothing' in wrong['message'], wrong)
    scope = [x['variablesReference'] for x in c.body('scopes', frameId=frame['id'])['scopes'] if x['name'] == 'Locals'][0]
    check('a variable is set', c.body('setVariable', variablesReference=scope, name='i', value='n - 1')['value'] == '7' and
          c.body('evaluate', expression='i', frameId=frame['id'])['result'] == '7')
    c.body('setVariable', variablesReference=scope, name='i', value='0')
    check('an element is set', c.body('setVariable', variablesReference=parts[1]['variablesReference'], name='[1]', value='2.5')['value'] == '2.5' and
          c.body('evaluate', expression='p.m1[1]', frameId=frame['id'])['result'] == '2.5')
    check('an expression is set', c.body('setExpression', expression='p.m1[1]', value='2', frameId=frame['id'])['value'] == '2')
    wrong = c.ask('setVariable', variablesReference=scope, name='nothing', value='1')
    check('what is not there is not set', not wrong['success'] and 'nothing' in wrong['message'], wrong)
    memory = c.body('evaluate', expression='in[0]')['memoryReference']
    read = c.body('readMemory', memoryReference=memory, offset=4, count=100)
    check('memory', base64.b64decode(read['data'])[:8] == b'\0\0\x80?\0\0\0@' and read['unreadableBytes'] == 72, read)
    code = c.body('disassemble', memoryReference=frame['instructionPointerReference'], instructionOffset=-1, instructionCount=3)['instructions']
    check('instructions', len(code) == 3 and code[1]['address'] == frame['instructionPointerReference'], code)
    check('sources', [s.get('path') for s in c.body('loadedSources')['sources']] == [SOURCE])

    c.body('continue', threadId=1)
    stop = c.event('stopped')['body']
    check('condition', stop['threadId'] == 3 and c.body('evaluate', expression='$gid.x')['result'] == '2', stop)
    frames = c.body('stackTrace', threadId=3)['stackFrames']
    check('call stack', [f['name'] for f in frames] == ['twice', 'sums'] and frames[1]['line'] == 21, frames)
    check('the caller', c.body('evaluate', expression='sum', frameId=frames[1]['id'])['result'] == '0')
    c.body('next', threadId=3)
    c.event('stopped')
    check('next', c.frame(3)['line'] == 10)
    c.body('stepOut', threadId=3)
    check('step out', c.event('stopped')['body']['reason'] == 'step' and c.frame(3)['name'] == 'sums')
    at = c.frame(3)['instructionPointerReference']
    c.body('stepIn', threadId=3, granularity='instruction')
    c.event('stopped')
    check('one instruction', c.frame(3)['instructionPointerReference'] != at and c.frame(3)['line'] == 21)
    c.body('setBreakpoints', source={'path': SOURCE}, breakpoints=[])
    named = c.body('setFunctionBreakpoints', breakpoints=[{'name': 'twice', 'condition': '$gid.x == 6', 'hitCondition': '2'}])['breakpoints']
    c.body('continue', threadId=3)
    stop = c.event('stopped')['body']
    check('function breakpoint, second hit, next group', named[0]['verified'] and stop['threadId'] == 3 and
          c.body('threads')['threads'][2]['name'] == 'work-item (6, 0, 0)' and c.body('evaluate', expression='i')['result'] == '1', stop)
    c.body('setFunctionBreakpoints', breakpoints=[])
    stale = c.ask('variables', variablesReference=99999)
    check('a reference that is gone', not stale['success'])
    c.body('continue', threadId=3)
    check('exit code', c.event('exited')['body']['exitCode'] == 0)
    c.event('terminated')
    check('results are printed', '15, 21, 19, 17' in c.output, c.output)
    code, errors = c.leave()
    check('ends', code == 0 and errors == '', (code, errors))


def data_breakpoints():
    """Memory that is watched: who changed it, on a condition; memory of a work-group, and what is none."""
    c = Client()
    c.start(**SUMS)
    able = c.ask('initialize', adapterID='heddle')['body']
    check('data breakpoints', able.get('supportsDataBreakpoints'))
    check('none before the run', c.body('setDataBreakpoints', breakpoints=[])['breakpoints'] == [] and not c.ask('dataBreakpointInfo', name='n')['success'])
    line = dict(source={'path': SOURCE})
    c.body('setBreakpoints', breakpoints=[{'line': 20}], **line)
    c.body('configurationDone')
    thread = c.event('stopped')['body']['threadId']
    frame = c.frame(thread)
    out = c.body('dataBreakpointInfo', name='out[2]', frameId=frame['id'])
    check('memory by an expression', out['dataId'] and out['accessTypes'] == ['write'] and 'out[2], 4 bytes at 0x' in out['description'] and
          out['canPersist'] is False, out)
    local = c.scope(frame, 'Locals')
    part = c.body('dataBreakpointInfo', name='[1]', variablesReference=c.body('evaluate', expression='p.m1', frameId=frame['id'])['variablesReference'])
    check('memory by its place in a variable', part['dataId'] and part['dataId'] != out['dataId'] and '[1], 4 bytes' in part['description'], part)
    none = c.body('dataBreakpointInfo', name='3 + 4')
    check('what is no memory', none['dataId'] is None and 'only memory' in none['description'], none)
    check('what is nothing', not c.ask('dataBreakpointInfo', name='nothing')['success'] and not c.ask('dataBreakpointInfo')['success'] and
          not c.ask('dataBreakpointInfo', name='a', variablesReference=99999)['success'] and
          not c.ask('dataBreakpointInfo', name='nothing', variablesReference=local['p']['variablesReference'])['success'])
    wrong = c.body('setDataBreakpoints', breakpoints=[{'dataId': '99'}, {'dataId': 'x'}, {}])['breakpoints']
    check('no such memory', [b['verified'] for b in wrong] == [False] * 3 and 'dataId' in wrong[0]['message'], wrong)
    sum_ = c.body('dataBreakpointInfo', name='sum', frameId=frame['id'])
    other = c.body('dataBreakpointInfo', name='out[1]', frameId=frame['id'])
    set_ = c.body('setDataBreakpoints', breakpoints=[{'dataId': out['dataId'], 'accessType': 'write'}, {'dataId': sum_['dataId'], 'hitCondition': '2'},
                                                     {'dataId': other['dataId'], 'condition': '$gid.x != 1'}])['breakpoints']
    check('they are set', [b['verified'] for b in set_] == [True] * 3, set_)
    c.body('setBreakpoints', breakpoints=[], **line)
    c.body('continue', threadId=thread)
    stop = c.event('stopped')['body']
    check('private memory, second change', stop['reason'] == 'data breakpoint' and stop['threadId'] == 1 and stop['hitBreakpointIds'] == [set_[1]['id']] and
          c.body('evaluate', expression='sum', frameId=c.frame(1)['id'])['result'] == '6', stop)
    kept = [{'dataId': out['dataId']}, {'dataId': part['dataId']}, {'dataId': other['dataId'], 'condition': '$gid.x != 1'}]
    set_ = c.body('setDataBreakpoints', breakpoints=kept)['breakpoints']
    c.body('continue', threadId=1)
    stop = c.event('stopped')['body']
    check('the work-item that changed it; not where the condition is false', stop['threadId'] == 3 and stop['hitBreakpointIds'] == [set_[0]['id']] and
          c.body('evaluate', expression='out[2]', frameId=c.frame(3)['id'])['result'] == '19', stop)
    c.body('setBreakpoints', breakpoints=[{'line': 20}], **line)
    c.body('continue', threadId=3)
    gone = c.event('breakpoint', 'stopped')
    check('memory of a work-group goes with it', gone['event'] == 'breakpoint' and gone['body']['reason'] == 'removed' and
          gone['body']['breakpoint'] == {'id': set_[1]['id'], 'verified': False}, gone)
    c.event('stopped')
    set_ = c.body('setDataBreakpoints', breakpoints=kept)['breakpoints']
    check('it does not come back', [b['verified'] for b in set_] == [True, False, True] and 'work-group' in set_[1]['message'], set_)
    c.body('setBreakpoints', breakpoints=[], **line)
    c.body('continue', threadId=1)
    check('no other changes', c.event('stopped', 'exited')['event'] == 'exited')
    code, errors = c.leave()
    check('watching ends', code == 0 and errors == '', (code, errors))


def defects():
    c = Client()
    c.start(program='sums.cl', kernel='outside', **{'global': 8}, args=['i32[8]'], stopOnEntry=True)
    c.body('configurationDone')
    check('stop on entry', c.event('stopped')['body']['reason'] == 'entry' and c.frame(1)['name'] == 'outside')
    c.body('continue', threadId=1)
    stop = c.event('stopped')['body']
    check('stop at a defect', stop['reason'] == 'exception' and stop['description'] == 'check.out-of-bounds' and stop['threadId'] == 5, stop)
    info = c.body('exceptionInfo', threadId=5)
    check('what it is', info['exceptionId'] == 'check.out-of-bounds' and 'hint' in info['description'], info)
    c.body('continue', threadId=5)
    check('defects are the exit code', c.event('exited')['body']['exitCode'] == 1)
    c.event('terminated')
    check('the report is printed', 'check.out-of-bounds' in c.output)
    c.leave()
    c = Client()
    c.start(program='sums.cl', kernel='outside', **{'global': 8}, args=['i32[8]'])
    c.body('setExceptionBreakpoints', filters=[])
    c.body('configurationDone')
    check('defects may be passed', c.event('stopped', 'exited')['event'] == 'exited')
    c.leave()


def assembly():
    c = Client()
    c.start(program='script.spvasm', **{'global': [4]}, args=['u32[4]'])
    path = os.path.join(here, 'script.spvasm')
    b = c.body('setBreakpoints', source={'path': path}, breakpoints=[{'line': 29}])['breakpoints']
    c.body('configurationDone')
    stop = c.event('stopped')['body']
    frame = c.frame(stop['threadId'])
    check('a module is its own source', b[0]['verified'] and frame['line'] == 29 and frame['source'].get('path') == path, frame)
    check('values of ids', c.scope(frame, 'Ids')['%sum']['value'] == '3')
    code, _ = c.leave()
    check('leaving ends the run', code == 0)


def shader():
    c = Client()
    c.start(program='../shaders/debug_values.spvasm', groups=[1], bind={'0.0': 'f32[8]=range', '0.1': 'f32[4]=zeros'}, options=['--env', 'universal1.5', '--no-print'])
    b = c.body('setBreakpoints', source={'path': 'dbg.slang'}, breakpoints=[{'line': 13, 'condition': 'p.pos.x == 4'}])['breakpoints']
    c.body('configurationDone')
    stop = c.event('stopped')['body']
    frame = c.frame(stop['threadId'])
    threads = [t['name'] for t in c.ask('threads')['body']['threads']]
    item = c.scope(frame, 'Invocation')
    check('threads of a shader are invocations', threads[0] == 'invocation (0, 0, 0)' and 'subgroup' in item, (threads, item))
    check('a shader stops in its source', b[0]['verified'] and frame['line'] == 13 and frame['name'] == 'main', (b, frame))
    check('in an invocation that the condition chose', stop['threadId'] == 2, stop)
    shown = {e: c.ask('evaluate', expression=e, frameId=frame['id'])['body'].get('result') for e in ('p.pos.xy', 'p.pos.yxx', 'p.w[1]', 'points[0].pos.g', 'SV_GroupThreadID.xy', 'gl_NumWorkGroups')}
    check('values of a shader', shown == {'p.pos.xy': '(4, 5)', 'p.pos.yxx': '(5, 4, 4)', 'p.w[1]': '7', 'points[0].pos.g': '1', 'SV_GroupThreadID.xy': '(1, 0)',
                                            'gl_NumWorkGroups': '(1, 1, 1)'}, shown)
    c.leave()
    c = Client()
    c.start(program='../shaders/entries.spvasm', shader='second', groups=1, bind=['0.1=u32[4]=range:5'])
    c.body('configurationDone')
    c.event('terminated')
    check('an entry point by name', 'u32[4] = 1084227584, 105, 0, 8' in c.output, c.output)
    c.leave()
    c = Client()
    c.body('initialize', adapterID='heddle')
    m = c.ask('launch', program='../shaders/sizes.spvasm', groups=[2], bind={'0.0': 'u32[20]=zeros'}, spec={'0': '5000'})
    check('specialisation constants', not m['success'] and 'local size of 5000' in m['message'], m)
    c.leave()
    c = Client()
    c.body('initialize', adapterID='heddle')
    m = c.ask('launch', program='../shaders/bindings.spvasm', groups=[2], push=['u32=1', 'what'])
    check('push constants', not m['success'] and 'what' in m['message'], m)
    c.leave()


def pause():
    c = Client()
    c.start(program='sums.cl', kernel='forever', **{'global': [4]}, args=['i32[4]'])
    c.body('configurationDone')
    check('runs', c.ask('evaluate', expression='1')['success'] is False)
    c.body('pause', threadId=1)
    stop = c.event('stopped')['body']
    check('pause', stop['reason'] == 'pause' and c.frame(stop['threadId'])['name'] == 'forever', stop)
    c.body('continue', threadId=1)
    code, _ = c.leave()
    check('leaves while it runs', code is not None)


def mistakes():
    c = Client()
    c.body('initialize', adapterID='heddle')
    m = c.ask('launch', program='missing.cl', **{'global': [1]})
    check('a launch that fails says why', not m['success'] and 'missing.cl' in m['message'], m)
    c.event('terminated')
    c.leave()
    request = b'{"seq":1,"type":"request","command":"initialize"}'
    for what, text, why in [('no JSON', b'Content-Length: 3\r\n\r\nxyz', 'not JSON'), ('no length', b'Content-Type: x\r\n\r\n{}', 'no Content-Length'),
                            ('a negative length', b'Content-Length: -1\r\n\r\n{}', 'no Content-Length'),
                            ('a large length', b'Content-Length: 4294967298\r\n\r\n{}', 'no Content-Length'),
                            ('a short message', b'Content-Length: 9\r\n\r\n{}', 'within a message'), ('a command line', b'break 3', 'within the header'),
                            ('deep JSON', b'Content-Length: 100000\r\n\r\n' + b'[' * 100000, 'not JSON'), ('nothing', b'', None),
                            ('small letters', b'content-length:%d\r\n\r\n%s' % (len(request), request), None)]:
        c = Client()
        out, err = c.p.communicate(text, timeout=60)
        told = b'error: ' in out and why is not None and why.encode() in out
        check('%s ends the session' % what, c.p.returncode == (2 if why else 0) and told == (why is not None) and err == b'', (c.p.returncode, out, err))
    check('headers have no case', b'supportsConfigurationDoneRequest' in out, out)


assembly()
shader()
mistakes()
skipped = 0
if shutil.which('clang-22') is None:
    skipped = 1
else:
    session()
    data_breakpoints()
    defects()
    pause()
print('%d passed, %d failed, %d skipped' % (counts[True], counts[False], skipped))
