import type { AnyToolSpec } from './definition.js';
import { terminalRun } from './terminal-run.js';

/** Every tool there is, in the order models are told about them. */
export const CATALOGUE: readonly AnyToolSpec[] = [terminalRun];
