import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { makeFolder, userStateFolder } from '../config/own-folder.js';
import { HandrailError } from '../errors.js';
import { isBeneath } from '../terminal/beneath.js';
import type { Files } from './files.js';
import { sweepLayers } from './layer-changes.js';

/** The format of `layer.json`. */
const VERSION = 1;
const PRIVATE = 0o700;
const MODE_BITS = 0o7777;
/** The pause between two looks at the clock of the file system, in milliseconds. */
const TICK_PAUSE_MS = 1;
/** Place of the start time among the fields of a process's `stat` that follow its name. */
const START_FIELD = 19;

/** A process, and when it was started, in ticks since the machine was. */
interface Owner {
  readonly pid: number;
  readonly start: number;
}

/**
 * Makes the folder of a layer over these writable roots, by their resolved paths, which begins now. Its files are those of a
 * transaction, which ends with this process: what is left of it is removed when the next one begins.
 *
 * @throws HandrailError `ERR_GUARANTEE_UNAVAILABLE` where the user has no folder for state, `ERR_SYSTEM` where nothing can be
 * made in it.
 */
export async function makeLayer(files: Files, roots: readonly string[]): Promise<string> {
  const folder = makeLayerIn(await openLayers(files, roots), roots);
  await beginLayer(folder, roots);
  return folder;
}

/**
 * Makes the folder of all layers, and drops what ended processes have left in it.
 *
 * @throws HandrailError As `makeLayer`.
 */
export async function openLayers(files: Files, roots: readonly string[]): Promise<string> {
  const layers = layersFolder();
  if (roots.some((root) => isBeneath(root, realPlace(layers)))) {
    const why = 'the folder for state (XDG_STATE_HOME) lies in a root';
    throw new HandrailError('ERR_GUARANTEE_UNAVAILABLE', `No transaction can be made: ${why}`);
  }
  const folder = inState(() => {
    makeFolderAt(layers);
    chmodSync(layers, PRIVATE);
    return realpathSync(layers);
  });
  const swept = await sweepLayers(files, folder);
  if (!swept.ok) throw unmade(swept.refusal.reason);
  return folder;
}

/** Makes the folder of a layer in that of all layers. It has to begin before anything is written into it. */
export function makeLayerIn(layers: string, roots: readonly string[]): string {
  return inState(() => {
    const folder = path.join(layers, randomUUID());
    mkdirSync(folder, { mode: PRIVATE });
    const description = { version: VERSION, owner: ownerOf(process.pid), roots };
    writeFileSync(path.join(folder, 'layer.json'), JSON.stringify(description), { mode: 0o600 });
    for (const number of roots.keys()) {
      const own = path.join(folder, String(number));
      makeFolder(own);
      makeFolder(path.join(own, 'upper'));
      makeFolder(path.join(own, 'work'));
    }
    writeFileSync(path.join(folder, 'begun'), '', { mode: 0o600 });
    return folder;
  });
}

/**
 * Has a layer begin: what changes beneath its roots from now on was changed by others. The clock of file systems ticks meanwhile, so
 * that nothing which changed before has the same time.
 */
export async function beginLayer(folder: string, roots: readonly string[]): Promise<void> {
  const begun = path.join(folder, 'begun');
  const touched = (): bigint => {
    chmodSync(begun, 0o600);
    return statSync(begun, { bigint: true }).ctimeNs;
  };
  const first = inState(() => {
    for (const [number, root] of roots.entries()) likeRoot(path.join(folder, String(number), 'upper'), root);
    return touched();
  });
  while (inState(touched) === first) await pause(TICK_PAUSE_MS);
}

function inState<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof HandrailError) throw error;
    throw unmade(error instanceof Error && 'code' in error ? String(error.code) : 'unknown', error);
  }
}

function unmade(why: string, cause?: unknown): HandrailError {
  return new HandrailError('ERR_SYSTEM', `No folder for a transaction can be made (${why})`, { cause });
}

function layersFolder(): string {
  const layers = userStateFolder('handrail/layers');
  if (layers !== undefined) return layers;
  throw new HandrailError('ERR_GUARANTEE_UNAVAILABLE', 'A transaction needs a folder for state (XDG_STATE_HOME)');
}

/** Makes a folder and those above it where there are none. */
function makeFolderAt(folder: string): void {
  if (existsSync(folder)) return;
  makeFolderAt(path.dirname(folder));
  makeFolder(folder);
}

/** The resolved path of a place that need not exist. */
function realPlace(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    // Nothing is opened by it: where a part of it cannot be resolved, making the folder says why.
    return path.join(realPlace(path.dirname(place)), path.basename(place));
  }
}

/** What a layer shows at a root has the owner, mode and times of the upper folder. */
function likeRoot(upper: string, root: string): void {
  const { uid, gid, mode, atime, mtime } = statSync(root);
  if (process.geteuid?.() === 0) chownSync(upper, uid, gid);
  chmodSync(upper, mode & MODE_BITS);
  utimesSync(upper, atime, mtime);
}

function ownerOf(pid: number): Owner {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid, start: Number(fields[START_FIELD]) };
}
