import { expect, test } from 'vitest';

import { type OutputChunk, Redactor, Terminal } from '../../ts/index.js';

/** Built from parts: nothing here looks like a secret. */
const HALVES = ['correct-horse-', 'battery-staple'] as const;
const SECRET = HALVES.join('');
const SCRIPTS = {
  'in one line': `printf ${HALVES[0]}; sleep 0.05; printf ${HALVES[1]} >&2`,
  'in two lines': `echo ${HALVES[0]}; sleep 0.05; echo ${HALVES[1]} >&2`,
};

async function run(script: string, merge: boolean): Promise<{ told: readonly OutputChunk[]; output: string }> {
  const redactor = new Redactor({ secrets: { PASSPHRASE: SECRET } });
  await using terminal = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'], redactor });
  const told: OutputChunk[] = [];
  const onOutput = (chunk: OutputChunk): void => {
    told.push(chunk);
  };
  const { output } = await terminal.run(['bash', '-c', script], { onOutput, merge });
  return { told, output };
}

const textOf = (told: readonly OutputChunk[]): string => told.map(({ text }) => text).join('');

test.each(Object.entries(SCRIPTS))(
  'with one pipe a secret in two halves %s is masked while it runs',
  async (_n, script) => {
    const { told, output } = await run(script, true);
    for (const text of [textOf(told), output]) {
      expect(text).toContain('[REDACTED]');
      for (const half of HALVES) expect(text).not.toContain(half);
    }
  },
);

// The attack: what onOutput says of itself. The result is masked all the same.
test.each(Object.entries(SCRIPTS))(
  'with two, each half %s is told as it is, and the result is masked',
  async (_n, script) => {
    const { told, output } = await run(script, false);
    for (const [index, stream] of (['stdout', 'stderr'] as const).entries()) {
      expect(textOf(told.filter((chunk) => chunk.stream === stream))).toContain(HALVES[index]);
    }
    expect(output).toContain('[REDACTED]');
    for (const half of HALVES) expect(output).not.toContain(half);
  },
);

// A command that is ended while it writes has written the first half only.
test.each([
  ['by its deadline', 'sleep 9', { timeoutMs: 700 }],
  ['by a signal', 'kill -9 $$', {}],
  ['as a child of a shell that goes on', 'exit 137', {}],
] as const)('no first half is shown of what a command wrote that was ended %s', async (_name, end, options) => {
  const redactor = new Redactor({ secrets: { PASSPHRASE: SECRET } });
  await using terminal = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'], redactor });
  const told: OutputChunk[] = [];
  const onOutput = (chunk: OutputChunk): void => {
    told.push(chunk);
  };
  const script = `printf 'begins ${HALVES[0]}'; ${end}`;
  const { output } = await terminal.run(['bash', '-c', script], { ...options, onOutput });
  for (const text of [textOf(told), output]) expect(text).toBe('begins [REDACTED]');
});

// The attack: a command that ends by itself is not cut, and what it writes is what it means.
test('of a command that ends by itself the same half is shown', async () => {
  const { output } = await run(`printf 'begins ${HALVES[0]}'`, true);
  expect(output).toBe(`begins ${HALVES[0]}`);
});
