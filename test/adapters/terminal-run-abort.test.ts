import { RunContext } from '@openai/agents';
import { afterEach, expect, test, vi } from 'vitest';

import { terminalRunTool } from '../../ts/adapters/openai-agents.js';

const ABORT_AFTER_MS = 100;
/** A liveness limit: the command would take 30 s. */
const LATE_MS = 10_000;

afterEach(() => {
  vi.unstubAllEnvs();
});

test('aborting the run ends the command of the env-configured tool', async () => {
  vi.stubEnv('TERMINAL_ALLOWED_COMMANDS', 'sleep');
  vi.stubEnv('TERMINAL_TIMEOUT_SECONDS', '60');
  const signal = AbortSignal.timeout(ABORT_AFTER_MS);
  const started = performance.now();
  const text = await terminalRunTool.invoke(new RunContext(), '{"command":"sleep 30","cwd":null}', { signal });
  expect(performance.now() - started).toBeLessThan(LATE_MS);
  expect(text).toMatch(/^ok=false exit=None/);
});
