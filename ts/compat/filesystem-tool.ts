import { invalidArgument, listOption, optionsObject, textValue } from '../config/validate.js';
import type { FileEntry, FileRefusal } from '../files/answers.js';
import { Files } from '../files/files.js';
import { MAX_DIRECTORY_ENTRIES, MAX_READ_LINES } from '../files/limits.js';
import { type FileGuardOptions, GUARD_KEYS } from '../files/options.js';
import { countChars, firstChars } from '../redaction/fit.js';
import { Redactor } from '../redaction/redactor.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import { type FunctionSchema, functionSchema, type JsonSchema } from './function-schema.js';
import { refusalText } from './refusal-text.js';
import { ToolError } from './tool-error.js';

/** The options of a `FilesystemTool`. */
export interface FilesystemToolOptions extends Omit<FileGuardOptions, 'dotenv'> {
  /** Directories that the tool may work in; relative paths belong to the first. Default: none, and every call is refused. */
  readonly allowedDirectories?: readonly string[] | undefined;
  /** Whether every path of the machine is allowed, except for protected places. Default: false. */
  readonly allowAll?: boolean | undefined;
  /** Masks secrets in files that are read. Default: a `Redactor` with the default rules. */
  readonly redactor?: Redactor | undefined;
}

/** The arguments of a call of a `FilesystemTool`. */
export interface FilesystemToolArguments {
  /** The action. */
  readonly action: 'read' | 'write' | 'list';
  /** A path, absolute or relative to the first directory. */
  readonly path: string;
  /** The new text, for `write`. */
  readonly content?: string | undefined;
}

/** The result of `list`. */
export interface DirectoryListing {
  /** Absolute path, links resolved. */
  readonly directory: string;
  /** The entries, sorted by name. */
  readonly entries: readonly Pick<FileEntry, 'name' | 'type'>[];
}

const ACTIONS: readonly string[] = ['read', 'write', 'list'];

/** Longest text of a model that is repeated to it, in characters. */
const MAX_ECHOED_CHARS = 256;

/**
 * A file tool for sandboxes with the three actions `read`, `write` and `list`. Secrets in files are masked, in `.env`
 * files too; protected places are refused.
 *
 * @example
 * ```ts
 * import { FilesystemTool } from 'handrail';
 *
 * await using tool = new FilesystemTool({ allowedDirectories: ['.'] });
 * await tool.execute({ action: 'write', path: 'notes.txt', content: 'Hello' });
 * console.log(await tool.execute({ action: 'read', path: 'notes.txt' })); // Hello
 * ```
 */
export class FilesystemTool {
  /** The name that a model calls. */
  readonly name = 'filesystem';
  /** A description for the model. */
  readonly description = 'Read, write, or list files within the sandbox workspace.';
  /** The JSON Schema of its arguments. */
  readonly parameters: JsonSchema = {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['read', 'write', 'list'], description: 'Filesystem action to perform.' },
      path: { type: 'string', description: 'Absolute or relative file/directory path.' },
      content: { type: 'string', description: "Content to write (required for 'write' action)." },
    },
    required: ['action', 'path'],
  };
  readonly #files: Files;
  readonly #redactor: Redactor;

  /**
   * @param options See `FilesystemToolOptions`.
   * @throws HandrailError as `Files` does.
   */
  constructor(options: FilesystemToolOptions = {}) {
    const givenOptions = optionsObject(options, 'options', [...OPTION_KEYS]) as FilesystemToolOptions;
    const { allowedDirectories, ...guards } = givenOptions;
    const directories = listOption(allowedDirectories, 'allowedDirectories', MAX_LIST_ENTRIES, textValue);
    this.#redactor = guards.redactor ?? new Redactor();
    this.#files = new Files({
      ...guards,
      ...(directories === undefined ? {} : { roots: directories }),
      dotenv: 'mask',
      redactor: this.#redactor,
    });
  }

  /** The definition of the tool for chat completion services. */
  toSchema(): FunctionSchema {
    return functionSchema(this);
  }

  /**
   * Does what a model asked for.
   *
   * @param args Unchecked.
   * @returns The text of `read`, or a confirmation of `write`.
   * @throws ToolError with the reason when it is refused or fails; `HandrailError` `ERR_CLOSED` after `close()`.
   */
  execute(args: FilesystemToolArguments & { readonly action: 'read' | 'write' }): Promise<string>;
  /**
   * Does what a model asked for.
   *
   * @param args Unchecked.
   * @returns The entries of the directory.
   * @throws ToolError with the reason when it is refused or fails; `HandrailError` `ERR_CLOSED` after `close()`.
   */
  execute(args: FilesystemToolArguments & { readonly action: 'list' }): Promise<DirectoryListing>;
  /**
   * Does what a model asked for.
   *
   * @param args Unchecked.
   * @returns The text of `read`, a confirmation of `write`, or a `DirectoryListing`.
   * @throws ToolError with the reason when it is refused or fails; `HandrailError` `ERR_CLOSED` after `close()`.
   */
  execute(args: FilesystemToolArguments): Promise<string | DirectoryListing>;
  async execute(args: FilesystemToolArguments): Promise<string | DirectoryListing> {
    if (typeof args !== 'object' || args === null) throw invalidArgument('args', 'an object', args);
    const { action, path, content } = args;
    if (!ACTIONS.includes(action)) throw new ToolError(`Unknown filesystem action: '${this.#echo(action)}'`);
    switch (action) {
      case 'read':
        return await this.#read(path);
      case 'write':
        return await this.#write(path, content);
      case 'list':
        return await this.#list(path);
    }
  }

  /** Waits for running calls. Can be called again. */
  close(): Promise<void> {
    return this.#files.close();
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #read(path: string): Promise<string> {
    const data = await this.#files.read(path, { limit: MAX_READ_LINES });
    if (!data.ok) throw this.#failure('Read', path, data.refusal);
    if (data.encoding === 'unknown') throw new ToolError(`Read failed: ${data.path} is not a text`);
    return data.text;
  }

  async #write(path: string, content: unknown): Promise<string> {
    if (typeof content !== 'string') throw new ToolError("'content' is required for write action");
    const data = await this.#files.write(path, content);
    if (!data.ok) throw this.#failure('Write', path, data.refusal);
    return `Wrote ${countChars(content)} chars to ${data.absolute}`;
  }

  async #list(path: string): Promise<DirectoryListing> {
    // An empty path is refused: a missing argument is never guessed.
    const data = await this.#files.list(path ?? '', { limit: MAX_DIRECTORY_ENTRIES });
    if (!data.ok) throw this.#failure('List', path, data.refusal);
    if (data.truncated) throw new ToolError(`List failed: there are ${data.total} entries, too many to list`);
    return { directory: data.directory, entries: data.entries.map(({ name, type }) => ({ name, type })) };
  }

  #failure(action: 'Read' | 'Write' | 'List', path: unknown, refusal: FileRefusal): ToolError {
    const options = { data: { reason: refusal.rule ?? refusal.code } };
    const shownPath = this.#echo(path);
    if (refusal.code === 'outside_root') {
      return new ToolError(`Path '${shownPath}' is outside allowed directories`, options);
    }
    if (refusal.code === 'not_found' && action !== 'Write') {
      return new ToolError(`${action === 'Read' ? 'File' : 'Directory'} not found: ${shownPath}`, options);
    }
    if (refusal.code === 'not_a_directory' && action === 'List') {
      return new ToolError(`Not a directory: ${shownPath}`, options);
    }
    return new ToolError(`${action} failed: ${refusalText(refusal)}`, options);
  }

  /** A text of a model for a message, with secrets masked, and shortened. */
  #echo(value: unknown): string {
    return firstChars(this.#redactor.redact(String(value)), MAX_ECHOED_CHARS);
  }
}

const OPTION_KEYS = [...GUARD_KEYS.filter((key) => key !== 'dotenv'), 'allowedDirectories', 'allowAll', 'redactor'];
