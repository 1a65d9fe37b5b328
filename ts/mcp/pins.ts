import { createHash } from 'node:crypto';
import { MAX_PINNED_SERVERS } from './limits.js';
import type { ToolSet } from './tool-set.js';

/** Which server it is: its name with what is started or called. Another program of the same name is another server. */
export interface PinnedServer {
  readonly name: string;
  /** What is started or called, for a person: masked, and without hidden characters. */
  readonly source: string;
  /** A digest of the name and of what is started or called. */
  readonly identity: string;
}

/** The approved tools of servers. */
export interface Pins {
  /** Whether the first tools of a server count as approved. */
  readonly takesFirst: boolean;
  /** The tools that were approved. Undefined where none were. */
  approved(server: PinnedServer): ToolSet | undefined;
  /** Approves these tools, in the place of those that were approved before. */
  approve(server: PinnedServer, set: ToolSet): void;
}

/** A digest of texts, for the identity of a server. */
export function identityOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Pins that a process remembers while it lives. The first tools of a server are the pin. */
export class ProcessPins implements Pins {
  readonly takesFirst = true;
  readonly #sets = new Map<string, ToolSet>();

  approved({ identity }: PinnedServer): ToolSet | undefined {
    return this.#sets.get(identity);
  }

  approve({ identity }: PinnedServer, set: ToolSet): void {
    this.#sets.set(identity, set);
    for (const oldest of this.#sets.keys()) {
      if (this.#sets.size <= MAX_PINNED_SERVERS) break;
      this.#sets.delete(oldest);
    }
  }
}

/** The pins of this process, which every toolkit without a lock file shares: a new toolkit does not believe anew. */
export const PROCESS_PINS = new ProcessPins();
