import { checkedOptions, invalidArgument, type Range } from '../config/validate.js';
import type { LimitReport } from '../native/binding.js';

/** The limits of a run by the names of their options. */
export type LimitName = LimitReport['name'];

/**
 * How much one run, session or service may use, with everything that it starts. A run that meets a limit is ended and has
 * the status `limited`; its output and the files that it wrote are kept. `'none'` lifts a limit.
 *
 * The kernel holds memory and processes where a control group may be made; otherwise, like processor time and disk,
 * they are counted every 50 ms, and a run can be past a limit for that long. Processes of an ordinary user are held by a
 * user namespace then.
 */
export interface LimitOptions {
  /**
   * Memory of all of its processes together, in bytes. 1 MiB and more. Default: three quarters of the memory of the
   * machine, or of what a control group leaves to the host.
   */
  readonly memoryBytes?: number | 'none' | undefined;
  /** Processes at the same time, each thread counted. From 1 to 4,194,304. Default: 4,096. */
  readonly processes?: number | 'none' | undefined;
  /** Processor time of all of its processes together, in milliseconds. 1 and more. Default: `'none'`. */
  readonly cpuMs?: number | 'none' | undefined;
  /** Size of one file that it writes, in bytes. 1 and more. Default: 8 GiB. */
  readonly fileBytes?: number | 'none' | undefined;
  /**
   * Bytes that it writes to disk in all; its private `/tmp` and `/dev/shm` are little larger. What is written and
   * removed before it reaches the disk is not counted, nor is room that is reserved without being written. 64 KiB and
   * more, because the files that a private home begins with count. Default: `'none'`.
   */
  readonly diskBytes?: number | 'none' | undefined;
  /** Descriptors that one process has open. From 16 to 1,048,576. Default: half as many as the host may have. */
  readonly openFiles?: number | 'none' | undefined;
}

/** Limits that were checked. Undefined: the default. */
export type CheckedLimits = Readonly<Record<LimitName, number | 'none' | undefined>>;

const MIN_MEMORY_BYTES = 1_024 * 1_024;
/** The most processes that Linux has. */
const MAX_PROCESSES = 4_194_304;
const MIN_OPEN_FILES = 16;
/** A private home begins with a few files of a page each. */
const MIN_DISK_BYTES = 65_536;
/** The most descriptors that a process has, unless an administrator allows more. */
const MAX_OPEN_FILES = 1_048_576;
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** The values that each limit may have. */
export const LIMIT_RANGES: Readonly<Record<LimitName, Range>> = {
  memoryBytes: { min: MIN_MEMORY_BYTES, max: MAX_AMOUNT, unit: 'bytes' },
  processes: { min: 1, max: MAX_PROCESSES, unit: 'processes' },
  cpuMs: { min: 1, max: MAX_AMOUNT, unit: 'milliseconds' },
  fileBytes: { min: 1, max: MAX_AMOUNT, unit: 'bytes' },
  diskBytes: { min: MIN_DISK_BYTES, max: MAX_AMOUNT, unit: 'bytes' },
  openFiles: { min: MIN_OPEN_FILES, max: MAX_OPEN_FILES, unit: 'descriptors' },
};

const limit = (range: Range) => (value: unknown, name: string) => {
  if (value === undefined || value === 'none') return value;
  if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max) return value;
  const expected = `a whole number of ${range.unit} from ${range.min} to ${range.max}, or 'none'`;
  throw invalidArgument(name, expected, value);
};

const CHECKS = {
  memoryBytes: limit(LIMIT_RANGES.memoryBytes),
  processes: limit(LIMIT_RANGES.processes),
  cpuMs: limit(LIMIT_RANGES.cpuMs),
  fileBytes: limit(LIMIT_RANGES.fileBytes),
  diskBytes: limit(LIMIT_RANGES.diskBytes),
  openFiles: limit(LIMIT_RANGES.openFiles),
};

/** Checks the limits of a `confine`. Undefined when absent. */
export function limitOptions(value: unknown, name: string): CheckedLimits | undefined {
  return value === undefined ? undefined : checkedOptions(value, name, CHECKS);
}

/** Limits that hold for nothing. */
export const LIFTED_LIMITS: Required<LimitOptions> = Object.freeze({
  memoryBytes: 'none',
  processes: 'none',
  cpuMs: 'none',
  fileBytes: 'none',
  diskBytes: 'none',
  openFiles: 'none',
});

/** Limits in the form that the binding takes. Infinity is none. */
export function nativeLimits(limits: LimitOptions): Readonly<Partial<Record<LimitName, number>>> {
  const entries = Object.entries(limits).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === 'none' ? Number.POSITIVE_INFINITY : value] as const],
  );
  return Object.fromEntries(entries);
}

/** `given` with what it leaves open from `owner`. Undefined when neither says anything. */
export function mergedLimits(given?: LimitOptions, owner?: LimitOptions): LimitOptions | undefined {
  if (given === undefined || owner === undefined) return given ?? owner;
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...owner, ...Object.fromEntries(set) };
}
