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

/** How a `FilesystemTool` is made. */
export interface FilesystemToolOptions extends Omit<FileGuardOptions, 'dotenv'> {
  /** Directories that may be worked in; relative paths belong to the first. Default: none, nothing is allowed. */
  readonly allowedDirectories?: readonly string[] | undefined;
  /** Every path of the machine, within the lists of protected places. Default: false. */
  readonly allowAll?: boolean | undefined;
  /** What masks secrets in what is read. Default: a `Redactor` with the default rules. */
  readonly redactor?: Redactor | undefined;
}

/** What a call of a `FilesystemTool` takes. */
export interface FilesystemToolArguments {
  /** What to do. */
  readonly action: 'read' | 'write' | 'list';
  /** Absolute, or relative to the first directory. */
  readonly path: string;
  /** The new text, for `write`. */
  readonly content?: string | undefined;
}

/** What `list` gives. */
export interface DirectoryListing {
  /** Absolute path, links resolved. */
  readonly directory: string;
  /** By name. */
  readonly entries: readonly Pick<FileEntry, 'name' | 'type'>[];
}

const ACTIONS: readonly string[] = ['read', 'write', 'list'];

/** Characters of a text a model made up that are repeated to it. */
const MAX_ECHOED_CHARS = 256;

/**
 * A file tool for sandboxes with the three actions `read`, `write` and `list`. What is read is
 * masked, `.env` files too; protected places are refused.
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
  /** What a model calls it by. */
  readonly name = 'filesystem';
  /** What it does, for the model. */
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
    const given = optionsObject(options, 'options', [...OPTION_KEYS]) as FilesystemToolOptions;
    const { allowedDirectories, ...guards } = given;
    const directories = listOption(allowedDirectories, 'allowedDirectories', MAX_LIST_ENTRIES, textValue);
    this.#redactor = guards.redactor ?? new Redactor();
    this.#files = new Files({
      ...guards,
      ...(directories === undefined ? {} : { roots: directories }),
      dotenv: 'mask',
      redactor: this.#redactor,
    });
  }

  /** The tool as chat completion services take it. */
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
   * @returns What lies in the directory.
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

  /** Waits for calls that are under way. Can be called again. */
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
    if (data.binary || data.encoding === 'unknown') throw new ToolError(`Read failed: ${data.path} is not a text`);
    return data.text;
  }

  async #write(path: string, content: unknown): Promise<string> {
    if (typeof content !== 'string') throw new ToolError("'content' is required for write action");
    const data = await this.#files.write(path, content);
    if (!data.ok) throw this.#failure('Write', path, data.refusal);
    return `Wrote ${countChars(content)} chars to ${data.absolute}`;
  }

  async #list(path: string): Promise<DirectoryListing> {
    // Without a path nothing is listed: a missing argument is never guessed.
    const data = await this.#files.list(path ?? '', { limit: MAX_DIRECTORY_ENTRIES });
    if (!data.ok) throw this.#failure('List', path, data.refusal);
    if (data.truncated) throw new ToolError(`List failed: there are ${data.total} entries, too many to list`);
    return { directory: data.directory, entries: data.entries.map(({ name, type }) => ({ name, type })) };
  }

  #failure(what: 'Read' | 'Write' | 'List', path: unknown, refusal: FileRefusal): ToolError {
    const options = { data: { reason: refusal.rule ?? refusal.code } };
    const shown = this.#echo(path);
    if (refusal.code === 'outside_root') {
      return new ToolError(`Path '${shown}' is outside allowed directories`, options);
    }
    if (refusal.code === 'not_found' && what !== 'Write') {
      return new ToolError(`${what === 'Read' ? 'File' : 'Directory'} not found: ${shown}`, options);
    }
    if (refusal.code === 'not_a_directory' && what === 'List') {
      return new ToolError(`Not a directory: ${shown}`, options);
    }
    return new ToolError(`${what} failed: ${refusalText(refusal)}`, options);
  }

  /** What a model sent, short and without its secrets. */
  #echo(value: unknown): string {
    return firstChars(this.#redactor.redact(String(value)), MAX_ECHOED_CHARS);
  }
}

const OPTION_KEYS = [...GUARD_KEYS.filter((key) => key !== 'dotenv'), 'allowedDirectories', 'allowAll', 'redactor'];
