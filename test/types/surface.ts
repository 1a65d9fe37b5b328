/**
 * Types of the public surface, checked by the compiler. Nothing here runs.
 */
import type { ToolSet } from 'ai';
import { expectTypeOf } from 'vitest';
import { type AiToolOutput, aiTools } from '../../ts/adapters/ai.js';
import { type AgentTool, agentTools } from '../../ts/adapters/openai-agents.js';

import {
  type Approval,
  type Bus,
  type BusMessage,
  type CallDecision,
  type CommandResult,
  type CommandStatus,
  type Decision,
  defineTool,
  type FailureCode,
  type Finding,
  HandrailError,
  type HandrailErrorCode,
  isHandrailError,
  loadTerminalPolicyFromEnv,
  MemoryBus,
  MessageEnvelope,
  Redactor,
  RedisBus,
  type SentMessage,
  type SentSecret,
  type Session,
  type SessionEnd,
  type SessionQuestion,
  sendMessage,
  serveMcp,
  Terminal,
  type TerminalPolicy,
  type Toolkit,
  type ToolkitMcp,
  terminalRun,
} from '../../ts/index.js';

declare const terminal: Terminal;
declare const toolkit: Toolkit;
declare const redactor: Redactor;
declare const caught: unknown;

expectTypeOf(terminal.run(['a'])).toEqualTypeOf<Promise<CommandResult>>();
expectTypeOf(terminal.run('a', { onOutput: ({ stream, text }) => `${stream}${text}` })).resolves.toHaveProperty('ok');
expectTypeOf(terminal.explain(['a'] as const)).toEqualTypeOf<Decision>();
expectTypeOf<CommandResult['status']>().toEqualTypeOf<CommandStatus>();
expectTypeOf<CommandResult['exitCode']>().toEqualTypeOf<number | null>();
expectTypeOf<CommandResult['signal']>().toEqualTypeOf<string | null>();
declare const result: CommandResult;
if (result.status === 'exited') expectTypeOf(result.exitCode.toFixed(0)).toEqualTypeOf<string>();
if (result.status === 'signaled') expectTypeOf(result.signal).toEqualTypeOf<string>();
if (result.status === 'denied') expectTypeOf(result.decision.decision).toEqualTypeOf<'deny'>();
if (result.status === 'spawn_failed') expectTypeOf(result.failure.code).toEqualTypeOf<FailureCode>();
if (result.ok) expectTypeOf(result.exitCode).toEqualTypeOf<number>();
if (result.timedOut) expectTypeOf(result.status).toEqualTypeOf<'timed_out'>();
declare const end: SessionEnd;
if (end.status === 'exited') expectTypeOf(end.exitCode).toEqualTypeOf<number>();
if (end.status === 'signaled') expectTypeOf(end.signal).toEqualTypeOf<string>();
if (end.status === 'spawn_failed') expectTypeOf(end.failure.message).toEqualTypeOf<string>();
declare const session: Session;
expectTypeOf(session.question).toEqualTypeOf<SessionQuestion | undefined>();
expectTypeOf(session.sendSecret('q1', async () => 'a')).toEqualTypeOf<Promise<SentSecret>>();
toolkit.on('question', ({ id, prompt, session: asked }) => asked.sendSecret(id, prompt));
expectTypeOf<Decision['reasons'][number]['span']>().toEqualTypeOf<readonly [start: number, end: number]>();
expectTypeOf(terminal.withheld).toEqualTypeOf<readonly string[]>();
expectTypeOf(terminal).toExtend<AsyncDisposable>();

expectTypeOf(redactor.redact('a')).toEqualTypeOf<string>();
expectTypeOf(redactor.redactBytes(new Uint8Array())).toEqualTypeOf<Uint8Array>();
expectTypeOf(redactor.scan('a')).toEqualTypeOf<readonly Finding[]>();
expectTypeOf(redactor.stream().findings).toEqualTypeOf<number>();

expectTypeOf(terminalRun('a')).toEqualTypeOf<Promise<string>>();
expectTypeOf(loadTerminalPolicyFromEnv()).toEqualTypeOf<TerminalPolicy>();

expectTypeOf(sendMessage('chat:a', 'b')).toEqualTypeOf<Promise<SentMessage>>();
expectTypeOf(new MemoryBus()).toExtend<Bus>();
expectTypeOf(new RedisBus('redis://h')).toExtend<Bus>();
expectTypeOf(new MemoryBus().read('t')).toEqualTypeOf<Promise<BusMessage[]>>();
expectTypeOf(MessageEnvelope.parse(caught)).toEqualTypeOf<MessageEnvelope>();
expectTypeOf<MessageEnvelope['type']>().toEqualTypeOf<'message' | 'control'>();
expectTypeOf(toolkit.explain('a', {})).toEqualTypeOf<CallDecision>();
expectTypeOf(toolkit.explain('a', {}).question?.rendering).toEqualTypeOf<string | undefined>();
expectTypeOf(toolkit.execute('a', {}, { approve: ({ cwd }) => ({ approved: cwd === '/' }) })).resolves.toHaveProperty(
  'data',
);
expectTypeOf(serveMcp(toolkit, { input: process.stdin })).toEqualTypeOf<Promise<void>>();
expectTypeOf(agentTools(toolkit, { approval: 'interrupt' })).toEqualTypeOf<AgentTool[]>();
expectTypeOf(aiTools(toolkit, { tools: ['a'] as const, approval: 'interrupt' })).toEqualTypeOf<ToolSet>();
expectTypeOf<AiToolOutput>().toEqualTypeOf<{ readonly content: string; readonly isError: boolean }>();
expectTypeOf(toolkit.mcp?.servers[0]?.unapproved?.tools[0]?.change).toEqualTypeOf<
  'added' | 'changed' | 'removed' | undefined
>();
expectTypeOf<ToolkitMcp['approve']>().parameters.toEqualTypeOf<[server: string, digest: string]>();
expectTypeOf(toolkit.explain('a', {}).question?.mcp?.server).toEqualTypeOf<string | undefined>();
expectTypeOf<Toolkit['bus']>().toEqualTypeOf<Bus | undefined>();

if (isHandrailError(caught)) expectTypeOf(caught.code).toEqualTypeOf<HandrailErrorCode>();
if (caught instanceof HandrailError) expectTypeOf(caught.code).toEqualTypeOf<HandrailErrorCode>();

export const accepted = [
  new Terminal({ allow: ['git', { program: 'npm', args: ['test'] }], roots: ['/srv', { path: '/srv', mode: 'ro' }] }),
  new Terminal({ approve: () => ({ approved: true }) satisfies Approval }),
  new Redactor({ secrets: { NAME: 'value' } as Readonly<Record<string, string>> }),
  new Redactor({ secrets: ['value'] as const, rules: ['private-key'] }),
];

export const refused = [
  // @ts-expect-error: the sender is the host's word
  sendMessage('chat:a', 'b', { sender: 'agent:Boss' }),
  // @ts-expect-error: a subscription is one of a group
  new MemoryBus().subscribe('t', () => undefined, {}),
  // @ts-expect-error: the unit is in the name
  new Terminal({ timeout: 5 }),
  // @ts-expect-error: no such profile
  new Terminal({ sandbox: 'none' }),
  // @ts-expect-error: no such guarantee
  new Terminal({ require: ['everything'] }),
  // @ts-expect-error: a model cannot weaken a guard from a call
  terminal.run('a', { sandbox: 'off' }),
  // @ts-expect-error: no other way to approve
  agentTools(toolkit, { approval: 'always' }),
  // @ts-expect-error: an argv has strings only
  terminal.run(['a', 7]),
];

export function changed(result: CommandResult): void {
  // @ts-expect-error: a result cannot be changed
  result.ok = true;
}

// The arguments of a tool of the host's own have the types of its schema.
defineTool({
  name: 'a',
  description: 'A tool.',
  schema: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['x', 'y'] },
      text: { type: 'string' },
      list: { type: 'array', items: { type: 'object', properties: { deep: { type: 'number' } }, required: ['deep'] } },
      flag: { type: 'boolean' },
    },
    required: ['kind', 'list'],
  },
  run: ({ kind, text, list, flag }, { signal }) => {
    expectTypeOf(kind).toEqualTypeOf<'x' | 'y'>();
    expectTypeOf(text).toEqualTypeOf<string | undefined>();
    expectTypeOf(list[0]?.deep).toEqualTypeOf<number | undefined>();
    expectTypeOf(flag).toEqualTypeOf<boolean | undefined>();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    return { count: 1 };
  },
  render: (value, { kind }) => `${kind} ${value.count.toFixed(0)}`,
});
