import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { live } from '../support/live.js';
import { living, marker, sleep } from '../support/processes.js';

const { host, service } = live();

const MEBIBYTE = 1_024 * 1_024;
/** Cleaned text of a service's standard error that is kept. */
const ERROR_BYTES = 64 * 1_024;

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('a service', () => {
  it('gets and gives bytes as they are, a million of them both ways', async () => {
    const { service: cat, output } = await service('cat');
    const bytes = randomBytes(MEBIBYTE);
    for (let at = 0; at < bytes.length; at += 100_000) await cat.write(bytes.subarray(at, at + 100_000));
    cat.endInput();
    expect(await cat.ended).toMatchObject({ status: 'exited', exitCode: 0, survivors: [] });
    expect(output()).toHaveLength(MEBIBYTE);
    expect(digest(output())).toBe(digest(bytes));
  });

  it('says its exit code, or the signal that ended it', async () => {
    const { service: failing } = await service('bash', ['-c', 'exit 7']);
    expect(await failing.ended).toMatchObject({ status: 'exited', exitCode: 7, signal: null });
    const { service: killed } = await service('bash', ['-c', 'kill -SEGV $$']);
    expect(await killed.ended).toMatchObject({ status: 'signaled', exitCode: null, signal: 'SIGSEGV' });
    await killed.exited;
  });

  it('has the end of its standard error cleaned, masked and bounded', async () => {
    const script = `echo first >&2; seq 1 100000 >&2; printf '\\e[31mred\\e[0m ${FAKE_KEY}\\n' >&2`;
    const { service: noisy } = await service('bash', ['-c', script]);
    await noisy.ended;
    const errors = noisy.stderr();
    expect(errors).toMatch(/\n100000\nred \[REDACTED\]\n$/);
    expect(errors).not.toContain('first');
    // Beside what is kept a line says what is not.
    expect(errors.length).toBeGreaterThan(ERROR_BYTES / 2);
    expect(errors.length).toBeLessThan(ERROR_BYTES + 200);
  });

  it('is read no faster than onOutput takes it', async () => {
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    let bytes = 0;
    const onOutput = (piece: Uint8Array) => {
      bytes += piece.length;
      return blocked;
    };
    const { service: yes } = await service('head', ['-c', '100000000', '/dev/zero'], { onOutput });
    await expect.poll(() => bytes).toBeGreaterThan(0);
    await sleep(300);
    const held = bytes;
    await sleep(300);
    expect(bytes).toBe(held);
    expect(held).toBeLessThan(10_000_000);
    release();
    await yes.ended;
    await expect.poll(() => bytes).toBe(100_000_000);
  });

  it('goes on when what onOutput returns is rejected', async () => {
    let calls = 0;
    const onOutput = () => {
      calls += 1;
      return Promise.reject(new Error('planted'));
    };
    const { service: cat } = await service('cat', [], { onOutput });
    await cat.write(Buffer.from('a'));
    await expect.poll(() => calls).toBe(1);
    await cat.write(Buffer.from('b'));
    await expect.poll(() => calls).toBe(2);
  });

  it('takes no more than 4 MiB that it does not read, and rejects what it never read at its end', async () => {
    const { service: stuck } = await service('sleep', ['1000']);
    const piece = randomBytes(MEBIBYTE);
    const writes = Array.from({ length: 4 }, () => stuck.write(piece).catch((error: unknown) => error));
    await expect(stuck.write(piece)).rejects.toMatchObject({ code: 'ERR_BUSY' });
    await stuck.close();
    for (const error of await Promise.all(writes)) expect(error).toMatchObject({ code: 'ERR_CLOSED' });
    await expect(stuck.write(piece)).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  it('is ended with everything it started, and can be closed again', async () => {
    const mark = marker();
    const { service: parent } = await service('bash', [
      '-c',
      `setsid sleep ${mark} & nohup sleep ${mark} & sleep ${mark}`,
    ]);
    await expect.poll(() => living(mark).length).toBeGreaterThanOrEqual(3);
    const [end] = await Promise.all([parent.close(), parent.close()]);
    expect(end).toMatchObject({ status: 'cancelled', survivors: [] });
    expect(living(mark)).toEqual([]);
  });

  it('that ends by itself when its input ends is not killed', async () => {
    const closed = async () => {
      const { service: polite } = await service('bash', ['-c', 'cat > /dev/null; exit 5']);
      return await polite.close();
    };
    // It has 300 ms to do so; a busy machine may take longer.
    await expect.poll(closed).toMatchObject({ status: 'exited', exitCode: 5 });
  });

  it('that cannot be found is refused', async () => {
    await expect(service('no-such-program-anywhere')).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('services', () => {
  it('are as many as there may be; one more is refused, and one that ends makes room', async () => {
    const started = host({ maxServices: 2 });
    const open = () => service('cat', [], {}, started);
    const { service: first } = await open();
    await open();
    await expect(open()).rejects.toMatchObject({
      code: 'ERR_BUSY',
      message: expect.stringMatching(/\b2\b/) as string,
    });
    await first.close();
    const { service: third, output } = await open();
    await third.write(Buffer.from('a'));
    await expect.poll(() => output().toString()).toBe('a');
    await started.services.close();
    expect(await third.ended).toMatchObject({ survivors: [] });
  });
});
