/**
 * The description of a command of the command line. Parsing, help and completion all use it: there is no other list of
 * commands and options.
 */

/** How many values an option takes: none, one, or any number. */
export type OptionKind = 'flag' | 'value' | 'values';

/**
 * How the shell completes a value: with files, folders, names of programs, names of exported variables, the given
 * words, or not at all.
 */
export type Completion = 'files' | 'folders' | 'programs' | 'variables' | 'nothing' | readonly string[];

/** One option. */
export interface Option {
  /** The name without its dashes. */
  readonly name: string;
  /** The letter of its short form. */
  readonly short?: string;
  readonly kind: OptionKind;
  /** The placeholder of its value in help. Undefined for a flag. */
  readonly value?: string;
  readonly completes?: Completion;
  /** Whether a value is a list with commas. */
  readonly list?: boolean;
  /** The default, in words. Present for an option that a variable and the settings file can set too. */
  readonly setting?: string;
  /** Another option for the same setting. Of the two that counts which is set nearer to the command line. */
  readonly alternative?: string;
  readonly text: string;
  /** Whether the option has a row in the help of its command. Without one, another text of that page names it. Default: true. */
  readonly hasRow?: boolean;
}

/** The operands of a command: its words that are no options. */
export interface Operands {
  /** The text for the first line of the help. */
  readonly usageText: string;
  /**
   * How the shell completes them. `'command'` is a program with its own arguments: our options stand before it, and
   * everything after it belongs to it.
   */
  readonly completes: Completion | 'command';
}

/** An example, which a test runs as it is. */
export interface Example {
  readonly line: string;
  /** An explanation, where the line needs one. */
  readonly text?: string;
}

/** The description of one command. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands, and for completion. */
  readonly summary: string;
  /** A full description. */
  readonly about: string;
  /** Undefined for a command that takes only options. */
  readonly operands?: Operands;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** Exit codes and their meanings. Where the meaning is empty, the code is a sentence. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
  /** The stream that an error goes to with `--json`: the one on which the result was expected. */
  readonly errorsTo: 'stdout' | 'stderr';
}
