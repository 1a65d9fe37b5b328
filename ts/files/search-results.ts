/** Why a search ended before it had seen everything: after 30 seconds, or at 200,000 entries or 64 levels. */
export type SearchStop = 'deadline' | 'entries';

/** Files that match and were left out. */
export interface LeftOutFiles {
  /** Those that `ignored` would show. */
  readonly ignored: number;
  /** Those that `hidden` would show. */
  readonly hidden: number;
  /** Those that only both would show. */
  readonly both: number;
}

/** Files that were found by their names. */
export interface FoundFiles {
  /** Says which of the results this is. */
  readonly kind: 'file_glob';
  /** The directory was searched. */
  readonly ok: true;
  /** The directory, relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly directory: string;
  /** Those changed last come first; as `path`, control characters as escapes. */
  readonly paths: readonly string[];
  /** Files that match; more than `paths` when there were too many. */
  readonly total: number;
  /** Whether `paths` lacks some, or the search ended early. */
  readonly truncated: boolean;
  /** Files that would match; counted when nothing else does. */
  readonly leftOut: LeftOutFiles;
  /** Protected files that match, and protected folders. */
  readonly protected: number;
  /** Secrets that were masked in `paths`. */
  readonly redactions: number;
  /** Absent when everything was seen. */
  readonly stopped?: SearchStop;
}

/** A line of a file. */
export interface FoundLine {
  /** Its number in the masked text, from 1, as reading counts. */
  readonly line: number;
  /** Without its end, secrets masked; of a long line 200 characters around the match. */
  readonly text: string;
  /** Whether it matches; false for those around it. */
  readonly match: boolean;
}

/** A file with lines that match. */
export interface FileMatches {
  /** Relative to the root where it lies in one, else absolute; control characters as escapes, secrets masked. */
  readonly path: string;
  /** Lines of it that match. */
  readonly matches: number;
  /** Those of this part with the lines around them. Empty but for mode `'lines'`. */
  readonly lines: readonly FoundLine[];
}

/** Files that were not searched. */
export interface SkippedFiles {
  /** Protected files, and protected folders. */
  readonly protected: number;
  /** No text: NUL among the first 8,000 bytes. */
  readonly binary: number;
  /** Larger than 10 MiB, or than `maxReadBytes`. */
  readonly large: number;
  /** The system refused, or they have no end. */
  readonly unreadable: number;
}

/** Lines that were found. */
export interface FoundLines {
  /** Says which of the results this is. */
  readonly kind: 'file_grep';
  /** The file or directory was searched. */
  readonly ok: true;
  /** Where, relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly absolute: string;
  /** The part that was asked for, by path in the order of bytes. */
  readonly files: readonly FileMatches[];
  /** Lines that match, in all files. */
  readonly totalMatches: number;
  /** Files that have such lines. */
  readonly totalFiles: number;
  /** Files whose text was searched. */
  readonly searched: number;
  /** Files that were not, and why. */
  readonly skipped: SkippedFiles;
  /** Whether more comes after this part, or the search ended early. */
  readonly truncated: boolean;
  /** The `offset` to go on with. Absent when nothing is left. */
  readonly nextOffset?: number;
  /** Secrets that were masked in the files that have matches. */
  readonly redactions: number;
  /** Absent when everything was seen. */
  readonly stopped?: SearchStop;
}
