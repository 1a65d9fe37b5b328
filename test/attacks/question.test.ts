/**
 * Attacks on the question at the terminal: something forges it, answers it, or takes the answer. Each is tried on
 * `handrail run`, and works on a program that asks without any guard, or where nothing confines the attacker.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/pseudo-terminal.js';
import { MAIN } from '../cli/shell.js';

const QUESTION = 'Run it?';
const REFUSAL: readonly [string, string] = [QUESTION, '\n'];
/** The question at the start of a line, where no text of a command stands. What is typed before it does not count. */
const REAL_QUESTION = /\n\S*Run it\?/;
/** The output of what is asked about, after the question or on a line of its own. */
const RAN = /\s42\r?\n/;
const HANDRAIL = `"${process.execPath}" "${MAIN}" run`;
/** The policy leaves the code of an interpreter open. */
const OPEN = `${HANDRAIL} --allow node node -p 6*7`;

/** Asks whether a command may run, as one writes it in a line of shell. */
const ASKER =
  'printf \'%s\\n\' "$1"; printf \'Run it? [y/N] \'; read -r answer; case $answer in y*) eval "$1";; *) echo refused;; esac';

/** What a program does to the terminal that it finds: its own, and the one whose path it is given. */
const PROGRAMS = {
  answers:
    'for ("/dev/tty", @ARGV) { open(T, "+<", $_) or next; for my $key (split //, "y\\n") { ioctl(T, 0x5412, $key) } }',
  forges: 'for ("/dev/tty", @ARGV) { open(T, ">", $_) or next; syswrite T, "\\e[2JFOR" . "GED" }',
  takes:
    'exit if fork; for ("/dev/tty", @ARGV) { open(T, "<", $_) or next; my $line = <T>; ' +
    'open O, ">", "stolen"; print O "got $line"; exit }',
};

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-question-'));
  writeFileSync(at('asker'), ASKER);
  for (const [name, code] of Object.entries(PROGRAMS)) writeFileSync(at(name), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that attacks the terminal, confined by `handrail run` with these options. Undefined: not confined. */
function attacker(name: keyof typeof PROGRAMS, options: string | undefined): string {
  const handrail = options === undefined ? '' : `${HANDRAIL} --quiet --allow perl --trust perl ${options} `;
  return `cd '${folder}'; ${handrail}perl ${name} "$(tty)"`;
}

const naive = (command: string): string => `sh '${at('asker')}' '${command}'`;
const CONFINED = ['--root .', '--root . --network none', '--root . --exec any'];

describe('an attack on the question', () => {
  it.concurrent('by controls in the command forges the screen of a program that prints it', async () => {
    const command = `"$(printf '\\033[2J\\033[1;1Hls -l\\nRun it? [y/N] ')"`;
    const asked = await atTerminal(`${HANDRAIL} --allow node node -p ${command}`, [REAL_QUESTION, '\n']);
    expect(asked.shown).not.toContain('\u001b[2J');
    const unguarded = await atTerminal(`sh '${at('asker')}' ${command}`, REFUSAL);
    expect(unguarded.shown).toContain('\u001b[2J\u001b[1;1Hls -l');
  });

  it.concurrent('by the output of a command that was allowed', async () => {
    const print = `printf '\\033[2J%s%s [y/N] ' FOR GED`;
    const guarded = await atTerminal(`${HANDRAIL} --allow printf ${print}`);
    expect(guarded.shown).toContain('FORGED [y/N]');
    expect(guarded.shown).not.toContain('\u001b[2J');
    expect((await atTerminal(print)).shown).toContain('\u001b[2JFORGED [y/N]');
  });

  it.concurrent('by a standard input that says yes to everything', async () => {
    const asked = await atTerminal(`yes | ${OPEN}`, REFUSAL);
    expect(asked.code).toBe(123);
    expect((await atTerminal(`yes | ${naive('expr 6 \\* 7')}`)).shown).toMatch(RAN);
  });

  it.concurrent('by a standard input where there is no terminal', async () => {
    const asked = await atTerminal(`yes | setsid -w ${OPEN}`);
    expect(asked.shown).toContain('Nobody was asked: there is no terminal.');
    expect(asked.shown).not.toMatch(RAN);
    expect((await atTerminal(`yes | setsid -w ${naive('expr 6 \\* 7')}`)).shown).toMatch(RAN);
  });

  it.concurrent('by an earlier command that writes to the terminal', async () => {
    for (const options of CONFINED) {
      expect((await atTerminal(attacker('forges', options))).shown, options).not.toContain('FORGED');
    }
    expect((await atTerminal(attacker('forges', undefined))).shown).toContain('\u001b[2JFORGED');
  });

  it.concurrent('by an earlier command that types the answer', async () => {
    const question = naive('expr 6 \\* 7');
    for (const options of [...CONFINED, '--writes any']) {
      const { shown } = await atTerminal(`${attacker('answers', options)}; ${question}`, REFUSAL);
      expect(shown, options).toContain('refused');
    }
    // A question of `handrail run` does not take it, even from a program that nothing confines.
    expect((await atTerminal(`${attacker('answers', undefined)}; ${OPEN}`, REFUSAL)).code).toBe(123);
    // The kernel may keep other users than root from typing for somebody.
    const mayType = process.getuid?.() === 0 || readFileSync('/proc/sys/dev/tty/legacy_tiocsti', 'utf8') === '1\n';
    const unguarded = await atTerminal(`${attacker('answers', undefined)}; ${question}`, ...(mayType ? [] : [REFUSAL]));
    expect(unguarded.shown).toMatch(mayType ? RAN : /refused/);
  });

  it.concurrent('by a child of an earlier command that takes what is typed', async () => {
    for (const options of CONFINED) {
      const { shown } = await atTerminal(`${attacker('takes', options)}; ${naive('expr 6 \\* 7')}`, [QUESTION, 'y\n']);
      expect(shown, options).toMatch(RAN);
      expect(existsSync(at('stolen')), options).toBe(false);
    }
    const wait = 'echo ready; while ! test -s stolen; do sleep 0.05; done';
    await atTerminal(`${attacker('takes', undefined)}; ${wait}`, ['ready', 'y\n']);
    expect(readFileSync(at('stolen'), 'utf8')).toBe('got y\n');
  });
});
