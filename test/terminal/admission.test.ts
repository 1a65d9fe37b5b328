import { beforeEach, describe, expect, test, vi } from 'vitest';

import { MAX_START_MS_PER_TURN, MAX_STARTS_PER_TURN } from '../../ts/index.js';
import { Admission } from '../../ts/terminal/admission.js';
import { nextTurn } from './fake-binding.js';

let clockMs: number;

beforeEach(() => {
  clockMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs);
});

/** Asks for `count` starts that take `costMs` each; what they did is in the list. */
function ask(admission: Admission, count: number, costMs = 0): number[] {
  const started: number[] = [];
  for (let index = 0; index < count; index += 1) {
    admission.admit(() => {
      started.push(index);
      clockMs += costMs;
    });
  }
  return started;
}

describe('admission', () => {
  test('ends a turn at its bound, not before, and keeps the order', async () => {
    const admission = new Admission();
    const started = ask(admission, 2 * MAX_STARTS_PER_TURN + 1);
    const counts = [started.length];
    await nextTurn();
    counts.push(started.length);
    await nextTurn();
    counts.push(started.length);
    expect(counts).toEqual([32, 64, 65]);
    expect(started).toEqual(started.map((_, index) => index));
  });

  test('ends a turn when its starts took too long', async () => {
    const admission = new Admission();
    const started = ask(admission, 5, MAX_START_MS_PER_TURN / 2);
    expect(started).toEqual([0, 1]);
    await nextTurn();
    expect(started).toEqual([0, 1, 2, 3]);
    await nextTurn();
    expect(started).toHaveLength(5);
  });

  test('lets one start through however long it takes', async () => {
    const admission = new Admission();
    const started = ask(admission, 3, 10 * MAX_START_MS_PER_TURN);
    expect(started).toHaveLength(1);
    await nextTurn();
    expect(started).toHaveLength(2);
    await nextTurn();
    expect(started).toHaveLength(3);
  });

  test('puts nobody before those who wait', async () => {
    const admission = new Admission();
    const first = ask(admission, MAX_STARTS_PER_TURN + 1);
    await Promise.resolve();
    const second = ask(admission, 1);
    expect(second).toEqual([]);
    await nextTurn();
    expect(first).toHaveLength(MAX_STARTS_PER_TURN + 1);
    expect(second).toEqual([0]);
  });

  test('gives what the start gives, at once or later, or throws what it throws', async () => {
    const admission = new Admission();
    expect(admission.admit(() => 7)).toBe(7);
    const fail = () => {
      throw new Error('no');
    };
    expect(() => admission.admit(fail)).toThrow('no');
    ask(admission, MAX_STARTS_PER_TURN);
    await expect(admission.admit(() => 8)).resolves.toBe(8);
    ask(admission, MAX_STARTS_PER_TURN);
    await expect(admission.admit(fail)).rejects.toThrow('no');
  });
});
