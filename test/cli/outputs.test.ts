import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Outputs } from '../../ts/cli/outputs.js';

/** A stream that takes a write when `take` is called, and fails with `code` if one is given. */
function slowStream(code?: string): { stream: Writable; take: () => void } {
  const waiting: (() => void)[] = [];
  const error = code === undefined ? undefined : Object.assign(new Error('no'), { code });
  const stream = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => waiting.push(() => done(error)),
  });
  return { stream, take: () => waiting.shift()?.() };
}

function quickStream(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

it('listens once, however much is waiting to be taken', () => {
  const { stream } = slowStream();
  const outputs = new Outputs(stream, quickStream());
  const before = stream.eventNames().map((name) => stream.listenerCount(name));
  for (let count = 0; count < 100; count += 1) void outputs.write('stdout', 'text');
  expect(stream.eventNames().map((name) => stream.listenerCount(name))).toEqual(before);
  expect(outputs.settled).toBe(false);
});

it('says when a text was taken', async () => {
  const { stream, take } = slowStream();
  const outputs = new Outputs(stream, quickStream());
  const written = outputs.write('stdout', 'text');
  expect(outputs.settled).toBe(false);
  take();
  await written;
  await outputs.settle(new AbortController().signal);
  expect(outputs.settled).toBe(true);
  expect(outputs.failure).toBeUndefined();
});

it.each(['stdout', 'stderr'] as const)('keeps the first failure of %s and says that nobody is there', async (name) => {
  const { stream, take } = slowStream('EPIPE');
  const outputs = name === 'stdout' ? new Outputs(stream, quickStream()) : new Outputs(quickStream(), stream);
  const writes = [outputs.write(name, 'one'), outputs.write(name, 'two')];
  expect(outputs.gone.aborted).toBe(false);
  take();
  await Promise.all(writes);
  expect(outputs.gone.aborted).toBe(true);
  expect(outputs.failure).toEqual({ stream: name, code: 'EPIPE' });
});

it('does not mind that nobody reads a remark', async () => {
  const { stream, take } = slowStream('EPIPE');
  const outputs = new Outputs(quickStream(), stream);
  const remark = outputs.remark('text');
  take();
  await remark;
  expect(outputs.failure).toBeUndefined();
  expect(outputs.gone.aborted).toBe(false);
});

it('waits for a reader without end, but not when there is a hurry', async () => {
  const outputs = new Outputs(slowStream().stream, quickStream());
  void outputs.write('stdout', 'text');
  const hurry = new AbortController();
  let settled = false;
  const settling = outputs.settle(hurry.signal).then(() => {
    settled = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(settled).toBe(false);
  hurry.abort();
  await settling;
  expect(outputs.settled).toBe(false);
});
