import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../ts/index.js';
import { createToolkit, Redactor, Terminal } from '../../ts/index.js';
import { MAX_ERROR_CHARS } from '../../ts/terminal/masked-errors.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

/** A value that the host named as a secret. Looks like a name. */
const NAMED = ['S3cr3t', 'Value99'].join('');

describe('what the host tells of a call', () => {
  it.each<[string, unknown, string]>([
    ['signal', { signal: 'now' }, 'Expected `context.signal` to be an AbortSignal, got a string'],
    ['onOutput', { onOutput: 1 }, 'Expected `context.onOutput` to be a function, got `1` (number)'],
    ['callId', { callId: 7 }, 'Expected `context.callId` to be a string, got `7` (number)'],
    ['key', { shell: true }, 'Unknown key in `context`: `shell`'],
  ])('throws for a wrong %s, which no model made', async (_name, context, message) => {
    const toolkit = await make();
    const call = toolkit.execute('terminal_run', { command: 'echo' }, context as CallContext);
    await expect(call).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });
});

describe('errors about options', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a key', { [NAMED]: 1 }],
    ['a variable', { terminal: { env: { set: { [NAMED]: 1 } } } }],
    ['a folder', { terminal: { path: [`/${NAMED}/\0`] } }],
    ['a root', { workspace: undefined, roots: [`/${NAMED}`] }],
  ])('do not repeat what the redactor knows as %s', async (_name, options) => {
    const all = { workspace: process.cwd(), redaction: { secrets: [NAMED] }, ...options };
    const error = await createToolkit(all).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    expect(JSON.stringify([(error as Error).message, (error as Error).stack, error])).not.toContain(NAMED);
  });

  it('do not repeat it in a terminal of its own either', () => {
    const redactor = new Redactor({ secrets: [NAMED] });
    expect(() => new Terminal({ redactor, env: { set: { [NAMED]: 1 as never } } })).toThrow(
      'Expected `env.set[0]` to be',
    );
  });

  it('show a key only when it looks like one of ours', () => {
    expect(() => new Terminal({ [NAMED]: 1 } as never)).toThrow('a key that no option looks like; known are');
    expect(() => new Terminal({ timeout: 1 } as never)).toThrow('`timeout`; did you mean `timeoutMs`? Known are');
  });

  it('are of a bounded length', () => {
    const redactor = new Redactor({ rules: 'none' });
    const root = '/x'.repeat(MAX_ERROR_CHARS);
    const attempt = (): Terminal => new Terminal({ redactor, roots: [root] });
    expect(attempt).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{1000}$/) }));
  });
});

it('arguments that cannot be read are refused like any other wrong ones', async () => {
  const toolkit = await make();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    get command(): string {
      throw new Error('never mind');
    },
  };
  for (const args of [throwing, proxy]) {
    expect(await toolkit.execute('terminal_run', args)).toMatchObject({
      isError: true,
      content: expect.stringMatching(/^invalid arguments: the arguments cannot be read\n/),
      data: { refused: 'invalid_arguments' },
    });
  }
});
