// A server whose list has two good tools among wrong ones, and whose answers have good content among wrong one.
import { createInterface } from 'node:readline';

const object = (more) => ({ type: 'object', ...more });
const a = { a: { type: 'string' } };
const b = { b: { type: 'number' } };
const nested = (levels) => `${'{"type":"array","items":'.repeat(levels)}{}${'}'.repeat(levels)}`;

const entries = [
  { name: 'first', description: 'Is good.', inputSchema: object({ properties: a, required: ['a'] }) },
  // Left out: nobody can call them.
  null,
  'tool',
  ['list'],
  { description: 'has no name', inputSchema: object() },
  { name: '', inputSchema: object() },
  { name: 7, inputSchema: object() },
  { name: 'text-schema', inputSchema: 'object' },
  { name: 'list-schema', inputSchema: [] },
  { name: 'no-object', inputSchema: { type: 'string' } },
  { name: 'no-object-either', inputSchema: { type: ['array', 'null'] } },
  // Published in part.
  { name: 'no-schema' },
  { name: 'null-schema', inputSchema: null },
  { name: 'number-description', description: 42, inputSchema: object({ properties: a }) },
  { name: 'object-title', title: {}, annotations: 'none', inputSchema: object() },
  { name: 'wrong-hints', annotations: { readOnlyHint: 'yes', title: 1 }, inputSchema: object() },
  { name: 'wrong-type', inputSchema: object({ properties: { a: { type: 'strnig' } } }) },
  { name: 'wrong-properties', inputSchema: object({ properties: 'a, b' }) },
  { name: 'wrong-required', inputSchema: object({ properties: { a: { type: 'object', required: 5 } } }) },
  { name: 'wrong-any-of', inputSchema: object({ properties: { a: { anyOf: 'text or number' } } }) },
  { name: 'wrong-output', outputSchema: { type: 'strnig', properties: 1 }, inputSchema: object({ properties: a }) },
  // Published as they are meant.
  { name: 'empty-schema', inputSchema: {} },
  { name: 'no-type', inputSchema: { properties: a, required: ['a'] } },
  { name: 'type-list', inputSchema: { type: ['object', 'null'], properties: a } },
  { name: 'empty-list', inputSchema: object({ properties: [] }) },
  { name: 'true-property', inputSchema: object({ properties: { a: true, b: false } }) },
  {
    name: 'any-of',
    inputSchema: {
      anyOf: [object({ properties: a, required: ['a'] }), object({ properties: b, required: ['b'] })],
    },
  },
  {
    name: 'one-of-references',
    inputSchema: {
      type: 'object',
      oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      $defs: {
        A: object({ properties: { ...a, kind: { const: 'a' } } }),
        B: object({ properties: { kind: { const: 'b' } } }),
      },
    },
  },
  { name: 'all-of', inputSchema: { allOf: [object({ properties: a, required: ['a'] }), object({ properties: b })] } },
  { name: 'first', description: 'Comes twice.', inputSchema: object() },
  { name: 'last', description: 'Is good too.', inputSchema: object({ properties: b }) },
].map((entry) => JSON.stringify(entry));
for (const levels of [2_000, 100_000]) {
  entries.splice(
    3,
    0,
    `{"name":"deep-${levels}","inputSchema":{"type":"object","properties":{"x":${nested(levels)}}}}`,
  );
}

const png = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const answers = {
  first: {
    content: [
      { type: 'text', text: 'kept' },
      { type: 'hologram', data: 'AAAA' },
      { type: '\u202Eodd'.padEnd(100, '!') },
      null,
      'text',
      {},
      { type: 7 },
      { type: 'text' },
      { type: 'text', text: 1 },
      { ...png, data: 'no base64' },
      { ...png, data: undefined },
      { ...png, mimeType: 1 },
      { type: 'audio', mimeType: 'audio/wav' },
      { type: 'resource' },
      { type: 'resource', resource: { uri: 'file:///a' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: '%' } },
      { type: 'resource_link', uri: 'file:///c' },
      { ...png, annotations: 'wrong', _meta: 3 },
      { type: 'text', text: 'kept too', annotations: [] },
    ],
  },
  last: { content: [], isError: 'yes' },
};
const deep = `{"content":[{"type":"text","text":"kept"}],"structuredContent":{"x":${nested(100_000)}}}`;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  let result = '{}';
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'malformed', version: '1' };
    result = JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo });
  }
  if (method === 'tools/list') result = `{"tools":[${entries}]}`;
  if (method === 'tools/call')
    result = params.name.startsWith('deep') ? deep : JSON.stringify(answers[params.name] ?? {});
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
}
