import { HandrailError } from '../errors.js';
import type { LayerUse, ProgramLayer, Staging } from '../terminal/program-layer.js';
import type { CommittedLayer } from './answers.js';
import type { FileAnswer } from './results.js';
import type { TransactionCommitOptions } from './transaction-options.js';

export type { CommittedLayer, FileAnswer, TransactionCommitOptions };

/** The layer of a job or a session, which can be brought over while that goes on. */
export interface StagedProgram extends ProgramLayer {
  /** Brings over what was written so far. It goes on in the layer, and what it writes from then on is brought over later. */
  commit(options: TransactionCommitOptions): Promise<FileAnswer<CommittedLayer>>;
}

/** Makes such layers. */
export interface ProgramStaging extends Staging {
  /** A layer that begins now. */
  begin(use: LayerUse): Promise<StagedProgram>;
}

/** The error of a commit where programs write into the roots. */
export function notStaged(): HandrailError {
  return new HandrailError(
    'ERR_NOT_SUPPORTED',
    "Nothing waits for a commit without `changes: 'staged'` of the toolkit",
    {
      data: { name: 'changes' },
    },
  );
}
