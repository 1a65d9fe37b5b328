import { HandrailError } from '../errors.js';
import type {
  NativeCallError,
  NativeFileAnswer,
  NativeFiles,
  NativeFilesConfig,
  NativeRoots,
} from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative, fromNativeError } from '../native/unwrap.js';
import { Redactor } from '../redaction/redactor.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import type { CheckedRoot } from '../terminal/options.js';
import { withRoots } from '../terminal/roots.js';
import type { SpillFolders } from '../terminal/spill-folders.js';
import {
  type Edit,
  type EditOptions,
  type GlobOptions,
  type GrepOptions,
  givenOptions,
  type HistoryOptions,
  type ListOptions,
  type PatchOptions,
  type ReadOptions,
  requestJson,
  type UndoOptions,
  type WriteOptions,
} from './call.js';
import { MAX_SPILLED_READ_BYTES } from './limits.js';
import { checkFilesOptions, type FilesOptions, nativeFilesConfig } from './options.js';
import {
  type FileAnswer,
  type FileDataOf,
  type FileEditData,
  type FileGlobData,
  type FileGrepData,
  type FileHistoryData,
  type FileListData,
  type FileOperation,
  type FilePatchData,
  type FileReadData,
  type FileStatData,
  type FileUndoData,
  type FileWriteData,
  type LayerOperation,
  pathsOfPatch,
} from './results.js';
import { SpilledFiles } from './spilled.js';

/**
 * Reads and changes files below directories that are held open, the roots. A path is resolved from the root's descriptor,
 * and the file that was judged is the file that is used: no path is checked first and opened later. Secrets in what is
 * read are masked; a mask that is written back becomes the secret that it stands for.
 *
 * A refused call has a result that says why; a promise rejects only for a mistake of the caller.
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
  /** Reads output that did not fit a result. Undefined without a toolkit. */
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
   * @param spillFolders Where outputs are kept that did not fit a result of the toolkit.
   * @internal
   */
  constructor(options: FilesOptions, roots?: NativeRoots, spillFolders?: Pick<SpillFolders, 'has'>);
  constructor(options: FilesOptions = {}, roots?: NativeRoots, spillFolders?: Pick<SpillFolders, 'has'>) {
    const checked = checkFilesOptions(options);
    this.#redactor = checked.redactor ?? new Redactor();
    const { binding } = loadNative();
    const native = Redactor.nativeOf(this.#redactor);
    const make = (opened: NativeRoots, others: Partial<NativeFilesConfig> = {}): NativeFiles =>
      callNative(() => new binding.NativeFiles(opened, native, { ...nativeFilesConfig(checked), ...others }));
    this.#native = withMaskedErrors(this.#redactor, () =>
      roots === undefined ? withRoots(checked.roots, (opened) => make(opened)) : make(roots),
    );
    if (spillFolders !== undefined) {
      const maxReadBytes = Math.max(checked.maxReadBytes, MAX_SPILLED_READ_BYTES);
      // What commands printed teaches nothing: whoever runs one could have any text masked.
      this.#spilled = new SpilledFiles(spillFolders, (folder) =>
        withRoots([readOnly(folder)], (opened) => make(opened, { maxReadBytes, learnSecrets: false })),
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
    return await this.#call('read', path, { ...givenOptions('read', options), path });
  }

  /** Reads for a caller, who sees no spilled output of others. @internal */
  static readFor(files: Files, caller: string, path: string, options: ReadOptions): Promise<FileReadData> {
    return files.#call('read', path, { ...givenOptions('read', options), path }, caller);
  }

  /** Makes a call about a layer; `layer-changes.ts` has one function for each. @internal */
  static layer<Done>(files: Files, operation: LayerOperation, request: object): Promise<FileAnswer<Done>> {
    return files.#answer(operation, requestJson(request), undefined);
  }

  /** Searches lines for a caller, who sees no spilled output of others. @internal */
  static grepFor(files: Files, caller: string, pattern: string, options: GrepOptions): Promise<FileGrepData> {
    return files.#search('grep', pattern, givenOptions('grep', options), caller);
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
    const { overwrite = 'always', caller } = givenOptions('write', options);
    return await this.#call('write', path, { path, content, overwrite, caller });
  }

  /**
   * Replaces texts in a file. All edits are found in the file as it is, and all are applied or none.
   *
   * @param path Absolute, or relative to `cwd`.
   * @param edits At least one; their old texts may not overlap.
   * @param options See `EditOptions`.
   * @returns What was changed, or why nothing was, with the place that is most like the old text.
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
    return await this.#call('edit', path, { ...givenOptions('edit', options), path, edits });
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
    const { overwrite = 'always', dryRun, caller } = givenOptions('patch', options);
    const paths = typeof patch === 'string' ? pathsOfPatch(patch) : '';
    return await this.#call('patch', paths, { patch, overwrite, dryRun, caller });
  }

  /**
   * Lists a directory. Links are listed as links and never followed.
   *
   * @param path Absolute, or relative to `cwd`. Default: `cwd`.
   * @param options See `ListOptions`.
   * @returns The entries, or why they were not read.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async list(path = '.', options: ListOptions = {}): Promise<FileListData> {
    return await this.#call('list', path, { ...givenOptions('list', options), path });
  }

  /**
   * Tells the kind, size, mode and times of the file that a name stands for, without opening it. For a link they are those
   * of the link itself. Refused where reading is refused.
   *
   * @param path Absolute, or relative to `cwd`.
   * @returns What is known of the file, or why that is not told.
   * @throws HandrailError `ERR_CLOSED` after `close()`.
   */
  async stat(path: string): Promise<FileStatData> {
    return await this.#call('stat', path, { path });
  }

  /**
   * Finds files by their names; the files that were changed last come first. Links to files outside of the roots,
   * protected files and `.git` are never among them.
   *
   * @param pattern `**`, `*`, `?`, `[a-z]` and `{a,b}`, from `path` on.
   * @param options See `GlobOptions`.
   * @returns The paths, or why nothing was searched.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async glob(pattern: string, options: GlobOptions = {}): Promise<FileGlobData> {
    return await this.#search('glob', pattern, givenOptions('glob', options));
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
    return await this.#search('grep', pattern, givenOptions('grep', options));
  }

  /**
   * Lists the calls of this object that changed files, newest first, as far as what they replaced is kept: see
   * `FileGuardOptions.changes`.
   *
   * @param options See `HistoryOptions`.
   * @returns The calls, or why there are none.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   */
  async history(options: HistoryOptions = {}): Promise<FileHistoryData> {
    return await this.#call('history', '', givenOptions('history', options));
  }

  /**
   * Takes calls back: every file that they changed gets what it had before them, or no file does. A file that somebody else
   * has changed since keeps what it has, and the call is refused (`changed_since`). It is a call itself, and can be taken
   * back.
   *
   * @param options See `UndoOptions`. Default: the last call.
   * @returns What became of each file, or why nothing was changed.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.' });
   * await toolkit.files.write('draft.txt', 'one');
   * await toolkit.files.write('draft.txt', 'two');
   * await toolkit.files.undo();
   * const read = await toolkit.files.read('draft.txt');
   * console.log(read.ok && read.text); // one
   * ```
   */
  async undo(options: UndoOptions = {}): Promise<FileUndoData> {
    return await this.#call('undo', '', givenOptions('undo', options));
  }

  /** Waits for the calls that have not ended and closes the roots. Can be called again; later calls reject with `ERR_CLOSED`. */
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

  async #search<Operation extends 'glob' | 'grep'>(
    operation: Operation,
    pattern: unknown,
    given: { readonly path?: unknown },
    caller?: string,
  ): Promise<FileDataOf<Operation>> {
    const { path = '.' } = given;
    // A path of another kind is a wrong option, which the core names.
    return await this.#call(operation, typeof path === 'string' ? path : '.', { ...given, path, pattern }, caller);
  }

  /** One call into the core, which works on a thread of its own. */
  async #call<Operation extends FileOperation>(
    operation: Operation,
    path: unknown,
    request: object,
    caller?: string,
  ): Promise<FileDataOf<Operation>> {
    const kind = `file_${operation}` as const;
    type Data = FileDataOf<Operation>;
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'These files were closed');
    if (typeof path !== 'string') return { kind, ok: false, path: '', refusal: NO_PATH } as unknown as Data;
    const json = requestJson(request);
    const answer = await this.#answer<Record<string, unknown>>(
      operation,
      json,
      this.#spilled?.call(operation, path, json, caller),
    );
    if (answer.ok) return { kind, ...answer } as unknown as Data;
    return { kind, ok: false, path: this.#redactor.redact(path), refusal: answer.refusal } as unknown as Data;
  }

  /** The answer of the core, or the one that is on its way. */
  async #answer<Done>(
    operation: string,
    json: string,
    spilled: Promise<string> | undefined,
  ): Promise<FileAnswer<Done>> {
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'These files were closed');
    const pending = spilled ?? callNative(() => this.#native.call(operation, json));
    this.#pending.add(pending);
    try {
      const answer = JSON.parse(await pending) as NativeFileAnswer;
      if (!answer.ok && 'error' in answer) throw callError(answer.error);
      return answer as FileAnswer<Done>;
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

/** The error for a wrong argument, which the core names; or for a bug, whose text may hold anything. */
function callError({ code, message, name }: NativeCallError): Error {
  if (code === 'ERR_INVALID_ARGUMENT') return new HandrailError(code, message, { data: { name } });
  return Object.assign(new Error(message), { code });
}
