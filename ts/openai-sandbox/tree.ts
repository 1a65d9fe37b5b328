import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { recordOf } from './record.js';

const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A FIFO that a command made must not hold the host: without a writer, opening one waits. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const READ_PIECE_BYTES = 1024 * 1024;

/** Most folders above a file. While a tree is walked, each is a descriptor. */
export const MAX_TREE_DEPTH = 128;

/** What the system says of a name that is gone, or that names something of another kind by now. */
const GONE_CODES: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ENXIO'];

/**
 * A file, a folder or a link of a tree. Other kinds (FIFOs, sockets, devices) are passed over, and names that are not
 * UTF-8.
 */
export interface TreeEntry {
  /** Path from the root of the tree, parts joined by `/`. */
  readonly path: string;
  readonly type: 'dir' | 'file' | 'link';
  readonly executable: boolean;
  /** Size of a file. */
  readonly size: number;
  /** Where a link leads, as it is written in it. Absent where that is not UTF-8. */
  readonly target?: string;
}

/**
 * A folder that is held open. Every name beneath it is looked up from a descriptor of the folder above, part by part, and
 * no link is followed: what commands exchange meanwhile leads nowhere else.
 */
export class WorkspaceTree {
  readonly #root: FileHandle;

  private constructor(root: FileHandle) {
    this.#root = root;
  }

  /** Fails with a code of the system where the path is a link or no folder. */
  static async open(folder: string): Promise<WorkspaceTree> {
    return new WorkspaceTree(await open(folder, DIRECTORY_FLAGS));
  }

  /** Opens the folder, and closes it after `use`. */
  static async with<Result>(folder: string, use: (tree: WorkspaceTree) => Promise<Result>): Promise<Result> {
    const tree = await WorkspaceTree.open(folder);
    try {
      return await use(tree);
    } finally {
      await tree.#root.close();
    }
  }

  /**
   * The bytes of a file.
   *
   * @param maxBytes A longer file gives `undefined`.
   */
  async read(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    return await this.#beneath(path, false, async (above, name) => {
      const file = await open(at(above, name), READ_FLAGS);
      try {
        if (!(await file.stat()).isFile()) throw systemError('EINVAL', 'not a file');
        return await contentOf(file, maxBytes);
      } finally {
        await file.close();
      }
    });
  }

  /** Whether there is a link of that name. */
  async isLink(path: string): Promise<boolean> {
    return await this.#beneath(path, true, async (above, name) => {
      const stats = await lstat(at(above, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return;
      });
      return stats?.isSymbolicLink() === true;
    });
  }

  /** Writes a new file. A file or link of that name is removed first, so that other names of it keep their content. */
  async write(path: string, content: Uint8Array, mode: number): Promise<void> {
    await this.#beneath(path, true, async (above, name) => {
      await rm(at(above, name), { force: true });
      const file = await open(at(above, name), CREATE_FLAGS, mode);
      try {
        await file.writeFile(content);
        await file.chmod(mode);
      } finally {
        await file.close();
      }
    });
  }

  /** Makes a folder, and those above it. One that is there stays, and gets the mode. */
  async makeFolder(path: string, mode?: number): Promise<void> {
    await this.#beneath(path, true, async (above, name) => {
      const folder = await enter(above, name, true);
      try {
        if (mode !== undefined) await folder.chmod(mode);
      } finally {
        await folder.close();
      }
    });
  }

  /** Makes a link. Where it leads is for the caller to check. */
  async link(path: string, target: string): Promise<void> {
    await this.#beneath(path, true, (above, name) => symlink(target, at(above, name)));
  }

  /** Removes everything beneath the folder, however deep it lies. No program may run in it meanwhile. */
  async clear(): Promise<void> {
    let isMoved = true;
    while (isMoved) isMoved = await removeContent(this.#root, this.#root, 0);
  }

  /** Everything beneath the folder but `excluded` and what lies beneath that, sorted, each folder before its content. */
  async *entries(excluded: ReadonlySet<string> = new Set()): AsyncGenerator<TreeEntry> {
    if (!excluded.has('')) yield* entriesOf(this.#root, '', excluded);
  }

  /** Calls `use` with the folder that holds the last part of the path. */
  async #beneath<Result>(
    path: string,
    create: boolean,
    use: (above: FileHandle, name: string) => Promise<Result>,
  ): Promise<Result> {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    if ([...parts, name].some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
      throw systemError('EINVAL', 'not a path beneath the folder');
    }
    let above = this.#root;
    try {
      for (const part of parts) {
        const next = await enter(above, part, create);
        if (above !== this.#root) await above.close();
        above = next;
      }
      return await use(above, name);
    } finally {
      if (above !== this.#root) await above.close();
    }
  }
}

/** Removes a folder with everything in it, however deep it lies. One that is not there is no error. */
export async function removeFolder(folder: string): Promise<void> {
  await ifThere(WorkspaceTree.with(folder, (tree) => tree.clear()));
  await rm(folder, { recursive: true, force: true });
}

/** Whether an error says that a name is gone, or names something of another kind by now. */
export function isGone(error: unknown): boolean {
  return GONE_CODES.includes(recordOf(error)['code']);
}

async function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (!isGone(error)) throw error;
    return;
  }
}

/** A name in a folder that is held open. The last part is the only one that the kernel looks up by name. */
function at(folder: FileHandle, name: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${folder.fd}/`), Buffer.from(name)]);
}

async function enter(above: FileHandle, name: string | Buffer, create: boolean): Promise<FileHandle> {
  if (create) {
    await mkdir(at(above, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return await open(at(above, name), DIRECTORY_FLAGS);
}

async function contentOf(file: FileHandle, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  while (true) {
    const piece = Buffer.allocUnsafe(Math.min(READ_PIECE_BYTES, maxBytes + 1 - total));
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return Buffer.concat(pieces, total);
    total += bytesRead;
    if (total > maxBytes) return undefined;
    pieces.push(piece.subarray(0, bytesRead));
  }
}

async function* entriesOf(
  folder: FileHandle,
  prefix: string,
  excluded: ReadonlySet<string>,
): AsyncGenerator<TreeEntry> {
  if (prefix.split('/').length > MAX_TREE_DEPTH + 1) {
    throw systemError('ENAMETOOLONG', 'folders are nested too deep');
  }
  for (const name of await sortedNames(folder, prefix === '')) {
    const path = `${prefix}${name}`;
    const entry = excluded.has(path) ? undefined : await ifThere(entryOf(folder, name, path));
    if (entry !== undefined && entry.type !== 'dir') yield entry;
    const below = entry?.type === 'dir' ? await ifThere(enter(folder, name, false)) : undefined;
    if (entry === undefined || below === undefined) continue;
    try {
      yield entry;
      yield* entriesOf(below, `${path}/`, excluded);
    } finally {
      await below.close();
    }
  }
}

/** The names in a folder that are UTF-8. A folder beneath the root may be gone by now. */
async function sortedNames(folder: FileHandle, isRoot: boolean): Promise<string[]> {
  const listing = readdir(at(folder, '.'), { encoding: 'buffer' });
  const names = isRoot ? await listing : ((await ifThere(listing)) ?? []);
  const readable = names.filter((name) => isUtf8(name)).map((name) => name.toString());
  return readable.sort();
}

async function entryOf(folder: FileHandle, name: string, path: string): Promise<TreeEntry | undefined> {
  const stats = await lstat(at(folder, name));
  const common = { path, executable: (stats.mode & 0o100) !== 0, size: stats.size };
  if (stats.isFile()) return { ...common, type: 'file' };
  if (stats.isDirectory()) return { ...common, type: 'dir' };
  if (!stats.isSymbolicLink()) return undefined;
  const target = await readlink(at(folder, name), { encoding: 'buffer' });
  return { ...common, type: 'link', ...(isUtf8(target) ? { target: target.toString() } : {}) };
}

/**
 * Removes what a folder holds.
 *
 * @param depth Folders between this one and the root, each held open. What lies beneath too many is moved to the root.
 * @returns Whether something was moved to the root, which has to be emptied once more.
 */
async function removeContent(folder: FileHandle, root: FileHandle, depth: number): Promise<boolean> {
  let isMoved = false;
  for (const name of await readdir(at(folder, '.'), { encoding: 'buffer' })) {
    if (await isRemoved(folder, name)) continue;
    if (depth === MAX_TREE_DEPTH) {
      await ifThere(rename(at(folder, name), at(root, `.removed-${randomUUID()}`)));
      isMoved = true;
      continue;
    }
    const below = await ifThere(enter(folder, name, false));
    if (below === undefined) continue;
    try {
      isMoved = (await ifThere(removeContent(below, root, depth + 1))) === true || isMoved;
    } finally {
      await below.close();
    }
    await ifThere(rmdir(at(folder, name)));
  }
  return isMoved;
}

/** Removes a name, unless it is that of a folder that holds something. */
async function isRemoved(folder: FileHandle, name: Buffer): Promise<boolean> {
  try {
    await unlink(at(folder, name)).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EISDIR') throw error;
      await rmdir(at(folder, name));
    });
    return true;
  } catch (error) {
    const { code } = recordOf(error) as { readonly code?: unknown };
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
