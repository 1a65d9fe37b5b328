/** What a host decides about files that are read-only or cannot be replaced: through `Files` and a toolkit, as both users. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { Files } from '../../ts/files/files.js';
import { hostProgram, USERS } from '../attacks/hosts.js';
import type { OptionsAnswer, OptionsRequest } from './options-host.js';

const write = await hostProgram<OptionsRequest, OptionsAnswer>('../files/options-host.ts');
const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync('/tmp/handrail-file-options-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, mode: number, uid: number): string {
  const target = path.join(folder, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, 'old\n');
  chmodSync(target, mode);
  if (isRoot) for (const place of [folder, target]) chownSync(place, uid, uid);
  return target;
}

it.each(USERS)('as uid %i a read-only file is refused unless the host says otherwise, and stays one', async (uid) => {
  const target = file('f', 0o444, uid);
  for (const { ok, code, text } of await write(uid, { folder, name: 'f', options: {} })) {
    expect({ ok, code }).toEqual({ ok: false, code: 'read_only' });
    expect(text).toContain('f is read-only (mode 444)');
    expect(text).toContain('`replaceReadOnly: true`');
  }
  expect(readFileSync(target, 'utf8')).toBe('old\n');
  const lifted = await write(uid, { folder, name: 'f', options: { replaceReadOnly: true, sync: false } });
  expect(lifted.map(({ ok }) => ok)).toEqual([true, true]);
  expect(readFileSync(target, 'utf8')).toBe('by a toolkit\n');
  expect(statSync(target).mode & 0o777).toBe(0o444);
});

// Every folder takes root's files.
it.each(USERS.filter((uid) => uid !== 0))(
  'as uid %i a file in a folder that takes none is refused unless the host lets it be changed in place',
  async (uid) => {
    const target = file('fixed/f', 0o644, uid);
    const { ino } = statSync(target);
    chmodSync(path.dirname(target), 0o555);
    for (const { ok, code, text } of await write(uid, { folder, name: 'fixed/f', options: {} })) {
      expect({ ok, code }).toEqual({ ok: false, code: 'in_place_only' });
      expect(text).toContain('`inPlace: true`');
    }
    expect(readFileSync(target, 'utf8')).toBe('old\n');
    const lifted = await write(uid, { folder, name: 'fixed/f', options: { inPlace: true } });
    expect(lifted.map(({ ok }) => ok)).toEqual([true, true]);
    expect(readFileSync(target, 'utf8')).toBe('by a toolkit\n');
    expect(statSync(target).ino).toBe(ino);
    chmodSync(path.dirname(target), 0o755);
  },
);

it.each(['replaceReadOnly', 'inPlace', 'sync', 'learnSecrets'])('%s is true or false', (name) => {
  expect(() => new Files({ [name]: 'yes' })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
});
