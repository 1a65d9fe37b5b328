import { HandrailError } from '../errors.js';
import type { CommittedLayer, LayerChanges } from '../files/answers.js';
import type { Files } from '../files/files.js';
import { commitLayer, discardLayer, layerChanges } from '../files/layer-changes.js';
import { beginLayer, makeLayer, makeLayerIn, openLayers } from '../files/layers.js';
import type { FileAnswer } from '../files/results.js';
import type { ProgramStaging, StagedProgram } from '../files/staging.js';
import type { Redactor } from '../redaction/redactor.js';
import type { StagedChanges } from '../report/staged.js';
import { Engine } from '../terminal/engine.js';
import type { LayerEnd, LayerUse } from '../terminal/program-layer.js';
import type { OpenRoots } from '../terminal/roots.js';
import { MAX_STAGED_LAYERS, MAX_STAGED_PLACES } from './limits.js';
import type { StagedLayer, TransactionChangesOptions, TransactionCommitOptions } from './toolkit.js';
import type { CheckedToolkitOptions } from './toolkit-options.js';

/** What the layers of programs need of their toolkit. */
interface StagedParts {
  readonly engine: Engine;
  /** The files of the roots, as they are without a layer. */
  readonly files: Files;
  /** The writable roots, by their resolved paths. */
  readonly roots: readonly string[];
  readonly redactor: Redactor;
}

/**
 * Checks that programs can write into layers here: makes one, as a transaction does.
 *
 * @throws HandrailError As `Toolkit.transaction()`.
 */
export async function assertLayers(files: Files, roots: OpenRoots, others: OpenRoots): Promise<void> {
  const paths = roots.ofLayer();
  const folder = await makeLayer(files, paths);
  const engine = new Engine({ roots: paths });
  try {
    engine.enterLayer(folder, roots, others);
  } finally {
    await engine.close();
    await discardLayer(files, folder);
  }
}

/** The layers of the programs of one toolkit: each program writes into one of its own, which is brought over at its end. */
export class StagedPrograms implements ProgramStaging {
  readonly #parts: StagedParts;
  /** The folder of all layers. */
  #layers: Promise<string> | undefined;
  /** A layer whose program was not started. */
  #spare: string | undefined;
  /** Those that wait for a decision, by their names. */
  readonly #waiting = new Map<string, LayerOfProgram>();
  readonly #drops = new Set<Promise<unknown>>();
  #next = 1;
  #isClosed = false;

  private constructor(parts: StagedParts) {
    this.#parts = parts;
  }

  /** Undefined where programs write into the roots. */
  static of(changes: CheckedToolkitOptions['changes'], parts: StagedParts): StagedPrograms | undefined {
    return changes === 'staged' ? new StagedPrograms(parts) : undefined;
  }

  async begin(use: LayerUse): Promise<StagedProgram> {
    if (this.#waiting.size >= MAX_STAGED_LAYERS) {
      const message = `The changes of ${MAX_STAGED_LAYERS} commands wait for a decision of the host`;
      throw new HandrailError('ERR_BUSY', message, { data: { limit: MAX_STAGED_LAYERS } });
    }
    const { engine, files, roots } = this.#parts;
    this.#layers ??= openLayers(files, roots);
    const layers = await this.#layers;
    if (this.#isClosed) throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
    const folder = this.#spare ?? makeLayerIn(layers, roots);
    this.#spare = undefined;
    engine.holdLayer(folder);
    await beginLayer(folder, roots);
    return new LayerOfProgram(folder, use, this.#parts, {
      keep: (layer) => this.#keep(layer),
      drop: (layer) => this.#drop(layer.folder.folder),
      giveBack: () => this.#giveBack(folder),
    });
  }

  /** Those that wait for a decision, oldest first. */
  list(): readonly StagedLayer[] {
    return [...this.#waiting].map(([id, layer]) => {
      const { kind, command, caller } = layer.use;
      const text = typeof command === 'string' ? command : command.join(' ');
      const isOver = (): boolean => !this.#waiting.has(id);
      return Object.freeze({
        id,
        kind,
        command: this.#parts.redactor.redact(text),
        ...(caller === undefined ? {} : { caller: this.#parts.redactor.redact(caller) }),
        changes: (options: TransactionChangesOptions = {}) => layer.changes(options, isOver),
        commit: async (options: TransactionCommitOptions = {}) => {
          const done = await layer.commitEnded(options, isOver);
          if (done.ok && done.committed) await this.#decided(id, layer);
          return done;
        },
        discard: () => layer.inTurn(() => (isOver() ? Promise.resolve() : this.#decided(id, layer))),
      });
    });
  }

  /** Drops what was not decided about. Nothing may run any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [id, layer] of this.#waiting) void this.#decided(id, layer);
    if (this.#spare !== undefined) this.#drop(this.#spare);
    this.#spare = undefined;
    while (this.#drops.size > 0) await Promise.allSettled(this.#drops);
  }

  async #decided(id: string, { folder }: LayerOfProgram): Promise<void> {
    this.#waiting.delete(id);
    await this.#drop(folder.folder);
  }

  #keep(layer: LayerOfProgram): string {
    const id = `c${this.#next}`;
    this.#next += 1;
    this.#waiting.set(id, layer);
    return id;
  }

  #giveBack(folder: string): void {
    if (this.#spare !== undefined || this.#isClosed) this.#drop(folder);
    else this.#spare = folder;
  }

  /** Nobody waits for the removal of many files. What cannot be removed is tried again by the next process. */
  #drop(folder: string): Promise<unknown> {
    this.#parts.engine.releaseLayer(folder);
    const dropped = discardLayer(this.#parts.files, folder).finally(() => this.#drops.delete(dropped));
    this.#drops.add(dropped);
    return dropped;
  }
}

/** What becomes of a layer. */
interface LayerFate {
  /** It waits for a decision. Gives its name. */
  readonly keep: (layer: LayerOfProgram) => string;
  readonly drop: (layer: LayerOfProgram) => unknown;
  readonly giveBack: () => void;
}

/** The layer of one program. */
class LayerOfProgram implements StagedProgram {
  readonly folder: StagedProgram['folder'];
  readonly use: LayerUse;
  readonly #parts: StagedParts;
  readonly #fate: LayerFate;
  #end: Promise<StagedChanges | undefined> | undefined;
  /** Settled once nobody works on the layer. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Whether something that could not be ended may still write into it. */
  #mayLive = false;

  constructor(folder: string, use: LayerUse, parts: StagedParts, fate: LayerFate) {
    this.folder = { folder, roots: [...parts.roots] };
    this.use = use;
    this.#parts = parts;
    this.#fate = fate;
  }

  unused(): void {
    this.#end ??= Promise.resolve(undefined);
    this.#fate.giveBack();
  }

  ended(end: LayerEnd, isWanted = false): Promise<StagedChanges | undefined> {
    this.#end ??= this.inTurn(() => this.#bringOver(end, isWanted));
    return this.#end;
  }

  async commit({ limit, diff, partly, digest }: TransactionCommitOptions): Promise<FileAnswer<CommittedLayer>> {
    return await this.inTurn(() => {
      if (this.#end !== undefined) throw new HandrailError('ERR_CLOSED', 'The program is over, and its layer with it');
      return this.#commit({ limit, diff, partly, digest, takes: false });
    });
  }

  async changes(options: TransactionChangesOptions, isOver: () => boolean): Promise<FileAnswer<LayerChanges>> {
    return await this.inTurn(() => {
      if (isOver()) throw decided();
      return layerChanges(this.#parts.files, this.folder.folder, options);
    });
  }

  async commitEnded(
    { limit, diff, partly, digest }: TransactionCommitOptions,
    isOver: () => boolean,
  ): Promise<FileAnswer<CommittedLayer>> {
    return await this.inTurn(() => {
      if (isOver()) throw decided();
      return this.#commit({ limit, diff, partly, digest, takes: !this.#mayLive });
    });
  }

  /** Calls this once nobody else works on the layer. */
  inTurn<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    const done = this.#lastTurn.then(work);
    this.#lastTurn = done.catch(() => undefined);
    return done;
  }

  #commit(options: TransactionCommitOptions & { readonly takes: boolean }): Promise<FileAnswer<CommittedLayer>> {
    const { caller } = this.use;
    const named = caller === undefined ? options : { ...options, caller };
    return commitLayer(this.#parts.files, this.folder.folder, named);
  }

  async #bringOver(end: LayerEnd, isWanted: boolean): Promise<StagedChanges | undefined> {
    if (!hasRun(end, isWanted)) {
      this.#fate.drop(this);
      return undefined;
    }
    this.#mayLive = end.survivors.length > 0;
    try {
      const done = await this.#commit({ limit: MAX_STAGED_PLACES, takes: !this.#mayLive });
      if (!done.ok) return { ...NOTHING, staged: this.#fate.keep(this), problem: done.refusal.message };
      if (done.committed) this.#fate.drop(this);
      return summary(done, done.committed ? undefined : this.#fate.keep(this));
    } catch (error) {
      const problem = this.#parts.redactor.redact(error instanceof Error ? error.message : typeof error);
      return { ...NOTHING, staged: this.#fate.keep(this), problem };
    }
  }
}

/** Whether a program has run, to an end that Handrail has not forced. */
function hasRun({ status, failure, survivors }: LayerEnd, isWanted: boolean): boolean {
  const isOwn = status === 'exited' || status === 'signaled' || (status === 'cancelled' && isWanted);
  return isOwn && failure === undefined && survivors !== 'unknown';
}

const NOTHING = {
  committed: false,
  created: 0,
  changed: 0,
  deleted: 0,
  attributes: 0,
  paths: [],
  conflicts: [],
  conflictCount: 0,
} as const;

function summary({ committed, id, undoable, changes }: CommittedLayer, staged: string | undefined): StagedChanges {
  const { created, changed, deleted, attributes, conflictCount } = changes;
  return {
    committed,
    ...(id === undefined || !undoable ? {} : { id }),
    ...(staged === undefined ? {} : { staged }),
    created,
    changed,
    deleted,
    attributes,
    paths: changes.changes.map(({ path }) => path),
    conflicts: changes.conflicts.slice(0, MAX_STAGED_PLACES),
    conflictCount,
  };
}

function decided(): HandrailError {
  return new HandrailError('ERR_CLOSED', 'These changes were decided about');
}
