/** What is left of changed files when the power is cut, on ext4 as it is mounted everywhere: each is the old one or the new one. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { bundled } from '../support/bundled.js';
import { isRequired } from '../support/programs.js';
import { soakSize } from '../support/soak.js';
import type { PowerCutAnswer, PowerCutRequest } from './power-cut-host.js';

/** After the changes. The journal is written every 5 seconds, contents after 30. */
const ALL_TIMES_MS = [1_000, 3_000, 8_000, 20_000, 45_000];
/** When the names are on the disk for sure, and contents are not. */
const SHORT_TIMES_MS = [8_000];
const ALONE = ['--mount', '--propagation', 'private'];
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
const FILES = 90;

/** Where another program of this machine calls `sync` meanwhile, nothing is lost without our own either. */
const MAX_TRIES = 4;

const run = promisify(execFile);

const hasLost = ({ unsynced }: PowerCutAnswer): boolean => Object.values(unsynced).some(({ empty }) => empty > 0);

/** Why power cannot be cut here. */
function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'not root';
  const env = { ...process.env, PATH };
  if (spawnSync('mkfs.ext4', ['-V'], { env }).status !== 0) return 'no mkfs.ext4';
  const script =
    'cd "$(mktemp -d)" && truncate -s 1M i && mkfs.ext4 -q i && mkdir m && mount -o loop i m; s=$?; umount m; rm -r "$PWD"; exit $s';
  const { status } = spawnSync('unshare', [...ALONE, 'sh', '-c', script], { env });
  return status === 0 ? undefined : 'no loop device can be mounted';
}

const reason = missing();

if (isRequired('mkfs_ext4')) {
  it('there is a mkfs.ext4, as HANDRAIL_REQUIRE_MKFS_EXT4 says', () => {
    expect(reason).not.toBe('no mkfs.ext4');
  });
}

const title = 'a power cut leaves no file empty or mixed, and without `sync` it does';

it.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (skipped: ${reason})`, async () => {
  const program = await bundled(fileURLToPath(new URL('power-cut-host.ts', import.meta.url)));
  const folder = mkdtempSync('/tmp/handrail-power-cut-');
  const isWhole = soakSize(1, 0) === 1;
  const timesMs = isWhole ? ALL_TIMES_MS : SHORT_TIMES_MS;
  const cutPower = async (): Promise<PowerCutAnswer> => {
    const request: PowerCutRequest = { folder: mkdtempSync(path.join(folder, 'try-')), timesMs };
    const { stdout } = await run('unshare', [...ALONE, process.execPath, program, JSON.stringify(request)], {
      env: { ...process.env, PATH },
    });
    return JSON.parse(stdout) as PowerCutAnswer;
  };
  try {
    let answer = await cutPower();
    for (let tries = 1; tries < MAX_TRIES && !hasLost(answer); tries += 1) answer = await cutPower();
    const { synced, unsynced, movedSynced, movedUnsynced } = answer;
    if (isWhole) process.stderr.write(`synced: ${JSON.stringify(synced)}\nunsynced: ${JSON.stringify(unsynced)}\n`);
    for (const [time, left] of Object.entries(synced)) {
      expect(left, `${time} ms after`).toMatchObject({ empty: 0, mixed: 0 });
      expect(left.old + left.new).toBe(FILES);
    }
    expect(Object.keys(synced)).toHaveLength(timesMs.length);
    expect(hasLost(answer), JSON.stringify(unsynced)).toBe(true);
    // Files that were moved to another file system.
    expect(movedSynced.gone).toBe(0);
    expect(movedUnsynced.gone).toBeGreaterThan(0);
  } finally {
    rmSync(path.resolve(folder), { recursive: true, force: true });
  }
});
