import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';

/** Most Unicode characters of an output of `bash` for a model. */
export const MAX_BASH_OUTPUT = 30_000;

/** Most Unicode characters of a file for a model. */
export const MAX_READ_OUTPUT = 50_000;

/** Time limit of a command of `bash`, in seconds. */
export const BASH_TIMEOUT_SECS = 120;

/** A tool in a form that can be converted for every provider. */
export interface ToolDef {
  /** The name that a model calls. */
  readonly name: string;
  /** A description for the model. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The result of a tool of a `ToolExecutor`. */
export interface ExecutorResult {
  /** The text for the model: masked and bounded. */
  readonly content: string;
  /** Whether the call failed. */
  readonly isError: boolean;
}

/** The schema of text arguments with their descriptions. All of them are required. */
function textParameters(properties: Readonly<Record<string, string>>): ToolDef['parameters'] {
  const texts = Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]);
  return { type: 'object', properties: Object.fromEntries(texts), required: Object.keys(properties) };
}

/**
 * The four tools that every `ToolExecutor` has: `bash`, `read`, `write` and `edit`. Each call returns new objects.
 *
 * @example
 * ```ts
 * import { builtinToolDefs } from 'handrail';
 *
 * console.log(builtinToolDefs().map(({ name }) => name)); // [ 'bash', 'read', 'write', 'edit' ]
 * ```
 */
export function builtinToolDefs(): ToolDef[] {
  return [
    {
      name: 'bash',
      description: 'Execute a bash command in the workspace and return its output.',
      parameters: textParameters({ command: 'The bash command to execute.' }),
    },
    {
      name: 'read',
      description:
        'Read a text file. Secrets are masked; a mask that is written back as it was read is the secret again.',
      parameters: textParameters({ file_path: 'The file to read, absolute or relative to the workspace.' }),
    },
    {
      name: 'write',
      description: 'Create a file or replace its content. Folders above it are made.',
      parameters: textParameters({
        file_path: 'The file to write, absolute or relative to the workspace.',
        content: 'The whole new content.',
      }),
    },
    {
      name: 'edit',
      description: 'Replace the first occurrence of a text in a file.',
      parameters: textParameters({
        file_path: 'The file to edit, absolute or relative to the workspace.',
        old_string: 'The text to replace.',
        new_string: 'The text to put in its place.',
      }),
    },
  ];
}

/** The answer of a model with figures about it. */
export interface OutgoingMessage {
  /** The text of the answer. */
  readonly text: string;
  /** Provider, model, tokens and time of the answer. */
  readonly metadata: {
    /** Name of the provider that answered. */
    readonly provider_used: string;
    /** Tokens of the whole exchange; null when the provider did not say. */
    readonly tokens_used: number | null;
    /** Milliseconds until the answer. */
    readonly processing_time_ms: number;
    /** Name of the model; null when it is not known. */
    readonly model: string | null;
  };
}

/**
 * Builds the answer of a model with figures about it, in the form that message channels pass on.
 *
 * @param text The text of the answer.
 * @param providerName Name of the provider.
 * @param totalTokens Tokens of the exchange; 0 means that they are not known.
 * @param elapsedMs Milliseconds until the answer.
 * @param model Name of the model. Default: not known.
 * @example
 * ```ts
 * import { buildResponse } from 'handrail';
 *
 * console.log(buildResponse('Hi.', 'openai', 0, 12).metadata.tokens_used); // null
 * ```
 */
export function buildResponse(
  text: string,
  providerName: string,
  totalTokens: number,
  elapsedMs: number,
  model?: string,
): OutgoingMessage {
  return {
    text,
    metadata: {
      provider_used: providerName,
      tokens_used: totalTokens === 0 ? null : totalTokens,
      processing_time_ms: elapsedMs,
      model: model ?? null,
    },
  };
}

/**
 * Whether tools are enabled: an explicit empty list turns them off, no list leaves them all on.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when the list is no array, or the context no object.
 * @example
 * ```ts
 * import { toolsEnabled } from 'handrail';
 *
 * console.log(toolsEnabled({}), toolsEnabled({ allowedTools: [] })); // true false
 * ```
 */
export function toolsEnabled(context: { readonly allowedTools?: readonly string[] | null } = {}): boolean {
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    throw invalidArgument('context', 'an object', context);
  const { allowedTools } = context;
  if (allowedTools === undefined || allowedTools === null) return true;
  if (!Array.isArray(allowedTools)) throw invalidArgument('allowedTools', 'an array', allowedTools);
  return allowedTools.length > 0;
}

/** A copy of a tool's arguments, so that a getter of the caller runs only once. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Names that messages may repeat: as long as the name of an argument, without digits, which most secrets have. */
const SHOWABLE_NAME = /^[A-Za-z_]{1,32}$/;

/**
 * Copies the arguments of a model and refuses those that are not in `known`.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` with the text for the model.
 */
export function readArguments(args: unknown, knownNames: readonly string[]): ToolArguments {
  const copiedArguments = copyOf(args);
  const unknown = Object.keys(copiedArguments).find((name) => !knownNames.includes(name));
  if (unknown === undefined) return copiedArguments;
  const shownName = SHOWABLE_NAME.test(unknown) ? `'${unknown}'` : 'of a strange name';
  throw wrongArguments(`Error: unknown parameter ${shownName}; there are ${knownNames.join(', ')}`);
}

function copyOf(args: unknown): ToolArguments {
  if (typeof args !== 'object' || args === null) return {};
  try {
    return { ...args };
  } catch {
    throw wrongArguments('Error: the arguments cannot be read');
  }
}

/** A text argument. Anything else counts as missing. */
export function textArgument(args: ToolArguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw missingArgument(name);
}

/** The command of `bash`. A blank one counts as missing. */
export function commandArgument(args: ToolArguments): string {
  const command = textArgument(args, 'command');
  if (command.trim() === '') throw missingArgument('command');
  return command;
}

/** Which occurrence `edit` replaces: one, all, or by default the first. */
export function occurrenceArgument({ replace_all: all, occurrence }: ToolArguments): {
  readonly all: boolean;
  readonly occurrence?: number;
} {
  if (all !== undefined && typeof all !== 'boolean') throw wrongArguments("Error: 'replace_all' must be true or false");
  if (occurrence === undefined) return { all: all ?? false };
  if (!Number.isSafeInteger(occurrence) || (occurrence as number) < 1 || all === true) {
    throw wrongArguments("Error: 'occurrence' must be a whole number from 1, without 'replace_all'");
  }
  return { all: false, occurrence: occurrence as number };
}

function missingArgument(name: string): HandrailError {
  return wrongArguments(`Error: '${name}' parameter is required`);
}

function wrongArguments(message: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', message);
}

/** The notice at the end of an answer of `read` that is not the whole file. */
const TRUNCATION_NOTICE = /\n\.\.\. \(output truncated: \d+ total chars, showing first \d+\)$/;

/** Whether a text that a model wants to write is the shortened answer of `read`. Writing it back would truncate the file. */
export function isTruncatedRead(modelText: string): boolean {
  return TRUNCATION_NOTICE.test(modelText);
}
