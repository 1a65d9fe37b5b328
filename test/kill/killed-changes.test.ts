/**
 * A host that is killed at one system call after another while it changes several files: the next one finds all of the
 * changes or none, and no file of ours.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Files } from '../../ts/files/files.js';
import { hasStrace, killAtEachCall } from './killed-calls.js';

const NAMES = Array.from({ length: 8 }, (_, index) => `f${index}`);
const SECTIONS = [
  ...NAMES.map((name) => `*** Update File: ${name}\n@@\n-old\n+new`),
  '*** Add File: made/deep/g\n+g',
  '*** Delete File: gone',
  '*** Update File: here\n*** Move to: there\n@@\n-old\n+new',
].join('\n');
const PATCH = `*** Begin Patch\n${SECTIONS}\n*** End Patch`;

const HOST = `
  import { Files } from 'handrail';
  const { folder, state, patch, change } = JSON.parse(process.argv[1]);
  const files = new Files({ roots: [folder], changes: state === null ? false : { folder: state } });
  const done = change === 'undo' ? await files.undo({ all: true }) : await files.patch(patch);
  if (!done.ok) throw new Error(done.refusal.message);`;

const skipped = hasStrace ? '' : ' (skipped: no strace)';

let base: string;
let folder: string;
let state: string;

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'handrail-killed-'));
  folder = path.join(base, 'root');
  state = path.join(base, 'state/changes');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function setUp(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of [...NAMES, 'gone', 'here']) writeFileSync(path.join(folder, name), 'old\n');
}

/** Every file below the folder with its content, every folder with nothing. */
function tree(): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String).sort();
  const text = (name: string): string => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? '' : readFileSync(file, 'utf8');
  };
  return Object.fromEntries(names.map((name) => [name, text(name)]));
}

/** Tries one call after another; gives what is found after each. */
async function killAtEach(
  prepare: () => void,
  change: 'patch' | 'undo',
  kept: boolean,
): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  const request = { folder, state: kept ? state : null, patch: PATCH, change };
  const name = kept ? change : `${change} without a journal`;
  await killAtEachCall({ name, program: HOST, request }, prepare, async () => {
    if (kept) {
      // The next start takes back what is half done.
      await using files = new Files({ roots: [folder], changes: { folder: state } });
      expect(await files.history({ all: true })).toMatchObject({ ok: true });
      const names = readdirSync(state);
      expect(names.filter((name) => name.endsWith('.open'))).toEqual([]);
      // A content beside a record stays no longer than the record.
      const records = names.filter((name) => name.includes('.')).map((name) => name.split('.')[0]);
      const contents = names.filter((name) => !name.includes('.')).map((name) => name.split('-')[0]);
      expect(records).toEqual(expect.arrayContaining(contents));
    }
    found.push(tree());
  });
  return found;
}

describe(`a host that is killed while it changes files${skipped}`, () => {
  it.skipIf(!hasStrace)('leaves all of a patch or none', async () => {
    setUp();
    const before = tree();
    const fresh = (): void => {
      setUp();
      rmSync(state, { recursive: true, force: true });
    };
    const found = await killAtEach(fresh, 'patch', true);
    const after = found[0];
    expect(after).not.toEqual(before);
    for (const left of found) expect([before, after]).toContainEqual(left);
    expect(found).toContainEqual(before);
  });

  it.skipIf(!hasStrace)('leaves all of an undo or none', async () => {
    setUp();
    const before = tree();
    {
      await using files = new Files({ roots: [folder], changes: { folder: state } });
      expect(await files.patch(PATCH)).toMatchObject({ ok: true });
    }
    const after = tree();
    cpSync(base, `${base}-patched`, { recursive: true, preserveTimestamps: true });
    try {
      const patched = (): void => {
        for (const name of ['root', 'state']) {
          rmSync(path.join(base, name), { recursive: true, force: true });
          cpSync(path.join(`${base}-patched`, name), path.join(base, name), {
            recursive: true,
            preserveTimestamps: true,
          });
        }
      };
      const found = await killAtEach(patched, 'undo', true);
      for (const left of found) expect([before, after]).toContainEqual(left);
      expect(found[0]).toEqual(before);
      expect(found).toContainEqual(after);
    } finally {
      rmSync(`${base}-patched`, { recursive: true, force: true });
    }
  });

  it.skipIf(!hasStrace)('leaves some of it where nothing is kept', async () => {
    setUp();
    const before = tree();
    const found = await killAtEach(setUp, 'patch', false);
    const after = found[0] ?? {};
    const isWhole = (left: object): boolean =>
      [before, after].some((whole) => JSON.stringify(whole) === JSON.stringify(left));
    expect(found.filter((left) => !isWhole(left)).length).toBeGreaterThan(0);
  });
});
