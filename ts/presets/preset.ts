/** The shape of a preset: rules for what people of an ecosystem type, as data. */

import type { PackageTool } from '../config/registry-table.js';
import type { ConfineOptions } from '../terminal/confine.js';

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
  /** Uses of these programs that are asked about, unless a rule of the host names them. */
  readonly asks?: readonly string[];
  /** Places beneath a root whose programs may run. Neither their arguments nor their code are judged. */
  readonly places?: string;
  /** Interpreters that may run, and whose code is not judged. */
  readonly interpreters?: string;
}

/** Where launchers put the programs that they download. Its programs run where a rule of the host names such a use. */
export interface DownloadPlace {
  /** The launchers, each with the words after which the program stands. */
  readonly launchers: readonly string[];
  /** Relative to the folder that the project has for caches. */
  readonly folder: string;
}

/** What a kind of project adds to the options of a terminal. */
export interface Preset {
  readonly groups: readonly PresetGroup[];
  /** Variables that name the folder of a cache, relative to the folder that the project has for caches. */
  readonly caches?: Readonly<Record<string, string>>;
  /** The cache that launchers download programs to. */
  readonly downloads?: DownloadPlace;
  /** Variables that commands see. */
  readonly variables?: () => Readonly<Record<string, string>>;
  /** What the kernel has to let commands do beyond what it lets those of every preset. */
  readonly confine?: ConfineOptions;
  /** Names of the host's variables that commands see unchanged. */
  readonly inherit?: string;
  /** The package managers of the kind, by the name of the first of them. Commands reach their registries. */
  readonly packages?: PackageTool;
}

/** What is not in a preset, and what becomes of it. */
export interface LeftOut {
  readonly what: string;
  readonly outcome: 'ask' | 'deny' | 'held by the kernel';
  /** Commands of this kind. */
  readonly examples: readonly string[];
}
