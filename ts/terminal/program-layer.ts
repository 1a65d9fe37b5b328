import type { NativeLayerFolder } from '../native/binding.js';
import type { Failure, ProgramEnd } from '../report/end.js';
import type { StagedChanges } from '../report/staged.js';
import type { Survivors } from '../report/survivors.js';

/** What a layer is for. */
export interface LayerUse {
  /** What writes into it. */
  readonly kind: 'run' | 'job' | 'session';
  /** Its command. */
  readonly command: string | readonly string[];
  /** Whose it is; undefined for the host. */
  readonly caller?: string | undefined;
}

/** How a program in a layer has ended. */
export interface LayerEnd {
  readonly status: ProgramEnd['status'] | 'denied';
  readonly failure?: Failure | undefined;
  /** Processes that could not be ended, and may still write. */
  readonly survivors: Survivors;
}

/** An end that Handrail has forced. */
export const FORCED_END: LayerEnd = { status: 'cancelled', survivors: [] };

/** A layer in which one program writes instead of in the roots. */
export interface ProgramLayer {
  /** Where it is, for the start. */
  readonly folder: NativeLayerFolder;
  /** The program was not started. */
  unused(): void;
  /**
   * The program has ended. Brings over what it wrote, where it has run.
   *
   * @param isWanted Whether its owner has ended it, as servers are ended. Default: false.
   * @returns What became of that. Undefined where it was dropped, as nothing has run, or Handrail has ended it.
   */
  ended(end: LayerEnd, isWanted?: boolean): Promise<StagedChanges | undefined>;
}

/** Makes layers for programs. */
export interface Staging {
  /** A layer that begins now. */
  begin(use: LayerUse): Promise<ProgramLayer>;
}

/** Starts a run in a layer that begins now. It is given back where nothing was started. */
export async function startInLayer<Outcome extends { readonly layer?: ProgramLayer | undefined }>(
  staging: Staging,
  { command, caller }: Omit<LayerUse, 'kind'>,
  start: (layer: ProgramLayer) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const layer = await staging.begin({ kind: 'run', command, caller });
  let outcome: Outcome | undefined;
  try {
    outcome = await start(layer);
    return outcome;
  } finally {
    if (outcome?.layer === undefined) layer.unused();
  }
}
