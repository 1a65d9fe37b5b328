/** Tools of the host's own go the way of all others: checked, masked, bounded, ended in time, recorded. */
import { describe, expect, it } from 'vitest';
import { aiTools } from '../../ts/adapters/ai.js';
import { agentTools } from '../../ts/adapters/openai-agents.js';
import { defineTool } from '../../ts/index.js';
import { stripAnsi } from '../../ts/redaction/text.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited } = toolkits();

const TICKET = defineTool({
  name: 'ticket_read',
  description: 'Reads a ticket.',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: 1, description: 'Its number.' },
      fields: { type: 'array', items: { type: 'string', enum: ['title', 'body'] }, maxItems: 2 },
      range: { type: 'object', properties: { from: { type: 'number' } }, required: ['from'] },
    },
    required: ['id'],
  },
  run: ({ id, fields = [] }) => ({ id, fields, note: 'password=hunter2' }),
  render: ({ id, note }, args) => `Ticket ${id} ${args.range?.from ?? ''}\u001b[31m ${note}`,
});

const tool = (run: () => unknown, more: object = {}) =>
  defineTool({ name: 'own', description: 'Own.', schema: { type: 'object', properties: {} }, run, ...more });

describe('a tool of the host', () => {
  it('is published after the catalogue, with its schema and annotations', async () => {
    const toolkit = await make({ customTools: [TICKET], tools: ['ticket_read', 'file_read'] });
    const [first, second] = toolkit.definitions();
    expect([first?.name, second?.name]).toEqual(['file_read', 'ticket_read']);
    expect(second).toMatchObject({
      description: 'Reads a ticket.',
      annotations: { title: 'ticket_read', readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
    expect(second?.parameters).toMatchObject({
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1, description: 'Its number.' } },
      required: ['id'],
      additionalProperties: false,
    });
    expect(Object.keys(aiTools(toolkit))).toContain('ticket_read');
    expect(agentTools(toolkit).map(({ name }) => name)).toContain('ticket_read');
    expect(toolkit.explain('ticket_read', { id: 1 })).toEqual({ decision: 'allow', reasons: [] });
    expect(toolkit.explain('ticket_read', {})).toMatchObject({
      decision: 'deny',
      reasons: [{ rule: 'invalid_arguments' }],
    });
  });

  it('has its result cleaned and masked, as text and as data, and is recorded', async () => {
    const { toolkit, records } = await audited({ customTools: [TICKET] });
    const result = await toolkit.execute('ticket_read', { id: 7, fields: ['title'], range: null }, { callId: 'c1' });
    expect(result).toEqual({
      content: 'Ticket 7  password=[REDACTED]',
      isError: false,
      data: {
        ...{ kind: 'custom', tool: 'ticket_read', ok: true, status: 'done', redactions: 1 },
        value: { id: 7, fields: ['title'], note: 'password=[REDACTED]' },
        text: 'Ticket 7  password=[REDACTED]',
      },
    });
    expect(records).toMatchObject([
      {
        tool: 'ticket_read',
        callId: 'c1',
        decision: 'allow',
        redactions: 1,
        detail: { kind: 'custom', status: 'done' },
      },
    ]);
  });

  it.each([
    [{}, 'missing argument: id'],
    [{ id: 0 }, 'id: '],
    [{ id: 1.5 }, 'id: '],
    [{ id: 1, more: 1 }, 'unknown argument: more'],
    [{ id: 1, fields: ['title', 'body', 'title'] }, 'fields: '],
    [{ id: 1, fields: ['other'] }, 'fields[0]: '],
    [{ id: 1, range: {} }, 'missing argument: range.from'],
  ])('is not called with %j', async (args, problem) => {
    const { toolkit, records } = await audited({ customTools: [TICKET] });
    const { content, isError } = await toolkit.execute('ticket_read', args);
    expect(isError).toBe(true);
    expect(content).toContain(problem);
    expect(content).toContain('expected: { id: integer, fields?: "title" | "body"[]');
    expect(records[0]?.detail.kind).toBe('refused');
  });

  it.each([
    ['an error', () => Promise.reject(new Error('token=hunter2hunter2 refused')), 'failed: token=[REDACTED] refused'],
    ['something else thrown', () => Promise.reject('no'), 'failed: no'],
    ['a value that JSON cannot hold', () => 1n, 'failed: '],
  ])('gives %s as a failed result', async (_name, run, content) => {
    const { toolkit, records } = await audited({ customTools: [tool(run)] });
    const result = await toolkit.execute('own', {});
    expect(result.isError).toBe(true);
    expect(result.content).toContain(content);
    expect(records[0]?.detail).toEqual({ kind: 'custom', status: 'failed' });
  });

  it('needs no value, and no text for one', async () => {
    const toolkit = await make({ customTools: [tool(() => undefined)] });
    expect((await toolkit.execute('own', {})).content).toBe('(no output)');
    const wrong = await make({ customTools: [tool(() => 1, { render: () => 2 })] });
    expect((await wrong.execute('own', {})).content).toContain('failed: `render` of the tool gave no text');
  });

  it('is bounded', async () => {
    const toolkit = await make({ customTools: [tool(() => 'x'.repeat(5_000))], limits: { resultChars: 200 } });
    expect((await toolkit.execute('own', {})).content.length).toBeLessThanOrEqual(200);
  });

  it.each<[string, object, (close: () => Promise<void>, abort: () => void) => unknown, string]>([
    ['when its time is over', { timeoutMs: 1 }, () => undefined, 'timed_out'],
    ['when the call is cancelled', {}, (_close, abort) => abort(), 'cancelled'],
    ['when the toolkit is closed', {}, (close) => close(), 'cancelled'],
  ])('is not waited for %s, also when it ignores that', async (_name, more, end, status) => {
    let signal: AbortSignal | undefined;
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const run = (_args: unknown, call: { signal: AbortSignal }) => {
      signal = call.signal;
      started();
      return new Promise(() => undefined);
    };
    const { toolkit } = await audited({ customTools: [tool(run as () => unknown, more)] });
    const controller = new AbortController();
    const call = toolkit.execute('own', {}, { signal: controller.signal });
    await running;
    await end(
      () => toolkit.close(),
      () => controller.abort(),
    );
    expect((await call).data).toMatchObject({ kind: 'custom', ok: false, status });
    expect(signal?.aborted).toBe(true);
  });

  it('works with the terminal and the files of the toolkit, under its policy', async () => {
    const run = async (_args: unknown, { terminal, files }: Parameters<Parameters<typeof defineTool>[0]['run']>[1]) => [
      (await terminal.run(['echo', 'hi'])).output,
      (await terminal.run(['rm', 'x'])).status,
      (await files.read('/etc/shadow')).ok,
    ];
    const toolkit = await make({ customTools: [tool(run as () => unknown)] });
    expect(JSON.parse((await toolkit.execute('own', {})).content)).toEqual(['hi\n', 'denied', false]);
  });
});

/** What code of a tool says when its author was careless. Each leaks where it is called without a toolkit. */
describe('a tool that leaks', () => {
  const SECRET = 'hunter2hunter2';
  const LEAKS: readonly (readonly [string, () => unknown, object])[] = [
    ['in its value', () => ({ deep: [{ password: SECRET }] }), {}],
    ['in the name of a property', () => ({ [`token=${SECRET}`]: 1 }), {}],
    ['in what JSON makes of its value', () => ({ toJSON: () => `password=${SECRET}` }), {}],
    ['in its text', () => 1, { render: () => `password=${SECRET}` }],
    ['in controls within its text', () => 1, { render: () => 'password=hunter2\u001b[31m\u001b[0mhunter2' }],
    ['in an error', () => Promise.reject(new Error(`password=${SECRET}`)), {}],
    ['in what it throws', () => Promise.reject(`password=${SECRET}`), {}],
    ['in an error of its text', () => 1, { render: () => fail() }],
    ['in the error of a getter', () => Object.defineProperty({}, 'a', { enumerable: true, get: () => fail() }), {}],
  ];
  const fail = () => {
    throw new Error(`password=${SECRET}`);
  };

  /** What a framework would hand to a model without a toolkit between. */
  const unguarded = async (run: () => unknown, { render }: { render?: (value: unknown) => unknown } = {}) => {
    try {
      const value = await run();
      return String(render === undefined ? JSON.stringify(value) : render(value));
    } catch (error) {
      return String(error);
    }
  };

  it.each(LEAKS)('%s is masked, and leaks without the guard', async (_name, run, more) => {
    const { toolkit, records } = await audited({ customTools: [tool(run, more)] });
    const result = await toolkit.execute('own', {});
    const told = JSON.stringify([result, records]);
    expect(told).toContain('[REDACTED');
    expect(told).not.toMatch(/hunter2|\\u001b/);
    expect(stripAnsi(await unguarded(run, more))).toContain(SECRET);
  });

  it('is not called with arguments that it does not know, and is without the guard', async () => {
    const given: unknown[] = [];
    const run = (args: unknown) => given.push(args);
    const toolkit = await make({ customTools: [tool(run as () => unknown)] });
    const attacks = ['{"path":"/etc"}', '{"__proto__":{"a":1}}', '{"constructor":1}', '[]', '"x"', 'null'];
    for (const attack of attacks) {
      const result = await toolkit.execute('own', JSON.parse(attack));
      expect(result.isError && attack !== 'null', attack).toBe(attack !== 'null');
    }
    expect(given.every((args) => Object.keys(args as object).length === 0)).toBe(true);
    given.length = 0;
    for (const attack of attacks) run(JSON.parse(attack));
    expect(given).toHaveLength(attacks.length);
  });

  it('cannot be told by a name in the prototype of all objects what nobody gave it', async () => {
    const given: unknown[] = [];
    const schema = { type: 'object', properties: { id: { type: 'integer' } } } as const;
    const run = (args: unknown) => given.push(args);
    const toolkit = await make({ customTools: [tool(run as () => unknown, { schema })] });
    await toolkit.execute('own', JSON.parse('{"id":1,"__proto__":{"admin":true}}'));
    expect(given.map((args) => (args as { admin?: boolean }).admin)).not.toContain(true);
    const unguarded = Object.assign({}, JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: boolean };
    expect(unguarded.admin).toBe(true);
  });
});

describe('a name', () => {
  const named = (name: string) =>
    defineTool({ ...{ name, description: 'A tool.', run: () => 1 }, schema: { type: 'object', properties: {} } });

  it.each([
    ['of a tool of the catalogue', ['terminal_run']],
    ['of one that is not published', ['chat_send']],
    ['that two tools have', ['own', 'own']],
    ['as those of servers', ['mcp__a__b']],
  ])('%s is refused', async (_name, names) => {
    const problem = { code: 'ERR_DUPLICATE_TOOL', data: { name: `customTools[${names.length - 1}]` } };
    await expect(make({ customTools: names.map(named) })).rejects.toMatchObject(problem);
  });

  it.each(['', 'a b', 'a'.repeat(65), 'ä'])('of %j is refused', (name) => {
    expect(() => named(name)).toThrow(/tool\.name/);
  });
});

describe('a wrong definition', () => {
  const valid = { name: 'own', description: 'A tool.', schema: { type: 'object', properties: {} }, run: () => 1 };
  const schema = (property: unknown) => ({ schema: { type: 'object', properties: { a: property } } });
  let deep: object = { type: 'string' };
  for (let level = 0; level < 9; level += 1) deep = { type: 'array', items: deep };

  it.each<[string, object, string]>([
    ['an unknown option', { needs: 1 }, 'needs'],
    ['no code', { run: undefined }, 'tool.run'],
    ['no schema', { schema: undefined }, 'tool.schema'],
    ['a schema of a text', { schema: { type: 'string' } }, 'tool.schema'],
    ['a type that is not checked', schema({ type: 'null' }), 'tool.schema.properties.a.type'],
    ['a keyword that is not checked', schema({ type: 'string', pattern: 'a' }), 'pattern'],
    ['a list of nothing', schema({ type: 'array' }), 'tool.schema.properties.a.items'],
    ['an object of nothing', schema({ type: 'object' }), 'tool.schema.properties.a.properties'],
    ['no values', schema({ type: 'string', enum: [] }), 'tool.schema.properties.a.enum'],
    ['a bound that is no number', schema({ type: 'integer', minimum: '1' }), 'tool.schema.properties.a.minimum'],
    [
      'a required argument that there is not',
      { schema: { type: 'object', properties: {}, required: ['b'] } },
      'required[0]',
    ],
    ['a schema that is nested too deep', schema(deep), 'nested deeper'],
    ['an annotation that is no flag', { annotations: { readOnlyHint: 'yes' } }, 'readOnlyHint'],
    ['no time', { timeoutMs: 0 }, 'timeoutMs'],
  ])('with %s is refused', (_name, change, problem) => {
    const define = () => defineTool({ ...valid, ...change } as unknown as Parameters<typeof defineTool>[0]);
    expect(define).toThrow(problem);
    expect(define).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  it('is no entry of `customTools`', async () => {
    await expect(make({ customTools: [valid as never] })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});
