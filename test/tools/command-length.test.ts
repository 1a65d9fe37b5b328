import { expect, it, vi } from 'vitest';
import { Terminal, terminalRun } from '../../ts/index.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

/** The policy's bounds. */
const MAX_COMMAND_BYTES = 65_536;
const MAX_COMMAND_WORDS = 8_192;

const TOO_MANY_BYTES = 'The command is too long: it has 65537 bytes, and 65536 are the most';
const TOO_MANY_WORDS = 'The command is too long: it has too many words, and 8192 are the most';

/** Two bytes each: fewer characters than bytes, so that no schema refuses it before the policy does. */
const bytes = (count: number) => `true x${'é'.repeat((count - 'true x'.length) / 2)}`;
const words = (count: number) => `true${' x'.repeat(count - 1)}`;

it.each([
  ['bytes', `${bytes(MAX_COMMAND_BYTES)}`, `${bytes(MAX_COMMAND_BYTES)}x`, TOO_MANY_BYTES],
  ['words', words(MAX_COMMAND_WORDS), words(MAX_COMMAND_WORDS + 1), TOO_MANY_WORDS],
])('a command with too many %s is refused with one reason everywhere', async (_name, longest, longer, message) => {
  await using terminal = new Terminal({ allow: ['true'] });
  expect(await terminal.run(longest)).toMatchObject({ status: 'exited', exitCode: 0 });
  const denied = await terminal.run(longer);
  expect(denied).toMatchObject({ status: 'denied' });
  expect(denied.decision.reasons[0]).toMatchObject({ rule: 'hygiene.length', message });
  expect(terminal.explain(longer).reasons).toEqual(denied.decision.reasons);

  const toolkit = await make({ terminal: { allow: ['true'] } });
  expect((await toolkit.execute('terminal_run', { command: longest })).content).toMatch(/^exit 0 in /);
  const { content } = await toolkit.execute('terminal_run', { command: longer });
  expect(content.split('\n')[0]).toBe(`denied: ${message} (hygiene.length)`);

  vi.stubEnv('TERMINAL_ALLOWED_COMMANDS', 'true');
  try {
    expect(await terminalRun(longest)).toMatch(/^ok=true exit=0 /);
    expect((await terminalRun(longer)).split('\n')[2]).toBe(message);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('an argv with too many words is told how many it has', async () => {
  await using terminal = new Terminal({ allow: ['true'] });
  const argv = (count: number) => words(count).split(' ');
  expect(terminal.explain(argv(MAX_COMMAND_WORDS)).decision).toBe('allow');
  expect(terminal.explain(argv(MAX_COMMAND_WORDS + 1)).reasons[0]).toMatchObject({
    rule: 'hygiene.length',
    message: 'The command is too long: it has 8193 words, and 8192 are the most',
  });
});
