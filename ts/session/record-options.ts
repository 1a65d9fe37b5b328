import { type Checked, checkedOptions, integer, textValue } from '../config/validate.js';
import { DEFAULT_RECORDING_BYTES, MAX_RECORDING_BYTES, MIN_RECORDING_BYTES } from './limits.js';

/** Where a session is recorded. */
export interface RecordOptions {
  /**
   * The path of the file. It must not exist, and lie in no root of the toolkit. It is created so that only its owner can
   * read it.
   */
  readonly file: string;
  /** Most bytes of the file. What comes later is not recorded. Default: 64 MiB. Range: 4,096 to 1 GiB. */
  readonly maxBytes?: number | undefined;
}

/** Checked `RecordOptions`. */
export type CheckedRecord = Checked<typeof CHECKS>;

const CHECKS = {
  file: textValue,
  maxBytes: integer({ min: MIN_RECORDING_BYTES, max: MAX_RECORDING_BYTES, unit: 'bytes' }, DEFAULT_RECORDING_BYTES),
};

/** Checks the option `record`: a path, or an object with one. */
export function recordOption(value: unknown, name: string): CheckedRecord | undefined {
  if (value === undefined) return undefined;
  return checkedOptions(typeof value === 'string' ? { file: value } : value, name, CHECKS);
}
