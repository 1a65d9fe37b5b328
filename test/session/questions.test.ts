/** Lines that programs read without echo: who is told, who may answer, and what is shown of the answer. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionQuestion, Toolkit } from '../../ts/index.js';
import type { Session } from '../../ts/session/session.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited, workspace } = toolkits();

const WORD = 'tulip-garden-9x';
const BASH = { args: ['--norc', '--noprofile'], env: { set: { PS1: '$ ' } } } as const;

/** The questions of a toolkit, from now on. */
function heard(toolkit: Toolkit): SessionQuestion[] {
  const questions: SessionQuestion[] = [];
  toolkit.on('question', (question) => questions.push(question));
  return questions;
}

async function opened(): Promise<{ toolkit: Toolkit; questions: SessionQuestion[]; bash: Session }> {
  const toolkit = await make({});
  const questions = heard(toolkit);
  const bash = await toolkit.sessions.open('bash', BASH);
  await bash.read();
  return { toolkit, questions, bash };
}

/** The question that a line in bash leads to. */
async function asked(bash: Session, line: string): Promise<SessionQuestion> {
  const { question } = await bash.send(line);
  expect(question).toMatch(/^q\d+$/);
  expect(bash.question?.id).toBe(question);
  return bash.question as SessionQuestion;
}

describe('a program that turns the echo off', () => {
  it('asks a question, which is told with the word of the kernel on who asks', async () => {
    const { questions, bash } = await opened();
    const question = await asked(bash, `echo first; read -rsp "[sudo] password for root: " word`);
    expect(questions).toEqual([question]);
    expect(question).toMatchObject({ prompt: '[sudo] password for root: ', name: undefined, caller: undefined });
    expect(question.program).toMatch(/\/bash$/);
    expect(question.command).toBe('bash --norc --noprofile');
    // Another read finds the same question.
    expect((await bash.read()).question).toBe(question.id);
    expect(await question.session.sendSecret(question.id, WORD)).toEqual({ masked: true });
    expect(bash.question).toBeUndefined();
    expect((await bash.read()).question).toBeUndefined();
    expect((await bash.send('printf %s "$word" | wc -c')).text).toContain(String(WORD.length));
    expect(questions).toHaveLength(1);
  });

  it('is told by getpass of Python too, on the terminal that it opens itself', async () => {
    const toolkit = await make({});
    const questions = heard(toolkit);
    const code = 'import getpass; word = getpass.getpass("Key: "); print("got", word)';
    const session = await toolkit.sessions.open('python3', { args: ['-c', code] });
    toolkit.on('question', ({ id }) => session.sendSecret(id, async () => WORD));
    expect(await session.read()).toMatchObject({ text: 'Key: ', question: questions[0]?.id });
    expect(await session.read()).toMatchObject({ reason: 'exited', text: '\ngot [REDACTED]\n', redactions: 1 });
  });

  it('is no question at the prompt of a shell, for a line that is shown, or where nobody listened at the start', async () => {
    const { questions, bash } = await opened();
    await bash.send('stty -echo');
    expect((await bash.send('echo here')).question).toBeUndefined();
    await bash.send('stty echo');
    const shown = await bash.send('read -rp "Name: " name');
    expect(shown).toMatchObject({ text: 'Name: ' });
    expect(shown.question).toBeUndefined();
    await bash.close();
    expect(questions).toEqual([]);
    const toolkit = await make({});
    const before = await toolkit.sessions.open('bash', BASH);
    heard(toolkit);
    await before.read();
    expect((await before.send('read -rsp "Password: " word')).question).toBeUndefined();
  });

  it('hides no answer of other lines: what is typed is echoed, and in no answer', async () => {
    const { bash } = await opened();
    expect((await bash.send('echo hi')).text).toBe('hi\n$ ');
    expect((await bash.send('cat')).text).toBe('');
    expect((await bash.send('line')).text).toBe('line\n');
    expect(bash.history().text).toContain('echo hi\nhi\n');
  });
});

describe('an answer', () => {
  it('is taken once, and only for a question that stands', async () => {
    const { bash } = await opened();
    const { id } = await asked(bash, 'read -rs first; read -rs second; echo "$first, $second"');
    const over = { code: 'ERR_CLOSED' };
    await expect(bash.sendSecret('q0', WORD)).rejects.toMatchObject(over);
    await expect(bash.sendSecret(1 as never, WORD)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    for (const value of ['', 'a\nb', 'a\u0003', '\u001b', 'x'.repeat(1_025), 7 as never]) {
      await expect(bash.sendSecret(id, value)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    }
    const failing = bash.sendSecret(id, () => Promise.reject(new Error('nobody there')));
    await expect(failing).rejects.toThrow('nobody there');
    let type = (_: string): void => undefined;
    const slow = bash.sendSecret(id, () => new Promise<string>((resolve) => (type = resolve)));
    await expect(bash.sendSecret(id, WORD)).rejects.toMatchObject({ code: 'ERR_BUSY' });
    type(WORD);
    await slow;
    await expect(bash.sendSecret(id, 'another-word-8')).rejects.toMatchObject(over);
    const { question } = await bash.read();
    expect(question).not.toBe(id);
    // Too short to be masked: the result says so.
    expect(await bash.sendSecret(question as string, '1234')).toEqual({ masked: false });
    expect((await bash.read()).text).toBe('[REDACTED], 1234\n$ ');
    await bash.close();
    await expect(bash.sendSecret(question as string, WORD)).rejects.toMatchObject(over);
  });

  it('does not follow what was typed ahead', async () => {
    const { bash } = await opened();
    const { id } = await asked(bash, 'read -rs word; [ "$word" = tulip-garden-9x ] && echo equal');
    await bash.write('half');
    await bash.sendSecret(id, WORD);
    expect((await bash.read()).text).toBe('equal\n$ ');
  });

  it('is masked where a program prints it, in the forms in which known values are', async () => {
    const { toolkit, bash } = await opened();
    const { id } = await asked(bash, 'read -rs word');
    await bash.sendSecret(id, WORD);
    await bash.read();
    await bash.send('head=$(printf %s "$word" | cut -c-7); tail=$(printf %s "$word" | cut -c8-)');
    const shown = async (line: string) => (await bash.send(line)).text;
    expect(await shown('echo "a $word b"')).toBe('a [REDACTED] b\n$ ');
    expect(await shown('printf %s "$head"; sleep 0.3; echo "$tail"')).toBe('[REDACTED]\n$ ');
    expect(await shown('echo "$head"; echo "$tail"')).not.toContain('garden');
    expect(await shown('printf %s "$word" | base64')).not.toContain(Buffer.from(WORD).toString('base64').slice(4, 16));
    expect(await shown('printf %s "$word" | od -An -tx1 | tr -d " "')).not.toContain('67617264656e');
    // What is not: the program that was given the value can always write it in a way that nobody searches for.
    expect(await shown('printf %s "$word" | rev; echo')).toContain('nedrag');
    expect(await shown('printf %s "$word" | tr a-z A-Z; echo')).toContain('GARDEN');
    const everything = [bash.history().text, bash.screen().text, toolkit.redactor.redact(WORD)].join('\n');
    expect(everything).not.toContain('tulip');
    expect(everything).not.toContain('garden-9x');
  });
});

/** A program that asks, and at SIGUSR1 does something else with the answer, before it makes a file to say so. */
const thief = (change: string, file: string) =>
  [
    'import os, signal, termios',
    'signal.signal(signal.SIGTTOU, signal.SIG_IGN)',
    'def echo(on):',
    '    modes = termios.tcgetattr(0)',
    '    modes[3] = modes[3] | termios.ECHO if on else modes[3] & ~termios.ECHO',
    '    termios.tcsetattr(0, termios.TCSANOW, modes)',
    'def take():',
    '    print("got", len(os.read(0, 4096)) - 1, flush=True)',
    'def change(*_):',
    ...change.split('\n').map((line) => `    ${line}`),
    'def done():',
    `    open(${JSON.stringify(file)}, "w").close()`,
    'signal.signal(signal.SIGUSR1, change)',
    'echo(False)',
    'print("Password: ", end="", flush=True)',
    'take()',
  ].join('\n');

describe('a program that wants the answer to the question of another', () => {
  const attacks = {
    'with the echo on again, without a word': 'echo(True)\ndone()',
    'with the echo off again, without a word': 'echo(True)\necho(False)\ndone()',
    'with another question': 'print("for the thief: ", end="", flush=True)\ndone()',
    'in a child of the same group, without a word': 'if os.fork() == 0:\n    done()\n    take()\nos.wait()',
    'in another process group, without a word':
      'if os.fork() == 0:\n    os.setpgid(0, 0)\n    os.tcsetpgrp(0, os.getpid())\n    done()\n    take()\nos.wait()',
    'after an exec of another program, without a word':
      'done()\nos.execlp("python3", "python3", "-c", "print(\'got\', len(input()), flush=True)")',
  };

  /** The length of the answer that the thief got to a question that another program had asked. */
  async function stolen(change: string, answer: (session: Session, id: string) => Promise<unknown>) {
    const toolkit = await make({});
    const questions = heard(toolkit);
    const file = path.join(workspace, `changed-${randomUUID()}`);
    const session = await toolkit.sessions.open('python3', { args: ['-c', thief(change, file)] });
    await session.read();
    const [asking] = questions as [SessionQuestion];
    expect(asking).toMatchObject({ prompt: 'Password: ' });
    session.signal('SIGUSR1');
    await expect.poll(() => existsSync(file)).toBe(true);
    await answer(session, asking.id);
    const { text } = await session.read({ until: { text: 'got ' } });
    await session.close();
    return Number(/got (\d+)/.exec(text)?.[1]);
  }

  for (const [name, change] of Object.entries(attacks)) {
    it(`does not get it ${name}`, async () => {
      const guarded = await stolen(change, async (session, id) => {
        const refused = session.sendSecret(id, WORD);
        await expect(refused).rejects.toMatchObject({ code: 'ERR_CLOSED', message: expect.stringContaining('typed') });
        await session.write('\n');
      });
      expect(guarded).toBe(0);
      // Without the guard it does.
      expect(await stolen(change, (session) => session.write(`${WORD}\n`))).toBe(WORD.length);
    });
  }
});

describe('a model', () => {
  const OPTIONS = { terminal: { allow: ['bash', 'read', 'echo', 'sleep'], shell: 'bash' } } as const;
  const CALLER = { caller: 'agent-7' };
  const call = (toolkit: Toolkit, name: string, args: object) =>
    toolkit.execute(name, { session: 's1', ...args }, CALLER);

  it('learns that a person was asked, types nothing into the question, and waits for the answer', async () => {
    const { toolkit, records } = await audited(OPTIONS);
    const questions = heard(toolkit);
    await toolkit.execute('session_start', { command: 'bash' }, CALLER);
    const first = await call(toolkit, 'session_send', { input: 'read -rsp "Password: " word; echo "got $word"' });
    expect(first).toMatchObject({ isError: false, data: { personAsked: true } });
    expect(first.content).toContain(
      '[s1 reads a line without showing it, such as a password: only a person can give it',
    );
    expect(questions).toMatchObject([{ name: 's1', caller: 'agent-7', prompt: 'Password: ' }]);
    const [{ id, session }] = questions as [SessionQuestion];
    const guess = await call(toolkit, 'session_send', { input: 'hunter-of-words' });
    expect(guess).toMatchObject({ isError: true, data: { output: { sent: false } } });
    expect(guess.content).toContain('and was sent nothing');
    for (const key of ['a', 'enter', 'ctrl-x']) {
      const pressed = await call(toolkit, 'session_send', { key });
      expect(pressed.isError).toBe(true);
      expect(pressed.content).toContain('ctrl-c');
    }
    const withId = await call(toolkit, 'session_send', { input: 'x', question: id });
    expect(withId.content).toContain('question');
    expect(withId.isError).toBe(true);
    const waiting = call(toolkit, 'session_read', {});
    await session.sendSecret(id, WORD);
    expect((await waiting).content).toContain('got [REDACTED]');
    expect(JSON.stringify(records)).not.toContain(WORD);
    expect(questions).toHaveLength(1);
  });

  it('cannot have typed its guess ahead of the question, and gives up with a key', async () => {
    const { toolkit } = await audited(OPTIONS);
    const questions = heard(toolkit);
    await toolkit.execute('session_start', { command: 'bash' }, CALLER);
    const slow = 'sleep 0.5; read -rsp "Password: " word; echo "got $word"';
    await call(toolkit, 'session_send', { input: slow, timeout_ms: 50 });
    const ahead = await call(toolkit, 'session_send', { input: 'echo hunter' });
    expect(ahead).toMatchObject({ isError: true, data: { output: { sent: false } } });
    const late = await call(toolkit, 'session_read', { timeout_ms: 100 });
    expect(late).toMatchObject({ data: { personAsked: true } });
    expect(questions).toHaveLength(1);
    const given = await call(toolkit, 'session_send', { key: 'ctrl-c' });
    expect(given.content).not.toContain('without showing it');
    expect((await call(toolkit, 'session_send', { input: 'echo done' })).content).toContain('done');
  });

  it('is told where nobody listens any more, and may type then', async () => {
    const { toolkit } = await audited(OPTIONS);
    const listener = (): void => undefined;
    toolkit.on('question', listener);
    await toolkit.execute('session_start', { command: 'bash' }, CALLER);
    toolkit.off('question', listener);
    const read = await call(toolkit, 'session_send', { input: 'read -rsp "Password: " word; echo "got $word"' });
    expect(read).toMatchObject({ data: { personAsked: false } });
    expect(read.content).toContain('nobody listens who could give it');
    expect((await call(toolkit, 'session_send', { input: 'echo' })).content).toContain('got echo');
  });
});
