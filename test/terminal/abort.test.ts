import { beforeEach, describe, expect, test, vi } from 'vitest';

import { ABORTED, AbortWatch, untilAborted } from '../../ts/terminal/abort.js';

let watch: AbortWatch;
let controller: AbortController;

beforeEach(() => {
  watch = new AbortWatch();
  controller = new AbortController();
});

describe('a watch on a signal', () => {
  test('calls back everybody once, with one listener', () => {
    const add = vi.spyOn(controller.signal, 'addEventListener');
    const heard: number[] = [];
    for (let index = 0; index < 100; index += 1) watch.watch(controller.signal, () => heard.push(index));
    controller.abort();
    expect(heard).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(add).toHaveBeenCalledTimes(1);
  });

  test('forgets who took it back, and the listener with the last of them', () => {
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const onAbort = vi.fn();
    const stopFirst = watch.watch(controller.signal, onAbort);
    const stopSecond = watch.watch(controller.signal, onAbort);
    stopFirst();
    expect(remove).not.toHaveBeenCalled();
    stopSecond();
    stopSecond();
    expect(remove).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(onAbort).not.toHaveBeenCalled();
  });

  test('can be begun again after the last one took it back', () => {
    const onAbort = vi.fn();
    watch.watch(controller.signal, () => undefined)();
    watch.watch(controller.signal, onAbort);
    controller.abort();
    expect(onAbort).toHaveBeenCalledTimes(1);
  });

  test('can be taken back when the signal has fired', () => {
    const stop = watch.watch(controller.signal, () => undefined);
    controller.abort();
    expect(stop).not.toThrow();
  });
});

describe('untilAborted', () => {
  test('gives what the work gives, and removes its listeners', async () => {
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    expect(await untilAborted(watch, [controller.signal, undefined], () => 7)).toBe(7);
    expect(remove).toHaveBeenCalledTimes(1);
  });

  test('does not begin when a signal fired before', async () => {
    const work = vi.fn();
    expect(await untilAborted(watch, [AbortSignal.abort()], work)).toBe(ABORTED);
    expect(work).not.toHaveBeenCalled();
  });

  test('swallows what the work does after the signal fired', async () => {
    const waiting = untilAborted(watch, [controller.signal], async (signal) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      throw new Error('late');
    });
    controller.abort();
    expect(await waiting).toBe(ABORTED);
  });
});
