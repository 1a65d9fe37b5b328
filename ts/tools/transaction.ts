import type { AuditRecord } from '../audit/record.js';
import { HandrailError } from '../errors.js';
import type { CommittedLayer, LayerChanges } from '../files/answers.js';
import type { Files } from '../files/files.js';
import { commitLayer, discardLayer, layerChanges } from '../files/layer-changes.js';
import { makeLayer } from '../files/layers.js';
import type { FileAnswer } from '../files/results.js';
import type { Toolkit, Transaction, TransactionChangesOptions, TransactionCommitOptions } from './toolkit.js';
import type { CheckedToolkitOptions } from './toolkit-options.js';

/** What a transaction needs of the toolkit that begins it. */
interface TransactionParts {
  /** The files of the roots, as they are without the layer. */
  readonly files: Files;
  /** Makes a toolkit that writes into the layer with this folder. */
  readonly make: (layer: string) => Toolkit & { ready(): Promise<void> };
  readonly onCall: (record: AuditRecord) => void;
  readonly onEnd: (transaction: Transaction) => void;
}

/**
 * Refuses options under which commands may write outside of the roots, where no layer lies.
 *
 * @param what What there is not then.
 */
export function assertHeld({ terminal }: CheckedToolkitOptions, what = 'transaction'): void {
  const name = terminal.sandbox === 'off' ? 'terminal.sandbox' : 'terminal.confine.writes';
  if (terminal.sandbox !== 'off' && terminal.confine?.writes !== 'any') return;
  throw new HandrailError('ERR_NOT_SUPPORTED', `There is no ${what} where \`${name}\` lets commands write anywhere`, {
    data: { name },
  });
}

/** The options of a toolkit for the one in a transaction. */
export function inTransaction(options: CheckedToolkitOptions): CheckedToolkitOptions {
  // A journal would be carried on beneath the roots when a host was killed. The records go to the toolkit that began it.
  const files = { ...options.files, changes: false } as const;
  return { ...options, changes: 'direct', files, mcpServers: [], audit: undefined };
}

/** A transaction on a layer of its own. */
export class LayerTransaction implements Transaction {
  readonly toolkit: Toolkit;
  readonly #layer: string;
  readonly #parts: TransactionParts;
  #over: Promise<void> | undefined;
  /** Settled once no commit is running. */
  #commits: Promise<void> = Promise.resolve();
  #isCommitted = false;

  private constructor(toolkit: Toolkit, layer: string, parts: TransactionParts) {
    this.toolkit = toolkit;
    this.#layer = layer;
    this.#parts = parts;
  }

  /** @param roots The writable roots, by their resolved paths. */
  static async begin(roots: readonly string[], parts: TransactionParts): Promise<LayerTransaction> {
    const layer = await makeLayer(parts.files, roots);
    try {
      const toolkit = parts.make(layer);
      toolkit.on('call', parts.onCall);
      const transaction = new LayerTransaction(toolkit, layer, parts);
      await toolkit.ready();
      return transaction;
    } catch (error) {
      await drop(parts.files, layer);
      throw error;
    }
  }

  async changes(options: TransactionChangesOptions = {}): Promise<FileAnswer<LayerChanges>> {
    this.#assertOpen();
    return await layerChanges(this.#parts.files, this.#layer, options);
  }

  async commit(options: TransactionCommitOptions = {}): Promise<FileAnswer<CommittedLayer>> {
    this.#assertOpen();
    const done = this.#commits.then(() => this.#commit(options));
    // Whatever comes after waits for its end: what drops the layer meanwhile would leave a part of it.
    this.#commits = done.then(ignore, ignore);
    const answer = await done;
    if (this.#isCommitted) await this.discard();
    return answer;
  }

  discard(): Promise<void> {
    this.#over ??= this.#commits.then(() => this.#drop());
    return this.#over;
  }

  async #commit({
    partly = false,
    limit,
    digest,
    diff,
  }: TransactionCommitOptions): Promise<FileAnswer<CommittedLayer>> {
    this.#assertUncommitted();
    const found = await layerChanges(this.#parts.files, this.#layer, { limit, digest, diff });
    if (!found.ok) return found;
    // Its tools go on where it is known before that nothing will be brought over.
    if (found.conflictCount > 0 && !partly) return { ok: true, committed: false, undoable: false, changes: found };
    await this.toolkit.close();
    const done = await commitLayer(this.#parts.files, this.#layer, { limit, digest, diff, partly, takes: true });
    this.#isCommitted = done.ok && done.committed;
    return done;
  }

  #assertOpen(): void {
    if (this.#over !== undefined) throw over();
    this.#assertUncommitted();
  }

  #assertUncommitted(): void {
    if (this.#isCommitted) throw over();
  }

  async #drop(): Promise<void> {
    await this.toolkit.close();
    await drop(this.#parts.files, this.#layer);
    this.#parts.onEnd(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }
}

/** Whoever waits for the end of a commit does not care how it ended. */
function ignore(): void {
  // Its caller is told.
}

function over(): HandrailError {
  return new HandrailError('ERR_CLOSED', 'This transaction is over');
}

async function drop(files: Files, layer: string): Promise<void> {
  const dropped = await discardLayer(files, layer);
  if (!dropped.ok)
    throw new HandrailError('ERR_SYSTEM', `A transaction could not be dropped: ${dropped.refusal.reason}`);
}
