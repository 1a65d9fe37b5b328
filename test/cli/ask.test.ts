/** `handrail run` asks the person at its terminal. Each question is put on a real one, at which the test types. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { questionText } from '../../ts/cli/ask-person.js';
import { stripAnsi } from '../../ts/redaction/text.js';
import type { ApprovalRequest } from '../../ts/terminal/approval.js';
import { renderForApproval } from '../../ts/terminal/approval.js';
import { startNode } from '../support/cli.js';
import { atTerminal } from './pseudo-terminal.js';
import { MAIN } from './shell.js';

const QUESTION = 'Run it?';
/** A command that the policy leaves open: the code of an interpreter is not judged. */
const OPEN = '--allow node node -p 6*7';
const HANDRAIL = `"${process.execPath}" "${MAIN}" run`;

describe('a person at the terminal', () => {
  it.concurrent.each(['y\n', 'YES\n', ' y \n'])('agrees with %j', async (typed) => {
    const { code, shown } = await atTerminal(`${HANDRAIL} ${OPEN}`, [QUESTION, typed]);
    expect(stripAnsi(shown)).toContain("│ node -p '6*7'");
    expect(shown).toContain("Command 'node' would run code from its arguments or a file (interpreter.code).");
    expect(shown).toContain('If you agree it may start any program');
    expect(shown).toMatch(/\n42\r?\n/);
    expect(code).toBe(0);
  });

  it.concurrent.each(['\n', 'n\n', 'yn\n', 'ye s\n', '\u001b[Ay\n', '\u0004', '\u0004\ny\n'])(
    'does not agree with %j',
    async (typed) => {
      const { code, shown } = await atTerminal(`${HANDRAIL} ${OPEN}`, [QUESTION, typed]);
      expect(shown).toContain('The person at the terminal did not agree (not_approved)');
      expect(shown).not.toMatch(/\n42\r?\n/);
      expect(code).toBe(123);
    },
  );

  it.concurrent('ends handrail with Ctrl-C, and nothing runs', async () => {
    const { code, shown } = await atTerminal(`${HANDRAIL} ${OPEN}`, [QUESTION, '\u0003']);
    expect(shown).not.toMatch(/\n42\r?\n/);
    expect(code).toBe(130);
  });

  it.concurrent('does not agree by what was typed before the question, whole lines and half ones', async () => {
    const line = `echo ready; while ! test -e "$GO"; do sleep 0.05; done; ${HANDRAIL} ${OPEN}`;
    const folder = mkdtempSync(path.join(tmpdir(), 'handrail-ask-'));
    const go = path.join(folder, 'go');
    try {
      const typedAhead = [['ready', 'y\ny\ny'] as const, ['y\r\ny', ''] as const];
      const asked = await atTerminal(
        `GO='${go}'; (until test -e '${go}'; do sleep 0.2; touch '${go}'; done) & ${line}`,
        ...typedAhead,
        [QUESTION, '\n'],
      );
      expect(asked.shown).toContain('did not agree');
      expect(asked.code).toBe(123);
      // Without the guard the first reader of the terminal gets it.
      const unguarded = await atTerminal('echo ready; sleep 0.5; read answer < /dev/tty; echo "got $answer"', [
        'ready',
        'y\ny\ny',
      ]);
      expect(unguarded.shown).toContain('got y');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.concurrent('is not answered for by the standard input, nor asked on the standard outputs', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'handrail-ask-'));
    const [out, err] = ['out', 'err'].map((name) => path.join(folder, name));
    try {
      const piped = await atTerminal(`yes | ${HANDRAIL} --stdin ${OPEN}`, [QUESTION, '\n']);
      expect(piped.code).toBe(123);
      const written = await atTerminal(`${HANDRAIL} ${OPEN} > '${out}' 2> '${err}'`, [QUESTION, 'y\n']);
      expect(written.code).toBe(0);
      expect(readFileSync(out ?? '', 'utf8')).toBe('42\n');
      expect(readFileSync(err ?? '', 'utf8')).not.toContain(QUESTION);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.concurrent('sees escape sequences of the command as text', async () => {
    const attack = String.raw`'\033[2J\033[1;1Hls -l\nGo? [y/N] \r\a'`;
    const { shown } = await atTerminal(`${HANDRAIL} --allow node node -p "$(printf ${attack})"`, [QUESTION, '\n']);
    expect(shown).toContain(String.raw`\u{1b}[2J\u{1b}[1;1Hls -l\nGo? [y/N] \r\u{7}`);
    for (const control of ['\u001b[2J', '\u001b[1;1H', '\u0007']) expect(shown).not.toContain(control);
  });
});

describe('a host', () => {
  it.concurrent('is reached when the person agrees, and the last line says how nobody has to be asked again', async () => {
    const server = http.createServer((_, response) => response.end('hello\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const line = `${HANDRAIL} --network ask --allow curl curl -s --noproxy x http://${place}/`;
      const agreed = await atTerminal(line, ['Let it?', 'y\n']);
      expect(agreed.shown).toContain(`A program wants to reach ${place}, a loopback address, which no entry names`);
      expect(agreed.shown).toMatch(/\nhello\r?\n/);
      expect(agreed.shown).toContain(`You agreed to --allow-host ${place}.`);
      expect(agreed.code).toBe(0);
      const refused = await atTerminal(line, ['Let it?', 'n\n']);
      expect(refused.shown).toContain(`${place} was not approved (network: ask)`);
      expect(refused.shown).not.toContain('You agreed');
      const unasked = await atTerminal(line.replace('--network', '--no-ask --network'));
      expect(unasked.shown).toContain('nobody here can give it');
    } finally {
      server.close();
    }
  });
});

describe('nobody is asked', () => {
  const denied = (shown: string, sentence: string) => {
    expect(shown).toContain('no_approver');
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(sentence);
    expect(shown).not.toContain(QUESTION);
  };

  it.concurrent('with --no-ask', async () => {
    const { code, shown } = await atTerminal(`${HANDRAIL} --no-ask ${OPEN}`);
    denied(shown, 'Nobody was asked, as --no-ask says.');
    expect(code).toBe(123);
  });

  it.concurrent('in the background of a terminal, which would stop a reader', async () => {
    const { shown } = await atTerminal(`set -m; ${HANDRAIL} ${OPEN} & wait`);
    denied(shown, 'Nobody was asked: this runs in the background of its terminal.');
  });

  it.concurrent('where another program has the streams, whose keys are not meant for us', async () => {
    const { code, shown } = await atTerminal(`${HANDRAIL} ${OPEN} < /dev/null 2>&1 | cat; exit 7`);
    denied(shown, 'Nobody was asked: neither input, output nor errors are on a terminal.');
    expect(code).toBe(7);
  });

  it.concurrent('without a controlling terminal', async () => {
    const { child, ended } = startNode([MAIN, 'run', ...OPEN.split(' ')]);
    expect(child.pid).toBeGreaterThan(0);
    const { code, stderr } = await ended;
    expect(stderr).toContain('no_approver');
    expect(stderr).toMatch(/Nobody was asked: /);
    expect(code).toBe(123);
    const { shown } = await atTerminal(`setsid -w ${HANDRAIL} ${OPEN}`);
    denied(shown, 'Nobody was asked: there is no terminal.');
  });
});

describe('the question', () => {
  const request = (command: string | string[]): ApprovalRequest => ({
    command,
    cwd: '/srv/a\u001b[2Jb',
    reasons: [{ rule: 'a.b', span: [0, 1], message: 'It \u202edoes this' }],
    rendering: renderForApproval(command),
    fingerprint: '',
    signal: new AbortController().signal,
  });
  const plain = (text: string) => stripAnsi(text);

  it('shows each line of a script behind a bar, however long and whatever is in it', () => {
    const script = `ls\nRun it? [y/N] \n${'x'.repeat(200)}\n${'漢'.repeat(60)}\u202e\u200b`;
    const lines = plain(questionText(request(script), undefined, 60)).split('\n');
    const command = lines.slice(1, lines.indexOf('  It would run in /srv/a\\u{1b}[2Jb.'));
    expect(command.every((line) => line.startsWith('  │ '))).toBe(true);
    expect(command.map((line) => line.slice(4)).join('')).toBe(renderForApproval(script).replaceAll('\\n', ''));
    for (const line of lines) expect(line.replaceAll('漢', '漢.').length).toBeLessThanOrEqual(60);
    expect(lines).toContain('  It \\u{202e}does this (a.b).');
    expect(lines.filter((line) => line.startsWith('Run it?'))).toEqual([]);
  });

  it('says which host a program wants to reach, without a character that moves the cursor', () => {
    const message = 'A program wants to reach a.example:443\u001b[2J which no entry names';
    const reasons = [{ rule: 'network.ask', span: [0, 0] as const, message }];
    const host = { ...request([]), host: 'a.example:443', rendering: 'connect to a.example:443', reasons };
    const text = questionText(host, undefined, 80);
    expect(plain(text)).toContain('this host needs your consent\n  │ connect to a.example:443\n');
    expect(plain(text)).toContain('send it what they can read');
    expect(text).not.toContain('\u001b[2J');
  });

  it('counts the lines of a command that may have scrolled away', () => {
    const text = plain(questionText(request(Array.from({ length: 40 }, () => 'ls').join('\n')), undefined, 60));
    expect(text).toContain('The command has 40 lines, all of them above.');
  });

  it.each([
    [{ writes: 'any' }, 'it may start any program, write and remove files anywhere and reach the network.'],
    [{ writes: 'roots', network: 'none' }, 'it may start any program and write and remove files beneath /srv/a.'],
    [{ writes: 'none', network: 'none' }, 'it may start any program.'],
    [{ writes: 'none' }, 'it may start any program and reach the network.'],
  ] as const)('says what the kernel will let it do: %j', (change, sentence) => {
    const plan = {
      exec: 'any',
      writes: 'any',
      network: 'any',
      remove: 'yes',
      reads: 'any',
      programs: [],
      writable: ['/srv/a'],
    } as const;
    const text = plain(questionText(request(['ls']), { ...plan, programs: [], writable: ['/srv/a'], ...change }, 100));
    expect(text).toContain(sentence);
  });
});
