import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeFileAnswer, NativeFiles, NativeRoots } from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative, fromNativeError } from '../native/unwrap.js';
import { Redactor } from '../redaction/redactor.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import type { CheckedRoot } from '../terminal/options.js';
import { withRoots } from '../terminal/roots.js';
import {
  checkEditOptions,
  checkEdits,
  checkGlob,
  checkGrep,
  checkList,
  checkPatch,
  checkPattern,
  checkRead,
  checkWrite,
  type Edit,
  type EditOptions,
  type GlobOptions,
  type GrepOptions,
  type ListOptions,
  type PatchOptions,
  type ReadOptions,
  type WriteOptions,
} from './call.js';
import { MAX_SPILLED_READ_BYTES } from './limits.js';
import { checkFilesOptions, type FilesOptions, nativeFilesConfig } from './options.js';
import { type FilePatchData, pathsOfPatch } from './patch-results.js';
import type {
  FileEditData,
  FileEntry,
  FileGlobData,
  FileGrepData,
  FileListData,
  FileReadData,
  FileWriteData,
  RefusedFile,
} from './results.js';
import { SpilledFiles } from './spilled.js';

/**
 * Reads and changes files beneath roots that are held open. A path is resolved by the kernel from
 * the root's descriptor, and what was judged is what is used: no path is checked and then opened.
 * What is read is masked; a mask that comes back in its place becomes the secret again.
 *
 * What the file system says no to is a result; only mistakes of the caller reject.
 *
 * @example
 * ```ts
 * import { Files } from 'handrail';
 *
 * await using files = new Files({ roots: ['.'] });
 * const outside = await files.read('../secret.txt');
 * console.log(outside.ok || outside.refusal.code); // outside_root
 * ```
 */
export class Files {
  readonly #redactor: Redactor;
  readonly #native: NativeFiles;
  /** Undefined without a toolkit. */
  readonly #spilled: SpilledFiles | undefined;
  readonly #pending = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /**
   * @param options See `FilesOptions`; without roots everything is refused.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option and for a root that is
   * no directory, `ERR_NOT_SUPPORTED` where the platform cannot resolve beneath a directory,
   * `ERR_NATIVE_MISSING` and its neighbours when the native part cannot be loaded.
   */
  constructor(options?: FilesOptions);
  /**
   * @param roots Roots of a toolkit, which are open already.
   * @param spillFolders Where its results have their rest.
   * @internal
   */
  constructor(options: FilesOptions, roots?: NativeRoots, spillFolders?: () => ReadonlySet<string>);
  constructor(options: FilesOptions = {}, roots?: NativeRoots, spillFolders?: () => ReadonlySet<string>) {
    const checked = checkFilesOptions(options);
    this.#redactor = checked.redactor ?? new Redactor();
    const { binding } = loadNative();
    const native = Redactor.nativeOf(this.#redactor);
    const make = (opened: NativeRoots, maxReadBytes = checked.maxReadBytes): NativeFiles =>
      callNative(() => new binding.NativeFiles(opened, native, { ...nativeFilesConfig(checked), maxReadBytes }));
    this.#native = withMaskedErrors(this.#redactor, () =>
      roots === undefined ? withRoots(checked.roots, (opened) => make(opened)) : make(roots),
    );
    if (spillFolders !== undefined) {
      const bytes = Math.max(checked.maxReadBytes, MAX_SPILLED_READ_BYTES);
      this.#spilled = new SpilledFiles(spillFolders, (folder) =>
        withRoots([readOnly(folder)], (opened) => make(opened, bytes)),
      );
    }
  }

  /**
   * Reads a text file, or some of its lines, with secrets masked.
   *
   * @param path Absolute, or relative to `cwd`.
   * @param options See `ReadOptions`.
   * @returns The text, or why it was not read.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async read(path: string, options: ReadOptions = {}): Promise<FileReadData> {
    return await this.#call('read', path, { path, ...checkRead(options) });
  }

  /**
   * Creates or replaces a file; folders above it are made. The new content appears whole or not at
   * all, and the mode of the file stays.
   *
   * @param path Absolute, or relative to `cwd`.
   * @param content The whole new text.
   * @param options See `WriteOptions`.
   * @returns What was written, or why nothing was.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async write(path: string, content: string, options: WriteOptions = {}): Promise<FileWriteData> {
    if (typeof content !== 'string') throw invalidArgument('content', 'a string', content);
    return await this.#call('write', path, { path, content, ...checkWrite(options) });
  }

  /**
   * Replaces texts in a file. All edits are found in the file as it is, and all are applied or none.
   *
   * @param path Absolute, or relative to `cwd`.
   * @param edits At least one; their old texts may not overlap.
   * @param options See `EditOptions`.
   * @returns What was changed, or why nothing was, with the nearest place.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { Files } from 'handrail';
   *
   * await using files = new Files({ roots: ['.'] });
   * await files.write('hello.txt', 'Hello, world!\n');
   * const edited = await files.edit('hello.txt', [{ old: 'world', new: 'there' }]);
   * console.log(edited.ok && edited.edits[0]?.line); // 1
   * ```
   */
  async edit(path: string, edits: readonly Edit[], options: EditOptions = {}): Promise<FileEditData> {
    const { first } = checkEditOptions(options);
    const checked = checkEdits(edits).map((edit) => ({ ...edit, first }));
    return await this.#call('edit', path, { path, edits: checked });
  }

  /**
   * Changes many files as a patch says: all of it is applied, or nothing. A hunk applies where its context and removed
   * lines stand exactly once; its line numbers only choose among places with the same lines.
   *
   * @param patch `*** Begin Patch` … `*** End Patch` with `*** Add File: path`, `*** Update File: path` (and
   * `*** Move to: path`) and `*** Delete File: path`, or a unified diff such as git writes. At most 1 MiB, 100 files and
   * 1,000 hunks; the files have at most 64 MiB together.
   * @param options See `PatchOptions`.
   * @returns What became of each file, or why nothing was changed.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { Files } from 'handrail';
   *
   * await using files = new Files({ roots: ['.'] });
   * await files.write('a.txt', 'one\ntwo\n');
   * const patch = `*** Begin Patch
   * *** Update File: a.txt
   * @@
   *  one
   * -two
   * +2
   * *** Add File: b.txt
   * +new
   * *** End Patch`;
   * const patched = await files.patch(patch);
   * console.log(patched.ok && patched.files.map(({ operation, path }) => `${operation} ${path}`)); // [ 'update a.txt', 'add b.txt' ]
   * ```
   */
  async patch(patch: string, options: PatchOptions = {}): Promise<FilePatchData> {
    const request = checkPatch(patch, options);
    return await this.#call('patch', pathsOfPatch(patch), request);
  }

  /**
   * Lists a directory. Links are told as links and never followed.
   *
   * @param path Absolute, or relative to `cwd`. Default: `cwd`.
   * @param options See `ListOptions`.
   * @returns The entries, or why they were not read.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async list(path = '.', options: ListOptions = {}): Promise<FileListData> {
    return await this.#call('list', path, { path, ...checkList(options) });
  }

  /**
   * Says what a name stands for, without opening it; of a link the link itself. Refused as reading is.
   *
   * @param path Absolute, or relative to `cwd`.
   * @returns What it is, or why that is not said.
   * @throws HandrailError `ERR_CLOSED` after `close()`.
   */
  async stat(path: string): Promise<FileStatData> {
    return await this.#call('stat', path, { path });
  }

  /**
   * Finds files by their names, those changed last first. Links to files outside of the roots, protected
   * files and `.git` are never among them.
   *
   * @param pattern `**`, `*`, `?`, `[a-z]` and `{a,b}`, from `path` on.
   * @param options See `GlobOptions`.
   * @returns The paths, or why nothing was searched.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async glob(pattern: string, options: GlobOptions = {}): Promise<FileGlobData> {
    const request = { pattern: checkPattern(pattern), ...checkGlob(options) };
    return await this.#call('glob', request.path, request);
  }

  /**
   * Finds lines in a file, or in those of a directory. Texts are masked before they are searched: what a
   * mask hides is neither shown nor found. No link is followed.
   *
   * @param pattern A regular expression in the syntax of Rust, which matches within a line.
   * @param options See `GrepOptions`.
   * @returns The lines, or why nothing was searched.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { Files } from 'handrail';
   *
   * await using files = new Files({ roots: ['.'] });
   * await files.write('notes.txt', 'one\ntwo\n');
   * const found = await files.grep('^t', { path: 'notes.txt' });
   * console.log(found.ok && found.files[0]?.lines[0]?.line); // 2
   * ```
   */
  async grep(pattern: string, options: GrepOptions = {}): Promise<FileGrepData> {
    const request = { pattern: checkPattern(pattern), ...checkGrep(options) };
    return await this.#call('grep', request.path, request);
  }

  /** Waits for calls that are under way and closes the roots. Can be called again; later calls reject with `ERR_CLOSED`. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#pending).then(() => {
      callNative(() => {
        this.#native.close();
      });
      this.#spilled?.close();
    });
    return this.#closed;
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** One call into the core; nothing of it runs on this thread. */
  async #call<Operation extends FileOperation>(
    operation: Operation,
    path: unknown,
    request: object,
  ): Promise<FileDataOf<Operation>> {
    const kind = `file_${operation}` as const;
    type Data = FileDataOf<Operation>;
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'These files were closed');
    if (typeof path !== 'string') return { kind, ok: false, path: '', refusal: NO_PATH } as unknown as Data;
    const pending =
      this.#spilled?.call(operation, path, request) ??
      callNative(() => this.#native.call(operation, JSON.stringify(request)));
    this.#pending.add(pending);
    try {
      const answer = JSON.parse(await pending) as NativeFileAnswer;
      if (answer.ok) return { kind, ...answer } as unknown as Data;
      if ('error' in answer) throw mistake(answer.error);
      return { kind, ok: false, path: this.#redactor.redact(path), refusal: answer.refusal } as unknown as Data;
    } catch (error) {
      throw fromNativeError(error);
    } finally {
      this.#pending.delete(pending);
    }
  }
}

function readOnly(folder: string): CheckedRoot {
  return { path: folder, writable: false, allowFilesystemRoot: false };
}

const NO_PATH = Object.freeze({
  code: 'invalid_path',
  message: 'The path is no string',
  reason: 'The path is no string',
  hint: 'Name a file or directory.',
});

/** What is wrong with a request was checked before: only a bug is left, and its text may hold anything. */
function mistake({ code, message }: { readonly code: string; readonly message: string }): Error {
  return Object.assign(new Error(message), { code });
}

/** What a name stands for. */
export interface StatedFile {
  /** Says which of the results this is. */
  readonly kind: 'file_stat';
  /** There is something by that name. */
  readonly ok: true;
  /** Relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links on the way resolved; secrets masked. */
  readonly absolute: string;
  /** What it is. */
  readonly type: FileEntry['type'];
  /** Size of a file. Absent for everything else. */
  readonly size?: number;
  /** Its rights, as four octal digits such as `0644`. */
  readonly mode: string;
  /** When its content was changed last, in milliseconds since 1970. */
  readonly modifiedMs: number;
  /** When it was read last, as far as the file system keeps that. */
  readonly accessedMs: number;
  /** When its content, name, owner or rights were changed last. */
  readonly changedMs: number;
  /** Of a link, whether it leads to a place inside of the roots. */
  readonly target?: 'inside' | 'outside';
  /** The text of a link; control characters as escapes, secrets masked. */
  readonly link?: string;
  /** Secrets that were masked in `link`. */
  readonly redactions: number;
}

/** What asking for a name gives. */
export type FileStatData = StatedFile | RefusedFile<'file_stat'>;

/** Every result of a file. */
export type FileData =
  | FileReadData
  | FileWriteData
  | FileEditData
  | FilePatchData
  | FileListData
  | FileStatData
  | FileGlobData
  | FileGrepData;

/** What was asked of a file or a directory: the `kind` of its result without `file_`. */
export type FileOperation = FileData['kind'] extends `file_${infer Operation}` ? Operation : never;

type FileDataOf<Operation extends FileOperation> = Extract<FileData, { readonly kind: `file_${Operation}` }>;
