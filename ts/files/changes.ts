import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { userStateFolder } from '../config/own-folder.js';
import { integerOption, invalidArgument, optionsObject, textValue } from '../config/validate.js';
import type { NativeChangesConfig } from '../native/binding.js';
import { DEFAULT_CHANGES_BYTES, DEFAULT_CHANGES_DAYS, MAX_CHANGES_BYTES, MAX_CHANGES_DAYS } from './limits.js';

/** Where what changes replace is kept, and how much of it. */
export interface ChangesOptions {
  /**
   * Absolute path of a folder that only this user may use; made where it is missing. No file tool reads or writes it, and no
   * command of a toolkit unless it reads any file or is not confined. Default: `handrail/changes` in the user's folder for state (`XDG_STATE_HOME`, else `~/.local/state`).
   */
  readonly folder?: string | undefined;
  /**
   * Most bytes of what calls replaced, of all roots together; the oldest call goes first. Of a call that replaced more
   * nothing is kept. Default: 256 MiB. Range: 1 byte to 64 GiB.
   */
  readonly maxBytes?: number | undefined;
  /** How long a call is kept, in days. Default: 7. Range: 1 to 3,650. */
  readonly maxDays?: number | undefined;
}

const MS_PER_DAY = 86_400_000;

/** Checks `changes`. Undefined where nothing is kept: the host says so, or the user has no folder for state. */
export function changesOption(value: unknown): NativeChangesConfig | undefined {
  if (value === undefined || value === false) return undefined;
  const given = optionsObject(value, 'changes', ['folder', 'maxBytes', 'maxDays']);
  const folder = given['folder'] === undefined ? userStateFolder('handrail/changes') : absolute(given['folder']);
  const bytes = { min: 1, max: MAX_CHANGES_BYTES, unit: 'bytes' };
  const days = { min: 1, max: MAX_CHANGES_DAYS, unit: 'days' };
  const maxBytes = integerOption(given['maxBytes'], 'changes.maxBytes', bytes, DEFAULT_CHANGES_BYTES);
  const maxDays = integerOption(given['maxDays'], 'changes.maxDays', days, DEFAULT_CHANGES_DAYS);
  if (folder === undefined) return undefined;
  return { folder, maxBytes, maxAgeMs: maxDays * MS_PER_DAY, owner: randomUUID() };
}

function absolute(value: unknown): string {
  const folder = textValue(value, 'changes.folder');
  if (!path.isAbsolute(folder)) throw invalidArgument('changes.folder', 'an absolute path', value);
  return folder;
}
