import type {
  CommittedLayer,
  FileRefusal,
  LayerChange,
  LayerChanges,
  LayerConflictReason,
  LayerPaths,
} from '../files/answers.js';
import type { FileAnswer } from '../files/results.js';
import type { CommandResult } from '../report/result.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { createToolkit } from '../toolkit.js';
import { fileDiffLines } from '../tools/render-diff.js';
import type { Toolkit, Transaction } from '../tools/toolkit.js';
import { shownPath } from './shown-path.js';
import { hasRun } from './status-text.js';
import { UsageError } from './usage-error.js';

/** Most changes that are listed; all are counted. */
const MAX_LISTED = 20;

/** What becomes of the changes of a command that is tried. */
export interface TrialOptions {
  /** Whether they are kept where it succeeds. */
  readonly keep: boolean;
  /** Whether it is shown what differs in each file. */
  readonly diff: boolean;
}

/** What became of the changes of a command that was tried. */
export interface TrialEnd {
  /** Whether they are in the roots now. */
  readonly kept: boolean;
  /** Absent where nothing ran, and where they cannot be read. */
  readonly changes?: LayerChanges;
  /** By this id `handrail undo` takes them back. */
  readonly id?: string;
  /** What went wrong with them, in sentences: why they cannot be listed, or are not kept although they should be. */
  readonly problem?: string;
}

/** A command whose changes are shown first: it writes into a layer over the roots. */
export class Trial implements AsyncDisposable {
  readonly #toolkit: Toolkit;
  readonly #transaction: Transaction;

  private constructor(toolkit: Toolkit, transaction: Transaction) {
    this.#toolkit = toolkit;
    this.#transaction = transaction;
  }

  /** @param options Those of the terminal that would run the command. */
  static async begin(options: TerminalOptions): Promise<Trial> {
    const { roots = [], redactor: redaction, approve: _approve, ...terminal } = options;
    if (roots.length === 0) throw new UsageError('--try needs a root to lay a layer over: name it with --root DIR');
    const toolkit = await createToolkit({ roots, terminal, ...(redaction === undefined ? {} : { redaction }) });
    try {
      return new Trial(toolkit, await toolkit.transaction());
    } catch (error) {
      await toolkit.close();
      throw error;
    }
  }

  /** What runs the command. */
  get terminal(): Terminal {
    return this.#transaction.toolkit.terminal;
  }

  /** Keeps what the command changed, where it is to be kept and has succeeded, and drops it otherwise. */
  async end(result: CommandResult, { keep, diff }: TrialOptions): Promise<TrialEnd> {
    if (!hasRun(result)) return { kept: false };
    const options = { limit: MAX_LISTED, diff };
    if (keep && result.ok) return committed(await this.#transaction.commit(options));
    const changes = await this.#transaction.changes(options);
    return changes.ok ? { kept: false, changes } : { kept: false, problem: sentences(changes.refusal) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Drops the transaction too.
    await this.#toolkit.close();
  }
}

const REASONS: Readonly<Record<LayerConflictReason, string>> = {
  changed: 'somebody else has changed it meanwhile',
  gone: 'somebody else has removed it meanwhile',
  protected: 'it is a protected place',
  otherRoot: 'it belongs to another root',
  mounted: 'something is mounted there',
  tooDeep: 'it lies too deep',
  refused: 'it may not be read or changed',
};

function committed(done: FileAnswer<CommittedLayer>): TrialEnd {
  if (!done.ok) return { kept: false, problem: sentences(done.refusal) };
  const { changes, id, undoable } = done;
  if (done.committed) return { kept: true, changes, ...(undoable && id !== undefined ? { id } : {}) };
  const { conflicts, conflictCount } = changes;
  const [first] = conflicts;
  const why = first === undefined ? '' : `: ${shownPath(first.path, (text) => text)}, as ${REASONS[first.reason]}`;
  const more = conflictCount > 1 ? `, and ${conflictCount - 1} more` : '';
  const isOthers = first?.reason === 'changed' || first?.reason === 'gone';
  return { kept: false, changes, problem: `Nothing was kept${why}${more}.${isOthers ? ' Run it again.' : ''}` };
}

function sentences({ message, hint }: FileRefusal): string {
  const texts = [message, hint].flatMap((text) => text ?? []);
  return texts.map((text) => (text.endsWith('.') ? text : `${text}.`)).join(' ');
}

/** What became of the changes, in lines. */
export function trialLines({ kept, changes, id, problem }: TrialEnd, keep: boolean): readonly string[] {
  const lines = changes === undefined ? [] : changeLines(changes, kept);
  if (problem !== undefined) return [...lines, problem];
  // Nothing ran, or nothing was changed.
  if (changes === undefined || countOf(changes) === 0) return lines;
  if (kept)
    return [...lines, id === undefined ? 'Kept. It cannot be taken back.' : `Kept. handrail undo ${id} takes it back.`];
  const advice = keep ? '--keep keeps what a program that succeeds has changed' : '--keep keeps them';
  return [...lines, `Dropped: nothing has changed. With --try, ${advice}.`];
}

/** What differs in the files, where that was asked for, in lines that are shown as they are. */
export function differenceLines(trial: TrialEnd | undefined): readonly string[] {
  return fileDiffLines(trial?.changes?.changes ?? []);
}

function changeLines(found: LayerChanges, kept: boolean): readonly string[] {
  const { created, changed, deleted, attributes } = found;
  const counts = [
    [created, 'created'],
    [changed, 'changed'],
    [deleted, 'removed'],
    [attributes, 'with other attributes'],
  ] as const;
  const sum = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const leftOut = [
    ...pathsLine('Pipes, sockets and devices stay out', found.leftOut),
    ...pathsLine('Attributes of overlays (user.overlay.*) are lost', found.lostAttributes),
  ];
  if (sum.length === 0) return ['It changed nothing.', ...leftOut];
  const left = countOf(found) - found.changes.length;
  return [
    `${kept ? 'It left' : 'It would leave'} ${sum.join(', ')}:`,
    ...found.changes.map(changeLine),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...leftOut,
  ];
}

function countOf({ created, changed, deleted, attributes }: LayerChanges): number {
  return created + changed + deleted + attributes;
}

function pathsLine(what: string, { paths, count }: LayerPaths): readonly string[] {
  if (count === 0) return [];
  const named = paths.slice(0, MAX_LISTED).map((path) => shownPath(path, (text) => text));
  const rest = count - named.length;
  return [`${what}: ${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`];
}

const SIGNS = { created: '+', changed: '~', deleted: '-', attributes: '=' } as const;

function changeLine({ path, kind, type, bytesBefore, bytesAfter }: LayerChange): string {
  const name = `${shownPath(path, (text) => text)}${type === 'folder' ? '/' : ''}`;
  const sizes = [bytesBefore, bytesAfter].filter((bytes) => bytes !== undefined);
  return `  ${SIGNS[kind]} ${name}${sizes.length === 0 ? '' : ` (${[...new Set(sizes)].join(' -> ')} bytes)`}`;
}
