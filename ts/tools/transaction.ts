import type { AuditRecord } from '../audit/record.js';
import { HandrailError } from '../errors.js';
import { discardLayer, makeLayer } from '../files/layers.js';
import type { Toolkit, Transaction } from './toolkit.js';
import type { CheckedToolkitOptions } from './toolkit-options.js';

/** What a transaction needs of the toolkit that begins it. */
interface TransactionParts {
  /** Makes a toolkit that writes into the layer with this folder. */
  readonly make: (layer: string) => Toolkit & { ready(): Promise<void> };
  readonly onCall: (record: AuditRecord) => void;
  readonly onEnd: (transaction: Transaction) => void;
}

/** Refuses options under which commands may write outside of the roots, where no layer lies. */
export function assertHeld({ terminal }: CheckedToolkitOptions): void {
  const name = terminal.sandbox === 'off' ? 'terminal.sandbox' : 'terminal.confine.writes';
  if (terminal.sandbox !== 'off' && terminal.confine?.writes !== 'any') return;
  throw new HandrailError(
    'ERR_NOT_SUPPORTED',
    `There is no transaction where \`${name}\` lets commands write anywhere`,
    {
      data: { name },
    },
  );
}

/** The options of a toolkit for the one in a transaction. */
export function inTransaction(options: CheckedToolkitOptions): CheckedToolkitOptions {
  // A journal would be carried on beneath the roots when a host was killed. The records go to the toolkit that began it.
  return { ...options, files: { ...options.files, changes: false }, mcpServers: [], audit: undefined };
}

/** A transaction on a layer of its own. */
export class LayerTransaction implements Transaction {
  readonly toolkit: Toolkit;
  readonly #layer: string;
  readonly #onEnd: (transaction: Transaction) => void;
  #over: Promise<void> | undefined;

  private constructor(toolkit: Toolkit, layer: string, onEnd: (transaction: Transaction) => void) {
    this.toolkit = toolkit;
    this.#layer = layer;
    this.#onEnd = onEnd;
  }

  /** @param roots The writable roots, by their resolved paths. */
  static async begin(roots: readonly string[], { make, onCall, onEnd }: TransactionParts): Promise<LayerTransaction> {
    const layer = await makeLayer(roots);
    try {
      const toolkit = make(layer);
      toolkit.on('call', onCall);
      const transaction = new LayerTransaction(toolkit, layer, onEnd);
      await toolkit.ready();
      return transaction;
    } catch (error) {
      await discardLayer(layer);
      throw error;
    }
  }

  discard(): Promise<void> {
    this.#over ??= this.#drop();
    return this.#over;
  }

  async #drop(): Promise<void> {
    await this.toolkit.close();
    await discardLayer(this.#layer);
    this.#onEnd(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }
}
