import { describe, expect, test } from 'vitest';

import { loadChatConfig } from '../../ts/bus/chat-config.js';
import { terminalPolicyKey } from '../../ts/compat/terminal-policy.js';
import * as handrail from '../../ts/index.js';

/** None of it is an environment, or an object with options. */
const WRONG: readonly unknown[] = [null, 5, 'text', true, [], Symbol('s'), 10n, () => undefined];

const ENVIRONMENT_READERS: readonly (readonly [string, string, (env: never) => unknown])[] = [
  ['loadTerminalPolicyFromEnv', 'TERMINAL_ALLOWED_COMMANDS', handrail.loadTerminalPolicyFromEnv],
  ['loadTerminalPolicyFromEnv', 'TERMINAL_TIMEOUT_SECONDS', handrail.loadTerminalPolicyFromEnv],
  ['loadTerminalPolicyFromEnv', 'TERMINAL_SANDBOX_CWD', handrail.loadTerminalPolicyFromEnv],
  ['terminalPolicyKey', 'TERMINAL_DENY_COMMANDS', terminalPolicyKey],
  ['loadChatConfig', 'REDIS_URL', loadChatConfig],
  ['loadChatConfig', 'BUS_STREAM_MAXLEN', loadChatConfig],
];

/** Every function of the root that takes an environment or options, with its place for them. */
const TAKING_OPTIONS: readonly (readonly [string, (value: never) => unknown])[] = [
  ['Terminal', (value) => new handrail.Terminal(value)],
  ['Terminal.run', (value) => new handrail.Terminal().run('ls', value)],
  ['Files', (value) => new handrail.Files(value)],
  ['Redactor', (value) => new handrail.Redactor(value)],
  ['MemoryBus', (value) => new handrail.MemoryBus(value)],
  ['RedisBus', (value) => new handrail.RedisBus(value)],
  // In this place a boolean is `interactive`.
  ['AGTerm', (value) => new handrail.AGTerm('true', typeof value === 'boolean' ? (null as never) : value)],
  ['FilesystemTool', (value) => new handrail.FilesystemTool(value)],
  ['TerminalTool', (value) => new handrail.TerminalTool(value)],
  ['ToolExecutor', (value) => new handrail.ToolExecutor('.', value)],
  ['createToolkit', (value) => handrail.createToolkit(value)],
  ['boundOutput', (value) => handrail.boundOutput('text', value)],
  ['excerptOutput', (value) => handrail.excerptOutput('text', value)],
  ['sendMessage', (value) => handrail.sendMessage('agent', 'text', value)],
  ['toolsEnabled', (value) => handrail.toolsEnabled(value)],
];

async function codeOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return 'nothing was thrown';
  } catch (error) {
    return handrail.isHandrailError(error) ? error.code : error;
  }
}

describe('what is no argument', () => {
  test.each(ENVIRONMENT_READERS)('is an error of %s, also as the value of %s', async (_name, variable, read) => {
    for (const wrong of WRONG) expect(await codeOf(() => read(wrong as never))).toBe('ERR_INVALID_ARGUMENT');
    for (const wrong of [null, 5, true, ['git'], {}, Symbol('s')]) {
      const env = { [variable]: wrong } as never;
      expect(await codeOf(() => read(env))).toBe('ERR_INVALID_ARGUMENT');
      expect(() => read(env)).toThrow(`Expected \`env.${variable}\` to be a string or undefined, got `);
    }
    expect(await codeOf(() => read({ [variable]: undefined } as never))).toBe('nothing was thrown');
  });

  test.each(TAKING_OPTIONS)('is an error of %s in the place of options', async (_name, call) => {
    for (const wrong of WRONG) expect(await codeOf(() => call(wrong as never))).toBe('ERR_INVALID_ARGUMENT');
  });

  test('is no error in an error, which says what it can', () => {
    for (const wrong of WRONG) {
      const error = new handrail.HandrailError('ERR_CLOSED', wrong as never, wrong as never);
      expect([error.code, error.message]).toEqual(['ERR_CLOSED', String(wrong)]);
      expect(new handrail.ToolError(wrong as never, wrong as never).code).toBe('ERR_TOOL');
    }
  });
});
