/** The shape of a preset: rules for what people of an ecosystem type, as data. */

/** A kind of project that there is a preset for. */
export type ProjectKind = 'node' | 'python' | 'rust' | 'go';

/** Rules that belong together. Lists of names have blanks between them. */
export interface PresetGroup {
  /** What the group is for, in one line. */
  readonly about: string;
  /** Programs that may run with any arguments. What the judgement asks about by itself, it still asks about. */
  readonly programs?: string;
  /** Programs with the arguments that they have to begin with. Such a use is not asked about. */
  readonly uses?: readonly string[];
  /** Interpreters that may run, and whose code is not judged. */
  readonly interpreters?: string;
}

/** What a kind of project adds to the options of a terminal. */
export interface Preset {
  readonly groups: readonly PresetGroup[];
  /** Variables that name the folder of a cache, relative to the folder that the project has for caches. */
  readonly caches?: Readonly<Record<string, string>>;
  /** Names of the host's variables that commands see unchanged. */
  readonly inherit?: string;
  /** Variables that name a folder of the host's home, where the host has that folder and does not set the variable. */
  readonly homes?: Readonly<Record<string, string>>;
}

/** What is not in a preset, and what becomes of it. */
export interface LeftOut {
  readonly what: string;
  readonly outcome: 'ask' | 'deny' | 'held by the kernel';
  /** Commands of this kind. */
  readonly examples: readonly string[];
}
