/** Checks the chain of an audit file. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type Link, linkOf, MAX_LINK_BYTES, readBytes, sha256 } from '../audit/chain.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/**
 * What is wrong with a line. `changed`: its text is not the one that was written. `unlike`: it is not what stood there when
 * a later line was written. `follows`: what it was written after is not before it. `unlinked`: it is of no chain, and no later
 * line names it. `unfinished`: it ends without a line feed.
 */
export type ChainProblem = 'changed' | 'unlike' | 'follows' | 'unlinked' | 'unfinished';

/** What the check of a file has found. */
export interface ChainReport {
  /** How many lines were read: all, or those up to the one where the problem was seen. */
  readonly lines: number;
  /** The number of the first line that names what stands before it. Null: no line does. */
  readonly chainFrom: number | null;
  /** How many lines at the end no later line names. */
  readonly unconfirmed: number;
  /** The first line with which something is wrong. Null: none was found. */
  readonly problem: { readonly line: number; readonly what: ChainProblem } | null;
  /** The SHA-256 of the last line with its line feed. Null: there is none. */
  readonly lastHash: string | null;
}

/** A line and where it stands. */
interface Place {
  readonly number: number;
  readonly start: number;
  /** Where the next one begins. */
  readonly end: number;
  /** Whether it names what stands before it, or is empty. */
  readonly isLinked: boolean;
}

interface LinkProblem {
  readonly line?: number | undefined;
  readonly what: ChainProblem;
}

interface Line extends Omit<Place, 'isLinked'> {
  /** The line with its line feed, without what is longer than a link may be. */
  readonly bytes: Buffer;
  readonly hasFeed: boolean;
}

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 1_048_576;

/**
 * Checks the chain of a file.
 *
 * @throws UsageError when it cannot be read, or is no regular file.
 */
export function checkChain(file: string): ChainReport {
  const failed = (error: unknown): UsageError => {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return new UsageError(`${readablePath(file)} cannot be read (${String(error.code)})`);
  };
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    throw failed(error);
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw new UsageError(`${readablePath(file)} is no regular file`);
    return new ChainCheck(descriptor).run();
  } catch (error) {
    throw error instanceof UsageError ? error : failed(error);
  } finally {
    closeSync(descriptor);
  }
}

class ChainCheck {
  readonly #descriptor: number;
  /** The lines that end behind what is confirmed, in order. */
  #open: Place[] = [];
  /** All bytes before this one, from where the chain begins, are named by a later line. Undefined before it begins. */
  #confirmed: number | undefined;
  #chainFrom: number | null = null;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  run(): ChainReport {
    let last: Line | undefined;
    let problem: ChainReport['problem'] = null;
    for (const line of linesOf(this.#descriptor)) {
      last = line;
      problem = this.#problemOf(line);
      if (problem !== null) break;
    }
    return {
      lines: last?.number ?? 0,
      chainFrom: this.#chainFrom,
      unconfirmed: this.#chainFrom === null ? 0 : this.#open.length,
      problem: problem ?? this.#problemAtEnd(last),
      lastHash: last === undefined ? null : sha256(last.bytes),
    };
  }

  #problemOf({ number, start, end, bytes, hasFeed }: Line): ChainReport['problem'] {
    const link = linkOf(hasFeed ? bytes.subarray(0, -1) : bytes);
    if (link === undefined) {
      // An empty line says nothing. A writer leaves one where it took a line for torn that another was writing.
      const isEmpty = hasFeed && bytes.length === 1;
      this.#open.push({ number, start, end, isLinked: isEmpty });
      this.#forgetOldLines(start);
      return null;
    }
    if (!link.isWhole) return { line: number, what: 'changed' };
    const problem = this.#confirmed === undefined ? this.#beginAt(link, start) : this.#goOnAt(link, start);
    if (problem !== null) return { line: problem.line ?? number, what: problem.what };
    this.#chainFrom ??= number;
    const confirmed = Math.max(this.#confirmed ?? 0, link.to);
    this.#confirmed = confirmed;
    // In the first line with a link, what ends before that is older than the chain.
    this.#open = this.#open.filter((place) => place.end > confirmed);
    this.#open.push({ number, start, end, isLinked: true });
    return null;
  }

  /** What is wrong with the first link of a file. Without a number it is the line that has it. */
  #beginAt(link: Link, start: number): LinkProblem | null {
    const { from, to } = link;
    // The first line of a writer reaches as far back as it may. This one does not: the line that did is no longer one.
    const isCutOff = from > 0 && to - from < MAX_LINK_BYTES;
    const line = this.#open.find(({ end }) => (isCutOff ? end >= from : end > from))?.number;
    if (to > start && line === undefined) return { what: 'follows' };
    return to > start || isCutOff || !this.#isThere(link) ? { line, what: 'unlike' } : null;
  }

  /** What is wrong with a later link. */
  #goOnAt(link: Link, start: number): LinkProblem | null {
    const { from, to } = link;
    const confirmed = this.#confirmed ?? 0;
    const loose = this.#open.find(({ isLinked }) => !isLinked)?.number;
    if (to > start) return loose === undefined ? { what: 'follows' } : { line: loose, what: 'unlinked' };
    if (!this.#isThere(link)) {
      const line = this.#open.find(({ end }) => end > Math.max(from, confirmed))?.number;
      return { line, what: 'unlike' };
    }
    // No line names what lies between.
    return from > confirmed ? { line: loose ?? this.#open[0]?.number, what: 'unlinked' } : null;
  }

  /** Whether the part that a link names is in the file. */
  #isThere({ from, to, prevHash }: Link): boolean {
    return to - from <= MAX_LINK_BYTES && sha256(readBytes(this.#descriptor, from, to - from)) === prevHash;
  }

  #problemAtEnd(last: Line | undefined): ChainReport['problem'] {
    if (this.#chainFrom === null || last === undefined) return null;
    const loose = this.#open.find(({ isLinked }) => !isLinked);
    if (loose !== undefined) return { line: loose.number, what: 'unlinked' };
    return last.hasFeed ? null : { line: last.number, what: 'unfinished' };
  }

  /** Before the chain begins, no line names what lies further back than a link can reach. */
  #forgetOldLines(start: number): void {
    const [oldest] = this.#open;
    if (this.#confirmed !== undefined || oldest === undefined || oldest.end > start - 2 * MAX_LINK_BYTES) return;
    this.#open = this.#open.filter((place) => place.end > start - MAX_LINK_BYTES);
  }
}

/** The lines of a file as it is when it is read. */
function* linesOf(descriptor: number): Generator<Line> {
  let number = 0;
  let start = 0;
  let position = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  const hold = (piece: Buffer): void => {
    const kept = piece.subarray(0, Math.max(0, MAX_LINK_BYTES - held));
    held += kept.length;
    pieces.push(kept);
  };
  const take = (end: number, hasFeed: boolean): Line => {
    const line = { number: ++number, start, end, bytes: Buffer.concat(pieces), hasFeed };
    [start, pieces, held] = [end, [], 0];
    return line;
  };
  while (true) {
    const chunk = readBytes(descriptor, position, CHUNK_BYTES);
    if (chunk.length === 0) break;
    let used = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, used)) {
      hold(chunk.subarray(used, feed + 1));
      used = feed + 1;
      yield take(position + used, true);
    }
    hold(chunk.subarray(used));
    position += chunk.length;
  }
  if (position > start) yield take(position, false);
}
