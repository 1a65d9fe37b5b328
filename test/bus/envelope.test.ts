import { expect, it } from 'vitest';
import { MessageEnvelope, microsecondsNow } from '../../ts/bus/envelope.js';
import { encodePayload } from '../../ts/bus/payload.js';

const KEYS = ['id', 'conversation_id', 'sender', 'recipient', 'type', 'content', 'metadata', 'created_at'];
const MINIMAL = { conversation_id: 'c', sender: 'user:ann', recipient: 'chat:c', type: 'message' };

it('reads what the original has written unchanged, byte for byte', () => {
  const wire =
    '{"id":"9b2f0f1e-1111-4222-8333-444455556666","conversation_id":"conv1","sender":"agent:DevAgent",' +
    '"recipient":"agent:Reviewer","type":"message","content":"caf\\u00e9 \\ud83d\\ude00 \\u007f\\n","metadata":' +
    '{"orchestrate":{"done_topic":"signal:x","allowed_paths":["a"]},"_bus":{"v":1}},"created_at":"2026-11-20T10:00:11.224610Z"}';
  const envelope = MessageEnvelope.parse(JSON.parse(wire));
  expect(envelope.content).toBe('café 😀 \u007f\n');
  expect(encodePayload(envelope, undefined).text).toBe(wire);
});

it('fills in what may be missing, and drops what it does not know', () => {
  const envelope = MessageEnvelope.parse({ ...MINIMAL, trace: 'x' });
  expect(Object.keys(envelope)).toEqual(KEYS);
  expect(envelope).toMatchObject({ content: null, metadata: {} });
  expect(envelope.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(envelope.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(MessageEnvelope.parse(MINIMAL).id).not.toBe(envelope.id);
});

it.each([
  ['2026-11-20T10:00:11.224610Z', '2026-11-20T10:00:11.224610Z'],
  ['2026-11-20T10:00:11Z', '2026-11-20T10:00:11Z'],
  ['2026-11-20T10:00:11.5+02:00', '2026-11-20T08:00:11.500000Z'],
  ['2026-11-20T10:00:11.123456+00:00', '2026-11-20T10:00:11.123456Z'],
])('gives the time %s as %s', (given, shown) => {
  expect(MessageEnvelope.parse({ ...MINIMAL, created_at: given }).created_at).toBe(shown);
});

it.each<[string, unknown]>([
  ['no conversation', { ...MINIMAL, conversation_id: undefined }],
  ['another type', { ...MINIMAL, type: 'token' }],
  ['a number for a text', { ...MINIMAL, content: 7 }],
  ['a list for metadata', { ...MINIMAL, metadata: [] }],
  ['no time', { ...MINIMAL, created_at: 'yesterday' }],
  ['a time of nowhere', { ...MINIMAL, created_at: '2026-11-20T10:00:11' }],
  ['a month too many', { ...MINIMAL, created_at: '2026-13-20T10:00:11Z' }],
  ['nothing', null],
])('refuses %s, and says where', (_name, value) => {
  const result = MessageEnvelope.safeParse(value);
  expect(result.success).toBe(false);
  if (!result.success) expect(result.error.issues.length).toBeGreaterThan(0);
  expect(() => MessageEnvelope.parse(value)).toThrow();
});

it('repeats no value in what it says', () => {
  const result = MessageEnvelope.safeParse({ ...MINIMAL, type: 'hunter2', created_at: 'hunter2' });
  expect(result.success ? '' : JSON.stringify(result.error.issues)).not.toContain('hunter2');
});

it('has times that do not go back', () => {
  const times = Array.from({ length: 1_000 }, microsecondsNow);
  expect(times.toSorted()).toEqual(times);
});
