/** What is said about secrets: errors, inspections, decisions, audit records and the command line's messages. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';

import { type AuditRecord, createToolkit, Redactor, type RedactorOptions, Terminal } from '../../ts/index.js';
import { MAIN } from '../cli/shell.js';
import { startNode } from '../support/cli.js';

/** Not in this file as it stands, and too long to stand in a message by chance. */
const SECRET = ['Zq7', 'horse', 'battery', '4417'].join('-');

/** All that a host could print of an error. */
function everything(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return [inspect(error, { depth: 8, showHidden: true }), String(error), JSON.stringify(error), String(cause)].join(
    '\n',
  );
}

function failureOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return expect.unreachable();
}

describe('nothing shows a secret', () => {
  test.each<[string, () => unknown]>([
    ['a value that is too short', () => new Redactor({ secrets: { NAME: SECRET }, minSecretLength: 100 })],
    ['a value among others that are wrong', () => new Redactor({ secrets: [SECRET, ''] })],
    ['a record in which one is no string', () => new Redactor({ secrets: { A: SECRET, B: 7 as never } })],
    ['a pattern that is none', () => new Redactor({ patterns: [`(${SECRET}`] })],
    ['a substring that is none', () => new Redactor({ substrings: [`${SECRET}\n`] })],
    ['an unknown key', () => new Redactor({ [SECRET]: 1 } as RedactorOptions)],
    ['a list where text belongs', () => new Redactor().redact([SECRET] as never)],
    [
      'addSecret with a value that is too short',
      () => new Redactor({ minSecretLength: 100 }).addSecret('NAME', SECRET),
    ],
    ['addSecret with a list', () => new Redactor().addSecret('NAME', [SECRET] as never)],
  ])('in an error: %s', (_name, action) => {
    const error = failureOf(action);
    expect(error).toMatchObject({ code: expect.stringMatching(/^ERR_INVALID_/) });
    expect(everything(error)).not.toContain(SECRET);
  });

  test('in what a redactor, its streams and its findings look like', () => {
    const redactor = new Redactor({ secrets: { NAME: SECRET } });
    redactor.addSecret('OTHER', `${SECRET}-2`);
    const stream = redactor.stream();
    stream.write(`the ${SECRET}`);
    const shown = [redactor, stream, redactor.transform(), redactor.scan(SECRET), stream.counts];
    for (const value of shown) {
      expect(inspect(value, { depth: 8, showHidden: true })).not.toContain(SECRET);
      expect(Object.keys(value).join()).not.toContain(SECRET);
    }
  });

  test('in decisions, refusals, results and audit records', async () => {
    const redactor = new Redactor();
    redactor.addSecret('LATE', SECRET);
    await using terminal = new Terminal({ allow: ['echo'], redactor });
    const said = [
      terminal.explain(['echo', SECRET]),
      terminal.explain(`rm ${SECRET}`),
      await terminal.run(['echo', SECRET]),
      await terminal.run(['cat', SECRET]),
    ];
    const records: AuditRecord[] = [];
    await using toolkit = await createToolkit({
      workspace: process.cwd(),
      terminal: { allow: ['echo'] },
      redaction: redactor,
    });
    toolkit.on('call', (record) => records.push(record));
    for (const command of [`echo ${SECRET}`, `cat ${SECRET}`, `echo "${SECRET}`]) {
      said.push((await toolkit.execute('terminal_run', { command })) as never);
    }
    expect(records).toHaveLength(3);
    expect(inspect([said, records], { depth: 12 })).not.toContain(SECRET);
  });

  test.each([
    ['a variable', ['--secret-env', SECRET]],
    ['a pattern', ['--pattern', `(${SECRET}`]],
    ['a value that is too short', ['--secret-env', 'SHORT']],
    ['a report', ['--secret-env', 'NAME', '--report', '--json', '/dev/null']],
  ])('in what handrail redact says about %s', async (_name, args) => {
    const { ended } = startNode([MAIN, 'redact', ...args], { env: { NAME: SECRET, SHORT: SECRET.slice(0, 4) } });
    const { stdout, stderr } = await ended;
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain(SECRET);
    expect(stdout + stderr).not.toContain(SECRET.slice(0, 4));
  });
});
