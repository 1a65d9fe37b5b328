import { PassThrough, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type RunOptions, type StdinPiece, Terminal } from '../../ts/index.js';
import { until } from '../support/processes.js';

let terminal: Terminal;

beforeEach(() => {
  terminal = new Terminal({
    allow: ['bash', 'cat', 'head', 'sleep', 'true', 'wc'],
    trustInterpreters: ['bash'],
    graceMs: 0,
  });
});

afterEach(async () => {
  await terminal.close();
});

/** A source that notes how many pieces it was asked for, and whether it was let go of. */
class Counted implements AsyncIterableIterator<StdinPiece> {
  given = 0;
  returned = false;
  readonly #piece: (index: number) => unknown;

  constructor(piece: (index: number) => unknown) {
    this.#piece = piece;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<StdinPiece, undefined>> {
    const value = await this.#piece(this.given);
    this.given += 1;
    return value === undefined ? { done: true, value } : { done: false, value: value as StdinPiece };
  }

  return(): Promise<IteratorResult<StdinPiece, undefined>> {
    this.returned = true;
    return Promise.resolve({ done: true, value: undefined });
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

const PIECES = ['grü', new Uint8Array(), Buffer.from('ße\n'), undefined];

const pieces = (): Counted => new Counted((index) => PIECES[index]);

async function* generated(): AsyncGenerator<StdinPiece> {
  yield 'grü';
  await Promise.resolve();
  yield 'ße\n';
}

describe('a source of input', () => {
  test.each<[string, () => NonNullable<RunOptions['stdin']>]>([
    ['an async iterable', pieces],
    ['an async generator', generated],
    ['a Readable', () => Readable.from(['grü', 'ße\n'])],
    ['a web stream', () => new ReadableStream<StdinPiece>(new Pushed(['grü', 'ße\n']))],
  ])('can be %s', async (_name, source) => {
    expect(await terminal.run('cat', { stdin: source() })).toMatchObject({ status: 'exited', stdout: 'grüße\n' });
    expect(await terminal.run('cat', { stdin: source(), merge: true })).toMatchObject({ stdout: 'grüße\n' });
  });

  test('may be longer than what is given whole, and its pieces as long as they like', async () => {
    const large = Buffer.alloc(9 * 1024 * 1024, 'a');
    const source = new Counted((index) => (index < 3 ? large : undefined));
    expect((await terminal.run('wc -c', { stdin: source })).stdout.trim()).toBe(String(3 * large.length));
  });

  test('is read no faster than the command reads', async () => {
    const source = new Counted(() => Buffer.alloc(65_536));
    const result = await terminal.run('sleep 60', { stdin: source, timeoutMs: 500 });
    expect(result.status).toBe('timed_out');
    // A pipe holds one, and one waits.
    expect(source.given).toBeLessThan(5);
    expect(source.returned).toBe(true);
  });

  test('that waits is let go of with its command', async () => {
    const source = new Counted(never);
    const stream = new PassThrough();
    let reason: unknown = 'open';
    const web = new ReadableStream<StdinPiece>({
      cancel(given) {
        reason = given;
      },
    });
    for (const stdin of [source, stream, web]) {
      expect((await terminal.run('cat', { stdin, timeoutMs: 200 })).status).toBe('timed_out');
    }
    await Promise.resolve();
    expect({ returned: source.returned, destroyed: stream.destroyed, reason }).toEqual({
      returned: true,
      destroyed: true,
      reason: undefined,
    });
  });

  test('is given up when the command has closed its input, though it runs on', async () => {
    const source = new Counted((index) => (index < 1_000 ? Buffer.alloc(65_536) : undefined));
    const running = terminal.run(['bash', '-c', 'exec 0<&-; sleep 60'], { stdin: source, timeoutMs: 50_000 });
    expect(await until(() => source.returned)).toBeDefined();
    expect(source.given).toBeLessThan(100);
    await terminal.close();
    expect((await running).status).toBe('cancelled');
  });

  test('may be more than a command reads', async () => {
    const source = new Counted(() => 'line\n');
    expect(await terminal.run('head -n 1', { stdin: source })).toMatchObject({ ok: true, stdout: 'line\n' });
    expect(source.returned).toBe(true);
    expect((await terminal.run('true', { stdin: pieces() })).failure).toBeUndefined();
  });

  test.each<[string, (index: number) => unknown, string]>([
    ['throws', () => Promise.reject(new Error('password=hunter2')), 'password=[REDACTED]'],
    ['gives no text and no bytes', () => 7, 'expected a piece to be a string or a Uint8Array, got `7` (number)'],
  ])('that %s ends its command', async (_name, piece, why) => {
    let isRead = (): void => undefined;
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const source = new Counted((index) => (index === 0 ? 'first\n' : read.then(() => piece(index))));
    const result = await terminal.run('cat', { stdin: source, onOutput: isRead });
    expect(result).toMatchObject({ status: 'cancelled', stdout: 'first\n', survivors: [] });
    expect(result.failure).toEqual({
      code: 'input_failed',
      message: `the standard input could not be read on: ${why}`,
    });
    expect(source.returned).toBe(true);
  });

  test('belongs to its own run, however many there are', async () => {
    const runs = Array.from({ length: 40 }, async (_, number) => {
      const line = `${number}\n`.repeat(10_000);
      const source = new Counted((index) => (index < 10 ? line : undefined));
      const { bytes, stdout } = await terminal.run('cat', { stdin: source });
      expect(bytes.stdout).toBe(10 * line.length);
      expect(new Set(stdout.split('\n').slice(0, 100))).toEqual(new Set([String(number)]));
    });
    await Promise.all(runs);
  });

  test('is let go of when its terminal is closed', async () => {
    const source = new Counted((index) => (index === 0 ? 'first\n' : never()));
    const running = terminal.run('cat', { stdin: source });
    await until(() => source.given === 1);
    await terminal.close();
    expect(await running).toMatchObject({ status: 'cancelled', survivors: [] });
    expect(source.returned).toBe(true);
  });

  test('of a signal that fires before the start is not touched', async () => {
    const source = new Counted(() => 'line\n');
    const { status } = await terminal.run('cat', { stdin: source, signal: AbortSignal.abort() });
    expect({ status, given: source.given }).toEqual({ status: 'cancelled', given: 0 });
  });

  test('is not touched for a command that may not run', async () => {
    const source = new Counted(() => 'line\n');
    expect((await terminal.run('rm x', { stdin: source })).status).toBe('denied');
    expect(source).toMatchObject({ given: 0, returned: false });
  });
});

class Pushed {
  readonly #pieces: StdinPiece[];

  constructor(pieces: StdinPiece[]) {
    this.#pieces = pieces;
  }

  pull(controller: { enqueue(piece: StdinPiece): void; close(): void }): void {
    const next = this.#pieces.shift();
    if (next === undefined) controller.close();
    else controller.enqueue(next);
  }
}
