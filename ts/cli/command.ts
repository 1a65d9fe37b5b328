/**
 * What a command of the command line is. Parsing, help and completion all read this, and nothing
 * else says which commands and options there are.
 */

/** What an option takes: nothing, one value, or any number of values. */
export type OptionKind = 'flag' | 'value' | 'values';

/**
 * What a value can be completed with: files, folders, names of programs, names of exported
 * variables, one of the words, or nothing.
 */
export type Completes = 'files' | 'folders' | 'programs' | 'variables' | 'nothing' | readonly string[];

/** One option. */
export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** The letter that stands for it behind one dash. */
  readonly short?: string;
  readonly kind: OptionKind;
  /** How its value is called in help. Nothing for a flag. */
  readonly value?: string;
  readonly completes?: Completes;
  /** Whether one value can be several, with commas between them. */
  readonly list?: boolean;
  /** What applies when nobody says it. There for an option that a variable and the settings file can say too. */
  readonly setting?: string;
  readonly text: string;
}

/** What stands on the line beside options. */
export interface Operands {
  /** As the first line of the help shows it. */
  readonly shown: string;
  /**
   * What it is completed with. `'command'` is a program with arguments of its own: options of ours
   * stand before it, and nothing after it is one.
   */
  readonly completes: Completes | 'command';
}

/** One example, which a test runs as it is. */
export interface Example {
  readonly line: string;
  /** What it does, where the line does not say it. */
  readonly text?: string;
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands, and for completion. */
  readonly summary: string;
  /** What it does, in full. */
  readonly about: string;
  /** Undefined when there is nothing but options. */
  readonly operands?: Operands;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** Exit codes, with what they mean; the first may be words. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
  /** Where an error goes with `--json`: where the result was expected. */
  readonly errorsTo: 'stdout' | 'stderr';
}
