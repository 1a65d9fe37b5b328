import type { Engine } from './engine.js';
import type { ProtectedPlaces } from './native-config.js';
import type { Staging } from './program-layer.js';
import type { ProjectNetwork } from './reached-hosts.js';
import type { Runner } from './runner.js';

/** What a toolkit shares with its terminal. */
export interface SharedParts {
  readonly engine?: Engine | undefined;
  /** Created from the same options, and closed by its creator. */
  readonly runner?: Runner;
  /** The places that redirections of scripts may not write to. Default: the built-in list. */
  readonly guards?: ProtectedPlaces;
  /** What presets say about the network. Default: no preset is used. */
  readonly project?: ProjectNetwork | undefined;
  /** Makes a layer for each command. Default: commands write into the roots. */
  readonly staging?: Staging | undefined;
}
