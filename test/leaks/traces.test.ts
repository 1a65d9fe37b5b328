/** What the OpenAI Agents SDK records of a call: its spans go to whoever collects traces. */
import {
  Agent,
  Runner,
  type Span,
  setTraceProcessors,
  setTracingDisabled,
  type Trace,
  type TracingProcessor,
} from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AgentTool, agentTools, terminalRunTool } from '../../ts/adapters/openai-agents.js';
import { Redactor } from '../../ts/index.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { toolkits } from '../support/toolkits.js';
import { everythingOf, partsOf, UNKNOWN } from './planted.js';

const { make } = toolkits();

/** All that was recorded. */
const recorded: unknown[] = [];

const collector: TracingProcessor = {
  onTraceStart: async (trace: Trace) => void recorded.push(trace.toJSON()),
  onTraceEnd: async (trace: Trace) => void recorded.push(trace.toJSON()),
  onSpanStart: async () => undefined,
  onSpanEnd: async (span: Span<never>) => void recorded.push(span.toJSON(), span.spanData, span.error),
  shutdown: async () => undefined,
  forceFlush: async () => undefined,
};

beforeAll(() => {
  setTracingDisabled(false);
  setTraceProcessors([collector]);
});
beforeEach(() => void recorded.splice(0));
afterAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

/** Runs one call through the SDK's own runner, traced with all data, and gives what was recorded. */
async function traceOf(tool: AgentTool, args: string | Record<string, unknown>): Promise<string> {
  const model = new ScriptedModel([[functionCall(tool.name, args, { callId: 'call-1' })], [assistantMessage('done')]]);
  const agent = new Agent({ name: 'Traced', model, tools: [tool] });
  await new Runner({ tracingDisabled: false, traceIncludeSensitiveData: true }).run(agent, 'go');
  return everythingOf(recorded);
}

async function terminalTool(redaction: ToolkitOptions['redaction']): Promise<AgentTool> {
  const set = { PLANTED: UNKNOWN };
  const terminal = {
    allow: ['sh', 'env'],
    trustInterpreters: ['sh', 'env'],
    env: { set },
    timeoutMs: 1_500,
    graceMs: 10,
  };
  const [tool] = agentTools(await make({ terminal, ...(redaction === undefined ? {} : { redaction }) }));
  return tool as AgentTool;
}

const COMMANDS: readonly (readonly [name: string, command: string])[] = [
  ['what a command writes', 'env'],
  ['what it writes in pieces', `sh -c 'printf %.9s "$PLANTED"; echo "\${PLANTED#?????????}"'`],
  ['what it writes before its time is over', `sh -c 'echo "$PLANTED"; sleep 600'`],
  ['what it writes as an error', `sh -c 'cat "/nowhere/$PLANTED"; kill -SEGV $$'`],
];

describe('a trace of a call does not hold a secret', () => {
  test.each(COMMANDS)('%s', async (_name, command) => {
    const trace = await traceOf(await terminalTool({ secrets: { PLANTED: UNKNOWN } }), { command });
    expect(trace).toContain('[REDACTED');
    expect(partsOf(UNKNOWN, trace)).toEqual([]);
  });

  test.each(COMMANDS.slice(0, 1))('and without redaction it would: %s', async (_name, command) => {
    const trace = await traceOf(await terminalTool(new Redactor({ rules: 'none' })), { command });
    expect(partsOf(UNKNOWN, trace)).not.toEqual([]);
  });

  test('of a call that fails', async () => {
    const toolkit = await make({ redaction: { secrets: [UNKNOWN] }, terminal: { env: { set: { PLANTED: UNKNOWN } } } });
    const [tool] = agentTools(toolkit);
    await toolkit.close();
    const trace = await traceOf(tool as AgentTool, { command: 'echo' });
    expect(trace).toContain('ERR_CLOSED');
    expect(partsOf(UNKNOWN, trace)).toEqual([]);
  });

  test('of the function tool under the policy of the environment', async () => {
    vi.stubEnv('TERMINAL_ALLOWED_COMMANDS', 'printf');
    vi.stubEnv('TERMINAL_REDACT_PATTERNS', `(${UNKNOWN}`);
    try {
      const trace = await traceOf(terminalRunTool, { command: 'printf x' });
      expect(trace).toContain('TERMINAL_REDACT_PATTERNS');
      expect(partsOf(UNKNOWN, trace)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
