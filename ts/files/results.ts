import type { FoundFiles, FoundLines } from './search-results.js';

/**
 * Why a file was not read, listed or changed. Nothing was changed then, but for `applied_in_part`.
 *
 * | code | meaning |
 * | --- | --- |
 * | `outside_root` | the path leads out of the roots; the same whether or not something is there |
 * | `read_only_root` | the root's mode is `ro` |
 * | `blocked_read`, `blocked_write` | a protected name or place; `rule` says which |
 * | `invalid_path` | no path: empty, too long, with NUL or invisible characters |
 * | `invalid_pattern` | no glob pattern or regular expression, or one that is not taken; the hint says what is |
 * | `not_found` | there is nothing by that name; `suggestions` has close ones |
 * | `not_a_directory`, `is_a_directory`, `special_file` | it is of another kind; special are FIFOs, devices and sockets |
 * | `too_many_links` | more than 40 symbolic links, or a circle of them |
 * | `too_large` | the file is larger than `maxReadBytes`, or a patch has more than one may |
 * | `past_end` | the first line asked for lies after the last |
 * | `read_only` | even its owner may not write to the file; a host allows it with `replaceReadOnly` |
 * | `in_place_only` | no other file can have its name: it is mounted, or its folder takes no files; a host allows it with `inPlace` |
 * | `access_not_kept` | a new file could not have its owner, group, rights or attributes; a host allows it in place with `inPlace` |
 * | `hard_link` | the file has a second name that may lie elsewhere |
 * | `exists` | it is there already, and its content was not seen |
 * | `changed_on_disk` | it is not what was read before, or the numbers of masks are not those of its content |
 * | `not_editable` | it is binary, or in an unknown encoding and the change is not in plain ASCII |
 * | `no_match`, `ambiguous`, `overlap` | the text to replace is not there, is there several times, or two edits touch |
 * | `unchanged`, `already_applied` | there is nothing to change, or the change is there |
 * | `invalid_patch` | no patch, or one that asks for what is not done: links, modes, one file twice |
 * | `applied_in_part` | a patch or a change in place failed half way and could not be taken back, as others wrote meanwhile; where the old content is |
 * | `invalid_text` | no text that can be written: it has half a surrogate pair, or an edit replaces nothing |
 * | `mask_in_text` | a mask is none of this file's, is there twice, lacks its number, or its secret would be shown |
 * | `system`, `not_supported` | the system refused or cannot do it; the message says why |
 */
export interface FileRefusal {
  /** Stable, lower case; the table above says which there are. */
  readonly code: string;
  /** Id of the rule that protects the place, such as `git.metadata`. Absent when no rule does. */
  readonly rule?: string;
  /** One sentence, or some lines with the place in question; secrets masked. */
  readonly message: string;
  /** The message without what became of the call, such as `Write denied:`, with which it may begin. */
  readonly reason: string;
  /** What to do instead. Absent when there is nothing to advise. */
  readonly hint?: string;
  /** Line numbers that the message names. Absent when it names none. */
  readonly lines?: readonly number[];
  /** Names that are there and look like the one asked for. Absent when there are none. */
  readonly suggestions?: readonly string[];
  /** Which of several edits, or hunks of a file, it concerns, from 0. Absent when it concerns none. */
  readonly edit?: number;
}

/** A call that was refused. */
export interface RefusedFile<Kind extends string> {
  /** Says which of the results this is. */
  readonly kind: Kind;
  /** Nothing was done. */
  readonly ok: false;
  /** As it was asked for, secrets masked. */
  readonly path: string;
  /** Why. */
  readonly refusal: FileRefusal;
}

/**
 * How a file is encoded. `unknown` is shown lossily: only what is plain ASCII in it can be edited, and the rest stays
 * byte for byte. `binary` cannot be edited.
 */
export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unknown' | 'binary';

/** Which line ends a text has. */
export type FileNewline = 'lf' | 'crlf' | 'mixed' | 'none';

/** A file, or some of its lines. */
export interface ReadFile {
  /** Says which of the results this is. */
  readonly kind: 'file_read';
  /** The file was read. */
  readonly ok: true;
  /** Relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly absolute: string;
  /**
   * The lines that were asked for, as they are in the file, secrets masked. Where the file holds more than one, the masks
   * have numbers in its order: `[REDACTED:2]`. Empty for a binary file.
   */
  readonly text: string;
  /** Number of the first line of `text`, from 1; 0 when there is none. */
  readonly firstLine: number;
  /** Number of its last line; 0 when there is none. */
  readonly lastLine: number;
  /** Lines of the whole file. */
  readonly totalLines: number;
  /** Size of the file. */
  readonly bytes: number;
  /** How it is encoded. */
  readonly encoding: FileEncoding;
  /** Whether it begins with a byte order mark, which is not in `text`. */
  readonly bom: boolean;
  /** Its line ends. */
  readonly newline: FileNewline;
  /** Whether its last line ends. */
  readonly finalNewline: boolean;
  /** Whether it is no text: then `text` is empty. */
  readonly binary: boolean;
  /** Secrets that were masked in the whole file. */
  readonly redactions: number;
  /** Whether lines after `lastLine` were left out. */
  readonly truncated: boolean;
  /** The `offset` to read on with. Absent when nothing is left. */
  readonly nextOffset?: number;
  /** Changes when the content does. */
  readonly version: string;
}

/** A file that was created or replaced. */
export interface WrittenFile {
  /** Says which of the results this is. */
  readonly kind: 'file_write';
  /** The file was written. */
  readonly ok: true;
  /** Relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly absolute: string;
  /** Its size now. */
  readonly bytes: number;
  /** Whether it was not there before. */
  readonly created: boolean;
  /** Lines it has now. */
  readonly totalLines: number;
  /** Lines that were not there before. */
  readonly added: number;
  /** Lines that are no longer there. */
  readonly removed: number;
  /** Masks that were turned back into the secrets they stood for. */
  readonly restoredMasks: number;
  /** Whether line ends were written as CRLF because the file had those. */
  readonly keptCrlf: boolean;
  /** Changes when the content does. */
  readonly version: string;
}

/** One place that was replaced. */
export interface ReplacedPlace {
  /** Which of the edits, from 0. */
  readonly edit: number;
  /** Number of the line where it begins in the new text, from 1. */
  readonly line: number;
  /** Lines of the old text that it touched. */
  readonly removed: number;
  /** Lines they became. */
  readonly added: number;
  /** How often the old text was there. */
  readonly occurrences: number;
  /** The new lines with three on each side, secrets masked. */
  readonly snippet: string;
  /** Number of the first line of `snippet`. */
  readonly snippetLine: number;
}

/** A file that was edited: all edits of a call, or none. */
export interface EditedFile {
  /** Says which of the results this is. */
  readonly kind: 'file_edit';
  /** The file was edited. */
  readonly ok: true;
  /** Relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly absolute: string;
  /** Its size now. */
  readonly bytes: number;
  /** How many places were replaced. */
  readonly places: number;
  /** The first hundred of them, in the order of the file. */
  readonly edits: readonly ReplacedPlace[];
  /** Masks that were turned back into the secrets they stood for. */
  readonly restoredMasks: number;
  /** Changes when the content does. */
  readonly version: string;
}

/** What lies in a directory by one name. */
export interface FileEntry {
  /** Its name; below the first level, its path from the directory. Control characters as escapes, secrets masked. */
  readonly name: string;
  /** What it is. Links are not followed. */
  readonly type: 'dir' | 'file' | 'symlink' | 'fifo' | 'socket' | 'device' | 'unknown';
  /** Size of a file. Absent for everything else, and for files that may not be read. */
  readonly size?: number;
  /** Of a link, whether it leads to a place inside of the roots. */
  readonly target?: 'inside' | 'outside';
}

/** What lies in a directory. */
export interface ListedDirectory {
  /** Says which of the results this is. */
  readonly kind: 'file_list';
  /** The directory was read. */
  readonly ok: true;
  /** Relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly directory: string;
  /** By name, in the order of bytes; what lies in a directory follows it. */
  readonly entries: readonly FileEntry[];
  /** Entries there are; more than `entries` when there were too many. */
  readonly total: number;
  /** Whether `entries` lacks some. */
  readonly truncated: boolean;
  /** Secrets that were masked in names. */
  readonly redactions: number;
}

/** What reading gives. */
export type FileReadData = ReadFile | RefusedFile<'file_read'>;

/** What writing gives. */
export type FileWriteData = WrittenFile | RefusedFile<'file_write'>;

/** What editing gives. */
export type FileEditData = EditedFile | RefusedFile<'file_edit'>;

/** What listing gives. */
export type FileListData = ListedDirectory | RefusedFile<'file_list'>;

/** What finding files gives. */
export type FileGlobData = FoundFiles | RefusedFile<'file_glob'>;

/** What finding lines gives. */
export type FileGrepData = FoundLines | RefusedFile<'file_grep'>;

const DENIALS: ReadonlySet<string> = new Set(['outside_root', 'read_only_root', 'blocked_read', 'blocked_write']);

/** Whether a refusal was a decision on the place, not on what is there. */
export function isFileDenial(code: string): boolean {
  return DENIALS.has(code);
}
