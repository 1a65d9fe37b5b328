/** Spans and figures of calls, as a host's OpenTelemetry gets them. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  type Attributes,
  type Context,
  context,
  metrics,
  propagation,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServedTools } from '../../ts/mcp-server/served-tools.js';
import { MAX_SPAN_ARGUMENT_CHARS } from '../../ts/tools/telemetry.js';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { folderPerTest } from '../support/folder.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited } = toolkits();
const folder = folderPerTest();

const FAKE_KEY = `sk-${'ant-api03-'}${'a1B2c3D4'.repeat(6)}`;

interface Seen {
  readonly name: string;
  readonly attributes: Attributes;
  readonly parent: string | undefined;
  status: SpanStatusCode;
  ended: number;
}

let spans: Seen[];
let figures: [name: string, value: number, attributes: Attributes][];

const PARENT = '0af7651916cd43dd8448eb211c80319c';

beforeEach(() => {
  spans = [];
  figures = [];
  const startSpan = (name: string, options: SpanOptions = {}, parent?: Context): Span => {
    const seen: Seen = {
      ...{ name, attributes: { ...options.attributes }, status: SpanStatusCode.UNSET, ended: 0 },
      parent: parent && trace.getSpanContext(parent)?.traceId,
    };
    spans.push(seen);
    const span = trace.wrapSpanContext({ traceId: PARENT, spanId: 'b7ad6b7169203331', traceFlags: 1 });
    return Object.assign(span, {
      setAttribute: (key: string, value: string) => Object.assign(seen.attributes, { [key]: value }) && span,
      setAttributes: (given: Attributes) => Object.assign(seen.attributes, given) && span,
      setStatus: ({ code }: { code: SpanStatusCode }) => {
        seen.status = code;
        return span;
      },
      end: () => {
        seen.ended += 1;
      },
    });
  };
  const startActiveSpan = (name: string, options: SpanOptions, parent: Context, run: (span: Span) => unknown) =>
    run(startSpan(name, options, parent));
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as never });
  const instrument = (name: string) => {
    const note = (value: number, attributes: Attributes) => figures.push([name, value, attributes]);
    return { add: note, record: note };
  };
  metrics.setGlobalMeterProvider({
    getMeter: () => ({ createCounter: instrument, createHistogram: instrument }) as never,
  });
  propagation.setGlobalPropagator({
    inject: () => undefined,
    fields: () => ['traceparent'],
    extract: (parent, carrier) => {
      const [, traceId = '', spanId = ''] = String((carrier as { traceparent: string }).traceparent).split('-');
      return trace.setSpanContext(parent, { traceId, spanId, traceFlags: 1 });
    },
  });
});
afterEach(() => {
  trace.disable();
  metrics.disable();
  propagation.disable();
  context.disable();
});

describe('telemetry', () => {
  it('is off unless it is asked for', async () => {
    const toolkit = await make();
    await toolkit.execute('terminal_run', { command: 'echo one' });
    expect([spans, figures]).toEqual([[], []]);
    await (await make({ telemetry: false })).execute('terminal_run', { command: 'echo one' });
    expect([spans, figures]).toEqual([[], []]);
  });

  it('is a span for each call, named by the conventions, that says what the record says', async () => {
    const { toolkit, records } = await audited({ telemetry: true });
    await toolkit.execute('terminal_run', { command: 'echo one' }, { callId: 'call-1', caller: 'red' });
    expect(spans).toEqual([
      {
        name: 'execute_tool terminal_run',
        attributes: {
          ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'terminal_run' },
          ...{ 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': 'call-1', 'handrail.caller': 'red' },
          ...{
            'handrail.record.id': records[0]?.id,
            'handrail.decision': 'allow',
            'handrail.rules': records[0]?.rules,
          },
          ...{ 'handrail.kind': 'command', 'handrail.status': 'exited', 'handrail.redactions': 0 },
          ...{ 'handrail.content_chars': records[0]?.contentChars, 'handrail.output_bytes': 4 },
        },
        ...{ parent: undefined, status: SpanStatusCode.UNSET, ended: 1 },
      },
    ]);
    const labels = { 'gen_ai.tool.name': 'terminal_run', 'handrail.caller': 'red' };
    expect(figures).toEqual([
      ['handrail.tool.calls', 1, { ...labels, 'handrail.decision': 'allow', 'handrail.status': 'exited' }],
      ['handrail.tool.duration', (records[0]?.durationMs ?? 0) / 1_000, { ...labels, 'handrail.status': 'exited' }],
    ]);
  });

  it('is an error where the call is denied, failed or refused, and no series for each name that a model makes up', async () => {
    const toolkit = await make({ telemetry: true });
    await toolkit.execute('terminal_run', { command: 'rm -rf .' });
    await toolkit.execute('file_read', { path: 'none.txt' });
    await toolkit.execute('terminal_fly', {});
    expect(spans.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
      [SpanStatusCode.ERROR, 'denied'],
      [SpanStatusCode.ERROR, 'not_found'],
      [SpanStatusCode.ERROR, 'denied'],
    ]);
    const denials = figures.filter(([name]) => name === 'handrail.tool.denials');
    expect(denials.map(([, , labels]) => labels['gen_ai.tool.name'])).toEqual(['terminal_run', '_OTHER']);
  });

  it('ends the span of a call that throws', async () => {
    const toolkit = await make({ telemetry: true });
    const failed = toolkit.execute('terminal_run', { command: 'echo' }, { onOutput: 7 as never });
    await expect(failed).rejects.toThrow();
    expect(spans.every(({ ended }) => ended === 1)).toBe(true);
  });

  it('holds no secret: not in names, ids, callers, nor in arguments that are asked for', async () => {
    const toolkit = await make({ telemetry: { arguments: true } });
    const args = { command: `echo ${FAKE_KEY}`, [FAKE_KEY]: FAKE_KEY };
    await toolkit.execute('terminal_run', args, { callId: FAKE_KEY, caller: FAKE_KEY });
    await toolkit.execute('terminal_run', { command: `echo ${FAKE_KEY}` }, { callId: FAKE_KEY, caller: FAKE_KEY });
    await toolkit.execute(FAKE_KEY, {});
    const padding = 'x'.repeat(MAX_SPAN_ARGUMENT_CHARS - '{"command":"echo  '.length - 6);
    await toolkit.execute('terminal_run', { command: `echo ${padding} ${FAKE_KEY}` });
    expect(spans).toHaveLength(4);
    expect(JSON.stringify([spans, figures])).not.toContain(FAKE_KEY.slice(0, 8));
    expect(spans[1]?.attributes['gen_ai.tool.call.arguments']).toBe('{"command":"echo [REDACTED]"}');
    expect(String(spans[3]?.attributes['gen_ai.tool.call.arguments'])).toHaveLength(MAX_SPAN_ARGUMENT_CHARS);
    // What a span without the guard would hold.
    expect(JSON.stringify(args)).toContain(FAKE_KEY);
    expect(figures.filter(([name]) => name === 'handrail.tool.masks')).not.toEqual([]);
  });

  it('has no arguments where nobody asks, and none that are no JSON', async () => {
    await (await make({ telemetry: {} })).execute('terminal_run', { command: 'echo' });
    await (await make({ telemetry: { arguments: true } })).execute('terminal_run', { command: 1n });
    expect(spans.map(({ attributes }) => attributes['gen_ai.tool.call.arguments'])).toEqual([undefined, undefined]);
  });

  it('is part of what the call and the `_meta` of an MCP request name', async () => {
    const toolkit = await make({ telemetry: true });
    const traceparent = `00-${PARENT}-b7ad6b7169203331-01`;
    await toolkit.execute('terminal_run', { command: 'echo' }, { traceparent });
    const served = new ServedTools(toolkit, true);
    const params = { name: 'terminal_run', arguments: { command: 'echo' } };
    for (const meta of [{ traceparent }, { traceparent: 7 }, 'none']) {
      await served.call(params, { callId: '1', signal: new AbortController().signal, meta }, undefined);
    }
    expect(spans.map(({ parent }) => parent)).toEqual([PARENT, PARENT, undefined, undefined]);
  });

  it('goes on in a transaction', async () => {
    const toolkit = await make({ telemetry: true });
    const tried = await toolkit.transaction();
    await tried.toolkit.execute('terminal_run', { command: 'echo' });
    await tried.discard();
    expect(spans).toHaveLength(1);
  });

  it.each([7, 'yes', { arguments: 'yes' }, { propagate: true }])('refuses %j', async (telemetry) => {
    await expect(make({ telemetry: telemetry as never })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  it('says what to install where the package is not there', async () => {
    const installed = path.join(folder(), 'node_modules/handrail');
    mkdirSync(installed, { recursive: true });
    for (const name of ['dist', 'package.json']) {
      cpSync(path.join(REPOSITORY, name), path.join(installed, name), { recursive: true });
    }
    const code = `
      import { createToolkit } from 'handrail';
      await (await createToolkit({ workspace: '.' })).close();
      const failure = await createToolkit({ workspace: '.', telemetry: true }).catch((error) => error);
      console.log(failure.code, failure.message, JSON.stringify(failure.data));`;
    const { ended } = startNode(['--input-type=module', '--eval', code], { cwd: folder() });
    expect(await ended).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout:
        'ERR_PEER_MISSING `telemetry` needs the package @opentelemetry/api: npm install @opentelemetry/api@1 ' +
        '{"package":"@opentelemetry/api","command":"npm install @opentelemetry/api@1"}\n',
    });
  });
});
