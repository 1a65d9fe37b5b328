import { RunContext } from '@openai/agents';
import { afterEach, expect, test, vi } from 'vitest';

import { terminalRunTool } from '../../ts/adapters/openai-agents.js';

const ABORT_AFTER_MS = 100;

afterEach(() => {
  vi.unstubAllEnvs();
});

test('aborting the run ends the command of the env-configured tool', async () => {
  vi.stubEnv('TERMINAL_ALLOWED_COMMANDS', 'sleep');
  vi.stubEnv('TERMINAL_TIMEOUT_SECONDS', '600');
  const signal = AbortSignal.timeout(ABORT_AFTER_MS);
  const text = await terminalRunTool.invoke(new RunContext(), '{"command":"sleep 600","cwd":null}', { signal });
  expect(text).toMatch(/^ok=false exit=None/);
});
