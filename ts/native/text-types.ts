/** How texts are shortened, as it crosses the border. */

export interface NativeBounds {
  unit: 'bytes' | 'chars' | 'lines';
  head: number;
  tail: number;
  maxLineChars?: number;
}

/** Lines that were chosen from a text. */
export interface NativeChosen {
  text: string;
  totalLines: number;
  shownLines: number;
  truncated: boolean;
}

export interface NativeBounded {
  text: string;
  truncated: boolean;
  omittedChars: number;
  omittedBytes: number;
  omittedLines: number;
}

/** What a text lacks, and where it says so. */
export interface NativeCut {
  /** What its notice counts first. */
  unit: 'bytes' | 'chars' | 'lines';
  bytes: number;
  chars: number;
  lines: number;
  /** Where the notice stands in the text, as for `slice`. */
  notice: readonly [start: number, end: number];
}

/** A text for a reader of so many characters. */
export interface NativeReading {
  text: string;
  maxChars: number;
  /** What it lacks already. */
  cut?: NativeCut;
}

/** What a reader gets. */
export interface NativeFitted {
  /** Absent when it is the text that was given. */
  text?: string;
  /** Absent when nothing is missing. */
  cut?: NativeCut;
  /** How many masks are in it. */
  masks: number;
}
