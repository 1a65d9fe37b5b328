import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { decisionFile, readOwnFile } from '../config/own-file.js';
import { realPlace } from '../config/real-place.js';
import { HandrailError } from '../errors.js';
import { isBeneath } from '../terminal/beneath.js';
import { MAX_LOCK_BYTES, MAX_PINNED_SERVERS } from './limits.js';
import { byName } from './names.js';
import type { PinnedServer, Pins } from './pins.js';
import { type ToolSet, toolSet } from './tool-set.js';

const VERSION = 1;

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const lines = z.array(z.string());
const LOCK = z.strictObject({
  version: z.literal(VERSION),
  servers: z.array(
    z.strictObject({
      name: z.string(),
      source: z.string(),
      identity: digest,
      set: digest,
      tools: z.array(
        z.strictObject({
          name: z.string(),
          digests: z.strictObject({ description: digest, schema: digest, annotations: digest }),
          shown: lines,
          notes: lines,
        }),
      ),
    }),
  ),
});

type Lock = z.output<typeof LOCK>;
type LockedServer = Lock['servers'][number];
/** The same where its tools are not changed. */
type Readable<Server extends LockedServer> = Omit<Server, 'tools'> & Pick<ToolSet, 'tools'>;

/** Where a lock file lies. */
export interface LockPlace {
  /** Default: `mcp.lock` beside the list of trusted settings files. */
  readonly file?: string | undefined;
  /** Folders that commands can write to, without links. The file may not lie in them. */
  readonly writable: readonly string[];
  /** The option in messages. */
  readonly shownOption: string;
}

/**
 * The approved tools of servers in a file. It is read at each look, so that an approval counts at once. Whoever can write
 * it decides what a model reads of servers: it belongs to this user, and lies where no command writes.
 */
export class LockFile implements Pins {
  readonly takesFirst = false;
  readonly #given: string;
  readonly #writable: readonly string[];
  readonly #name: string;

  /**
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when it lies beneath a folder that commands can write to, by a link
   * either, and when the user has no folder for it; `ERR_INVALID_CONFIG` when it cannot be read.
   */
  constructor({ file = decisionFile('mcp.lock'), writable, shownOption }: LockPlace) {
    this.#name = shownOption;
    if (file === undefined) throw this.#invalid('has no place without a home folder: name a file');
    this.#given = path.resolve(file);
    this.#writable = writable;
    this.#read();
  }

  approved({ name, identity }: PinnedServer): ToolSet | undefined {
    const server = this.#read().find((locked) => locked.identity === identity && locked.name === name);
    return server && { digest: server.set, tools: server.tools };
  }

  /** What was approved under this name before, whatever was started or called. */
  sourcesOf(name: string): readonly string[] {
    return this.#read()
      .filter((server) => server.name === name)
      .map(({ source }) => source);
  }

  /** Every server that was approved, by name. */
  list(): readonly (Pick<LockedServer, 'name' | 'source'> & { readonly tools: number })[] {
    return this.#read()
      .map(({ name, source, tools }) => ({ name, source, tools: tools.length }))
      .sort((left, right) => byName(left.name, right.name));
  }

  approve({ name, source, identity }: PinnedServer, { digest: set, tools }: ToolSet): void {
    const others = this.#read().filter((server) => server.identity !== identity);
    this.#write([...others, { name, source, identity, set, tools }].slice(-MAX_PINNED_SERVERS));
  }

  /** Forgets everything that was approved under this name. Gives how many servers that were. */
  remove(name: string): number {
    const servers = this.#read();
    const others = servers.filter((server) => server.name !== name);
    if (others.length < servers.length) this.#write(others);
    return servers.length - others.length;
  }

  /** The file without links. Looked at each time, because a link may lead elsewhere by now. */
  #place(): string {
    const place = realPlace(this.#given);
    if (this.#writable.some((root) => isBeneath(root, place) || isBeneath(root, this.#given))) {
      throw this.#invalid('lies where the tools write: choose a file outside of every root that they write to');
    }
    if ((statSync(place, { throwIfNoEntry: false })?.nlink ?? 1) > 1) {
      throw this.#invalid('has a second name, which the tools could write to');
    }
    return place;
  }

  #read(): readonly LockedServer[] {
    const place = this.#place();
    if (!existsSync(place)) return [];
    const text = readOwnFile(place, this.#name, MAX_LOCK_BYTES);
    const broken = new HandrailError(
      'ERR_INVALID_CONFIG',
      `${this.#name} names a file that is no lock file of servers`,
    );
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw broken;
    }
    const { data } = LOCK.safeParse(value);
    if (data?.servers.every(({ set, tools }) => toolSet(tools).digest === set) !== true) throw broken;
    return data.servers;
  }

  #write(servers: readonly Readable<LockedServer>[]): void {
    const place = this.#place();
    const text = `${JSON.stringify({ version: VERSION, servers }, undefined, 1)}\n`;
    if (Buffer.byteLength(text) > MAX_LOCK_BYTES) throw this.#invalid(`would have more than ${MAX_LOCK_BYTES} bytes`);
    const next = `${place}.${process.pid}`;
    try {
      mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
      writeWhole(next, text);
      renameSync(next, place);
    } catch (error) {
      rmSync(next, { force: true });
      throw this.#invalid(`cannot be written (${codeOf(error)})`);
    }
  }

  #invalid(reason: string): HandrailError {
    return new HandrailError('ERR_INVALID_ARGUMENT', `${this.#name} ${reason}`, { data: { name: 'mcpLock' } });
  }
}

/** Writes a new file, and waits until the disk has it. */
function writeWhole(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
}
