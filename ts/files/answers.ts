// Generated from crates/files by `cargo test -p handrail-files`. Do not edit.

/**
 * The calls that changed files, newest first.
 */
export interface ChangeHistory {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_history',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * The calls.
 */
readonly changes: ReadonlyArray<ChangeRecord>,
/**
 * Whether there are more calls than were asked for.
 */
readonly truncated: boolean,
/**
 * Bytes that are kept of what calls replaced, of all roots of this user together.
 */
readonly keptBytes: number,
/**
 * Most of them; the oldest call goes first.
 */
readonly maxBytes: number,
/**
 * Why nothing is kept of the last call. Absent when it was kept.
 */
readonly failure?: string,
}

/**
 * A call that changed files.
 */
export interface ChangeRecord {
/**
 * Id of the call, which sorts by time.
 */
readonly id: string,
/**
 * When it was made, in milliseconds since 1970.
 */
readonly timeMs: number,
/**
 * The tool: `file_write`, `file_edit`, `file_patch` or `changes_undo`.
 */
readonly tool: string,
/**
 * Who made it, as the host said; empty where it said nothing.
 */
readonly caller: string,
/**
 * Whether this host made it, not another one of the same roots.
 */
readonly own: boolean,
/**
 * `done`, `undone`, `interrupted` (killed half way, and not put back as a whole, since somebody else had written) or
 * `unkept` (too large to be kept).
 */
readonly state: 'done' | 'undone' | 'interrupted' | 'unkept',
/**
 * Ids of the calls that this one took back.
 */
readonly undoes: ReadonlyArray<string>,
/**
 * The files that it changed, the first 1,000. The commit of a transaction names a new or removed folder as one.
 */
readonly files: ReadonlyArray<ChangedFile>,
/**
 * Number of all of them.
 */
readonly fileCount: number,
}

/**
 * One file that a call changed.
 */
export interface ChangedFile {
/**
 * Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Whether the file was created, changed or removed.
 */
readonly operation: 'add' | 'update' | 'delete',
/**
 * Size before; absent for a file that was created.
 */
readonly bytesBefore?: number,
/**
 * Size after; absent for a file that was removed.
 */
readonly bytesAfter?: number,
/**
 * What differs between before and after. Absent unless it was asked for.
 */
readonly diff?: FileDiff,
}

/**
 * A layer that was brought over, or not.
 */
export interface CommittedLayer {
/**
 * Whether the changes are in the roots now. Where they are not, the roots are as they were, and the layer has all of
 * them.
 */
readonly committed: boolean,
/**
 * Id of the commit, by which it is taken back. Absent when nothing had to be changed.
 */
readonly id?: string,
/**
 * Whether it can be taken back: what it replaced was not too large to be kept.
 */
readonly undoable: boolean,
/**
 * What was brought over, and what stands against it.
 */
readonly changes: LayerChanges,
}

/**
 * Why what differs in a file is not shown: one of its contents is no text (`binary`) or has more than 1 MiB (`tooLarge`), the
 * other files of the answer have taken all of the room (`noRoom`), it may not be read (`protected`) or the system refuses to
 * (`unreadable`), somebody has changed it since, so that what the call left is not known any more (`changedSince`), what the call
 * replaced is not kept (`notKept`), or it is a folder that was changed as a whole (`folder`).
 */
export type DiffOmission = "binary" | "tooLarge" | "noRoom" | "protected" | "unreadable" | "changedSince" | "notKept" | "folder";

/**
 * A layer that was dropped.
 */
export interface DiscardedLayer {
/**
 * Whether there was one.
 */
readonly discarded: boolean,
}

/**
 * A file that was edited: all edits of a call were applied.
 */
export interface EditedFile {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_edit',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path of the file, links resolved; secrets masked.
 */
readonly absolute: string,
/**
 * Size of the file after the change.
 */
readonly bytes: number,
/**
 * Number of places that were replaced.
 */
readonly places: number,
/**
 * The first hundred of these places, in the order of the file.
 */
readonly edits: ReadonlyArray<ReplacedPlace>,
/**
 * Number of masks that became the secrets they stood for.
 */
readonly restoredMasks: number,
/**
 * Changes when the content of the file does.
 */
readonly version: string,
}

/**
 * What differs between two contents of a file, line by line. Both are masked before they are compared: two secrets that stand
 * in the same place of the same text count as equal, whether they are or not.
 */
export interface FileDiff {
/**
 * The lines that differ, with three around them: `@@ -1,4 +1,5 @@`, then lines that begin with a blank, `-` or `+`.
 * Controls but tabs are shown as characters such as `␛`. Empty where nothing but what is masked differs, and where
 * `omitted` says why.
 */
readonly text: string,
/**
 * Number of lines that only the new content has.
 */
readonly added: number,
/**
 * Number of lines that only the old content has.
 */
readonly removed: number,
/**
 * Number of secrets that are masked in both contents. Whether one of them changed is not told.
 */
readonly masked: number,
/**
 * Whether `text` lacks lines, or parts of long ones.
 */
readonly truncated: boolean,
/**
 * Whether the encoding or the byte order mark differs, which `text` does not show.
 */
readonly recoded: boolean,
/**
 * Why nothing is shown. Absent where it is.
 */
readonly omitted?: DiffOmission,
}

/**
 * How a file is encoded. Text in an `unknown` encoding is shown lossily: only plain ASCII in it can be edited, and every
 * other byte stays. A `binary` file cannot be edited.
 */
export type FileEncoding = "utf-8" | "utf-16le" | "utf-16be" | "unknown" | "binary";

/**
 * One entry of a directory.
 */
export interface FileEntry {
/**
 * Name of the entry; below the first level, its path from the directory. Control characters as escapes, secrets masked.
 */
readonly name: string,
/**
 * The kind of file. Links are not followed.
 */
readonly type: 'dir' | 'file' | 'symlink' | 'fifo' | 'socket' | 'device' | 'unknown',
/**
 * Size of a file. Absent for everything else, and for files that may not be read.
 */
readonly size?: number,
/**
 * Whether a link leads to a place inside of the roots. Absent for everything but links.
 */
readonly target?: 'inside' | 'outside',
}

/**
 * A file that has lines that match.
 */
export interface FileMatches {
/**
 * Path of the file, relative to `cwd` where it lies below that, else absolute; control characters as escapes, secrets
 * masked.
 */
readonly path: string,
/**
 * Number of lines of the file that match.
 */
readonly matches: number,
/**
 * The lines of this part of the results, with the lines around them. Empty but for mode `'lines'`.
 */
readonly lines: ReadonlyArray<FoundLine>,
}

/**
 * Which line ends a text has.
 */
export type FileNewline = "none" | "lf" | "crlf" | "mixed";

/**
 * Why a file was not read, listed or changed. Nothing was changed then, but for `applied_in_part`.
 *
 * | code | meaning |
 * | --- | --- |
 * | `outside_root` | the path leads out of the roots; the code is the same whether or not a file is there |
 * | `read_only_root` | the root's mode is `ro` |
 * | `blocked_read`, `blocked_write` | the name or place is protected; `rule` says by which rule |
 * | `invalid_path` | the path is empty, too long, or has NUL or invisible characters |
 * | `invalid_pattern` | the glob pattern or regular expression has an error; the hint says what to write |
 * | `not_found` | nothing has that name; `suggestions` has similar names |
 * | `not_a_directory`, `is_a_directory`, `special_file` | the file is of another kind; FIFOs, devices and sockets are special |
 * | `too_many_links` | the path leads through more than 40 symbolic links, or through a circle of them |
 * | `too_large` | the file to change is larger than `maxReadBytes`, or not read in time, or a patch is larger than a patch may be |
 * | `binary` | the file is no text; the message says what it is, such as a PNG image or a PDF document, and its size |
 * | `past_end` | the first line asked for lies after the last line of the file, or the first character after the end of its line |
 * | `read_only` | even the owner of the file may not write to it; a host allows it with `replaceReadOnly` |
 * | `in_place_only` | no other file can take the name: the file is mounted, or its folder takes no files; a host allows a change in place with `inPlace` |
 * | `access_not_kept` | a new file could not have the owner, group, mode or attributes of the old one; a host allows a change in place with `inPlace` |
 * | `hard_link` | the file has a second name that may lie elsewhere |
 * | `exists` | the file exists, and its content was not read |
 * | `changed_on_disk` | the content is not the one that was read before, or the numbers of masks are not those of the content |
 * | `not_editable` | the file is binary, or its encoding is unknown and the change is not in plain ASCII |
 * | `no_match`, `ambiguous`, `overlap` | the file does not have the text to replace, has it several times, or two edits touch the same text |
 * | `unchanged`, `already_applied` | there is nothing to change, or the file has the change already |
 * | `invalid_patch` | the text is no patch, or asks for what a patch does not do: links, modes, one file twice |
 * | `applied_in_part` | a patch or a change in place failed half way and could not be undone, since others wrote meanwhile; the message says where the old content is |
 * | `invalid_text` | the text has half a surrogate pair and cannot be written, or an edit replaces nothing |
 * | `mask_in_text` | a mask is none of this file's, is there twice, lacks its number, or its secret would be shown |
 * | `unknown_change`, `already_undone` | no call that changed files has this id, or it was taken back before |
 * | `changed_since` | a file is not as the call that is to be taken back left it; the message names each |
 * | `not_kept` | what changes replace is not kept, or what this call replaced was too large |
 * | `system`, `not_supported` | the system refused or cannot do it; the message says why |
 */
export interface FileRefusal {
/**
 * Stable, lower case; one of the codes in the table above.
 */
readonly code: string,
/**
 * Id of the rule that protects the place, such as `git.metadata`. Absent when no rule decided.
 */
readonly rule?: string,
/**
 * One sentence, or some lines with the place in question; secrets masked.
 */
readonly message: string,
/**
 * The message without the words about the call, such as `Write denied:`, that it may begin with.
 */
readonly reason: string,
/**
 * What to do instead. Absent when there is nothing to advise.
 */
readonly hint?: string,
/**
 * Line numbers that the message names. Absent when it names none.
 */
readonly lines?: ReadonlyArray<number>,
/**
 * Names that exist and look like the one asked for. Absent when there are none.
 */
readonly suggestions?: ReadonlyArray<string>,
/**
 * Which of several edits, or of the hunks of a file, the refusal concerns, from 0. Absent when it concerns none.
 */
readonly edit?: number,
}

/**
 * Files that were found by their names.
 */
export interface FoundFiles {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_glob',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Path of the directory, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path of the directory, links resolved; secrets masked.
 */
readonly directory: string,
/**
 * Paths of the files, those changed last first, each written as `path` is; control characters as escapes.
 */
readonly paths: ReadonlyArray<string>,
/**
 * Number of files that match; more than `paths` has when there were too many.
 */
readonly total: number,
/**
 * Whether `paths` lacks some, or the search ended early.
 */
readonly truncated: boolean,
/**
 * Files that match but were left out as hidden or ignored; counted only when no other file matches.
 */
readonly leftOut: LeftOutFiles,
/**
 * Number of protected files that match, and of protected folders.
 */
readonly protected: number,
/**
 * Number of secrets that were masked in `paths`.
 */
readonly redactions: number,
/**
 * Why the search ended early. Absent when everything was seen.
 */
readonly stopped?: SearchStop,
}

/**
 * A line that matches, or one around it.
 */
export interface FoundLine {
/**
 * Number of the line in the masked text, from 1, as reading counts.
 */
readonly line: number,
/**
 * The line without its end, secrets masked; of a long line 1,000 characters around the match, or its first 200 where it is shown for another.
 */
readonly text: string,
/**
 * Whether the line matches; false for the lines around one that does.
 */
readonly match: boolean,
}

/**
 * Lines that were found by a regular expression. Line numbers are those of the masked text.
 */
export interface FoundLines {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_grep',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Path of the file or directory that was searched, relative to `cwd` where it lies below that, else absolute; secrets
 * masked.
 */
readonly path: string,
/**
 * Absolute path of the file or directory, links resolved; secrets masked.
 */
readonly absolute: string,
/**
 * The files of this part of the results, sorted by path in the order of bytes.
 */
readonly files: ReadonlyArray<FileMatches>,
/**
 * Number of lines that match, in all files.
 */
readonly totalMatches: number,
/**
 * Number of files that have such lines.
 */
readonly totalFiles: number,
/**
 * Number of files whose text was searched.
 */
readonly searched: number,
/**
 * Numbers of files that were not searched.
 */
readonly skipped: SkippedFiles,
/**
 * Whether more results come after this part, or the search ended early.
 */
readonly truncated: boolean,
/**
 * The `offset` to go on with. Absent when no result is left.
 */
readonly nextOffset?: number,
/**
 * Number of secrets that were masked in the files that have matches.
 */
readonly redactions: number,
/**
 * Why the search ended early. Absent when everything was seen.
 */
readonly stopped?: SearchStop,
}

/**
 * One entry that a layer has changed.
 */
export interface LayerChange {
/**
 * Path of the entry, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * What became of it.
 */
readonly kind: LayerChangeKind,
/**
 * What it is now; of one that was removed, what it was.
 */
readonly type: LayerEntryType,
/**
 * What it was, where that is another kind of file. Absent otherwise.
 */
readonly was?: LayerEntryType,
/**
 * Size of a file before. Absent where there was no file.
 */
readonly bytesBefore?: number,
/**
 * Size of a file after. Absent where there is no file.
 */
readonly bytesAfter?: number,
/**
 * Permission bits after, such as `420` for `0644`. Absent for one that was removed.
 */
readonly mode?: number,
/**
 * What differs in a file or link that was created, changed or removed; that of a link is its target. Absent for folders,
 * where only attributes changed, and unless it was asked for.
 */
readonly diff?: FileDiff,
}

/**
 * What became of an entry.
 */
export type LayerChangeKind = "created" | "changed" | "deleted" | "attributes";

/**
 * What a layer has changed, in the order of paths.
 */
export interface LayerChanges {
/**
 * The files, links and folders, as many as were asked for.
 */
readonly changes: ReadonlyArray<LayerChange>,
/**
 * Whether there are more.
 */
readonly truncated: boolean,
/**
 * Number of entries that were created, those in new folders included.
 */
readonly created: number,
/**
 * Number of files and links whose content changed, and of entries that became another kind of file.
 */
readonly changed: number,
/**
 * Number of entries that were removed, those in removed folders included.
 */
readonly deleted: number,
/**
 * Number of entries of which only owner, mode, attributes, time or number of names changed.
 */
readonly attributes: number,
/**
 * Size of all files that were created or changed.
 */
readonly bytes: number,
/**
 * Pipes, sockets and devices, which are not brought over.
 */
readonly leftOut: LayerPaths,
/**
 * Files and folders that were changed and lose attributes whose names begin with `user.overlay.`, which overlays keep for
 * themselves.
 */
readonly lostAttributes: LayerPaths,
/**
 * Entries that cannot be brought over as things are.
 */
readonly conflicts: ReadonlyArray<LayerConflict>,
/**
 * Number of all of these.
 */
readonly conflictCount: number,
/**
 * Changes when anything in this answer does, and when a content does.
 */
readonly digest: string,
}

/**
 * An entry that cannot be brought over.
 */
export interface LayerConflict {
/**
 * Path of the entry, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Why not.
 */
readonly reason: LayerConflictReason,
}

/**
 * Why an entry cannot be brought over.
 */
export type LayerConflictReason = "changed" | "gone" | "protected" | "otherRoot" | "mounted" | "tooDeep" | "refused";

/**
 * Kinds of entries.
 */
export type LayerEntryType = "file" | "folder" | "link" | "special";

/**
 * Some paths.
 */
export interface LayerPaths {
/**
 * The first of them, relative to `cwd` where they lie below that, else absolute; secrets masked.
 */
readonly paths: ReadonlyArray<string>,
/**
 * Number of all.
 */
readonly count: number,
}

/**
 * Numbers of files that match but were left out.
 */
export interface LeftOutFiles {
/**
 * Files that `ignored` would show.
 */
readonly ignored: number,
/**
 * Files that `hidden` would show.
 */
readonly hidden: number,
/**
 * Files that only both options together would show.
 */
readonly both: number,
}

/**
 * The entries of a directory.
 */
export interface ListedDirectory {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_list',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Path of the directory, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path of the directory, links resolved; secrets masked.
 */
readonly directory: string,
/**
 * Sorted by name, in the order of bytes; a folder is followed by its own entries.
 */
readonly entries: ReadonlyArray<FileEntry>,
/**
 * Number of entries there are; more than `entries` has when there were too many.
 */
readonly total: number,
/**
 * Number of secrets that were masked in names.
 */
readonly redactions: number,
/**
 * Whether `entries` lacks some.
 */
readonly truncated: boolean,
}

/**
 * What a patch did to one file.
 */
export interface PatchedFile {
/**
 * Path of the file after the patch, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path of the file, links resolved; secrets masked.
 */
readonly absolute: string,
/**
 * Whether the patch created the file, changed parts of it, removed it, or moved it (and perhaps changed parts of it).
 */
readonly operation: 'add' | 'update' | 'delete' | 'move',
/**
 * Path of a moved file before the patch. Absent for every other file.
 */
readonly from?: string,
/**
 * Size of the file after the patch; 0 when it was removed.
 */
readonly bytes: number,
/**
 * Number of lines that the file did not have before.
 */
readonly added: number,
/**
 * Number of lines that the file no longer has.
 */
readonly removed: number,
/**
 * Number of places that were replaced.
 */
readonly places: number,
/**
 * The first of these places, in the order of the file; `edit` is the index of the hunk. A patch names a hundred places in
 * all its files, of which the first ten have a `snippet`.
 */
readonly edits: ReadonlyArray<ReplacedPlace>,
/**
 * Number of masks that became the secrets they stood for.
 */
readonly restoredMasks: number,
/**
 * Changes when the content of the file does. Absent when the file was removed, or the patch was only tried.
 */
readonly version?: string,
}

/**
 * Files that were patched: all of a patch was applied, or would be.
 */
export interface PatchedFiles {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_patch',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Each file, in the order of the patch.
 */
readonly files: ReadonlyArray<PatchedFile>,
/**
 * Whether the patch was only tried: then nothing was written.
 */
readonly dryRun: boolean,
}

/**
 * A text file, or some of its lines. Line numbers are those of the masked text.
 */
export interface ReadFile {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_read',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path of the file, links resolved; secrets masked.
 */
readonly absolute: string,
/**
 * The lines that were asked for, as they are in the file, secrets masked. Where the file holds more than one secret, the
 * masks have numbers in the order of the file: `[REDACTED:2]`. Of a first line that is longer than was asked for it has a part.
 */
readonly text: string,
/**
 * Number of the first line of `text`, from 1; 0 when `text` has no line.
 */
readonly firstLine: number,
/**
 * Number of the last line of `text`; 0 when `text` has no line.
 */
readonly lastLine: number,
/**
 * Number of lines of the whole file.
 */
readonly totalLines: number,
/**
 * Size of the file.
 */
readonly bytes: number,
/**
 * How the file is encoded.
 */
readonly encoding: FileEncoding,
/**
 * Whether the file begins with a byte order mark, which is not in `text`.
 */
readonly bom: boolean,
/**
 * Which line ends the file has.
 */
readonly newline: FileNewline,
/**
 * Whether the last line of the file has a line end.
 */
readonly finalNewline: boolean,
/**
 * Number of secrets that were masked in the whole file.
 */
readonly redactions: number,
/**
 * Whether lines after `lastLine`, or the end of that line, were left out.
 */
readonly truncated: boolean,
/**
 * The `offset` to read on with. Absent when nothing is left.
 */
readonly nextOffset?: number,
/**
 * The `column` to read on with, where a part of that line was given. Absent otherwise.
 */
readonly nextColumn?: number,
/**
 * Changes when the content of the file does.
 */
readonly version: string,
}

/**
 * One place of a file where a text was replaced.
 */
export interface ReplacedPlace {
/**
 * Index of the edit, from 0.
 */
readonly edit: number,
/**
 * Number of the line where the place begins after the change, from 1.
 */
readonly line: number,
/**
 * Number of lines of the old text.
 */
readonly removed: number,
/**
 * Number of lines of the new text.
 */
readonly added: number,
/**
 * How often the file had the old text.
 */
readonly occurrences: number,
/**
 * In what the old text differed from the one that was replaced, which was the only one like it. Empty where the file had
 * the old text as it was given; CRLF and LF count as equal.
 */
readonly taken: ReadonlyArray<TakenFor>,
/**
 * The new lines with three lines on each side, secrets masked, cut around the change where they are long. Empty but
 * for the first ten places of a call.
 */
readonly snippet: string,
/**
 * Number of the first line of `snippet`.
 */
readonly snippetLine: number,
}

/**
 * Why a search ended before it had seen everything: after 30 seconds, or at 200,000 entries or 64 levels.
 */
export type SearchStop = "deadline" | "entries";

/**
 * Numbers of files that were not searched.
 */
export interface SkippedFiles {
/**
 * Protected files, and protected folders.
 */
readonly protected: number,
/**
 * Binary files: NUL is among the first 8,000 bytes.
 */
readonly binary: number,
/**
 * Files larger than 10 MiB, or than `maxReadBytes`.
 */
readonly large: number,
/**
 * Files that the system refused to open or read, or that have no end.
 */
readonly unreadable: number,
}

/**
 * The file, directory or link that a name stands for.
 */
export interface StatedFile {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_stat',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * The path, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path, links on the way to its last name resolved; secrets masked.
 */
readonly absolute: string,
/**
 * The kind of file.
 */
readonly type: FileEntry['type'],
/**
 * Size of a file. Absent for everything else.
 */
readonly size?: number,
/**
 * Who may read, write and execute the file, as four octal digits such as `0644`.
 */
readonly mode: string,
/**
 * When the content was changed last, in milliseconds since 1970.
 */
readonly modifiedMs: number,
/**
 * When the file was read last, in milliseconds since 1970, as far as the file system keeps that.
 */
readonly accessedMs: number,
/**
 * When the content, name, owner or mode was changed last, in milliseconds since 1970.
 */
readonly changedMs: number,
/**
 * Whether a link leads to a place inside of the roots. Absent for everything but links.
 */
readonly target?: 'inside' | 'outside',
/**
 * The text of a link; control characters as escapes, secrets masked. Absent for everything but links.
 */
readonly link?: string,
/**
 * Number of secrets that were masked in `link`.
 */
readonly redactions: number,
}

/**
 * Layers that were left behind.
 */
export interface SweptLayers {
/**
 * Number of layers that were removed, since their processes are gone.
 */
readonly removed: number,
/**
 * Number of those that stay: their processes live, or they cannot be removed.
 */
readonly left: number,
}

/**
 * A difference between an old text and the text of the file that it was taken for.
 */
export interface TakenFor {
/**
 * What differed: blanks at line ends; the indentation, by one change for all lines; typographic letters and those typed
 * in their place; HTML entities; escapes such as `\n`; numbers before the lines; signs of a diff before the lines; the line
 * end after the last line of the file.
 */
readonly kind: 'trailing_blanks' | 'indentation' | 'typography' | 'entities' | 'escapes' | 'line_numbers' | 'diff_signs' | 'final_newline',
/**
 * The first such text of the caller, cut after 24 characters. Empty where it is blanks at a line end or a line end.
 */
readonly yours: string,
/**
 * What the file has there, or the new text got in its place.
 */
readonly file: string,
}

/**
 * Calls that were taken back: all of them, or none.
 */
export interface UndoneChanges {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_undo',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Ids of the calls that were taken back, newest first.
 */
readonly undone: ReadonlyArray<string>,
/**
 * Id of this call, which can be taken back as well. Absent when nothing had to be written.
 */
readonly id?: string,
/**
 * What became of each file.
 */
readonly files: ReadonlyArray<ChangedFile>,
/**
 * Whether it was only tried: then nothing was written.
 */
readonly dryRun: boolean,
}

/**
 * A file that was created or replaced.
 */
export interface WrittenFile {
/**
 * Says which of the results this is.
 */
readonly kind: 'file_write',
/**
 * The call was not refused.
 */
readonly ok: true,
/**
 * Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
 */
readonly path: string,
/**
 * Absolute path of the file, links resolved; secrets masked.
 */
readonly absolute: string,
/**
 * Size of the file after the change.
 */
readonly bytes: number,
/**
 * Whether there was no such file before.
 */
readonly created: boolean,
/**
 * Number of lines after the change.
 */
readonly totalLines: number,
/**
 * Number of lines that the file did not have before.
 */
readonly added: number,
/**
 * Number of lines that the file no longer has.
 */
readonly removed: number,
/**
 * Number of masks that became the secrets they stood for.
 */
readonly restoredMasks: number,
/**
 * Whether line ends were written as CRLF because the file had CRLF before.
 */
readonly keptCrlf: boolean,
/**
 * Changes when the content of the file does.
 */
readonly version: string,
}
