import type { LimitReport } from '../native/binding.js';
import type { OptionAdvice } from './advice.js';

/** A limit that a program met. */
export interface LimitMet {
  /** The option of `confine.limits`. */
  readonly name: LimitReport['name'];
  /** Its value, in the unit of its name. */
  readonly value: number;
  /** How much was used when that was seen. Absent where the kernel held the limit, and nobody counted. */
  readonly used?: number;
  /** The option that gives it twice as much. Whether that is enough, nobody knows before. */
  readonly advice: readonly OptionAdvice[];
}

const ADVISED_FACTOR = 2;

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
const UNIT_BYTES = 1_024;
const MS_PER_SECOND = 1_000;

/** A limit that was met, with advice. */
export function limitMet(report: LimitReport): LimitMet {
  const { name, value } = report;
  return { ...report, advice: [{ kind: 'option', name: `confine.limits.${name}`, value: value * ADVISED_FACTOR }] };
}

/** A sentence about a limit that was met, such as `used more than 2 GiB of memory (confine.limits.memoryBytes)`. */
export function limitText({ name, value }: Pick<LimitMet, 'name' | 'value'>): string {
  return `${amountText({ name, value })} (confine.limits.${name})`;
}

/** The sentence without the name of the option. */
export function amountText({ name, value }: Pick<LimitMet, 'name' | 'value'>): string {
  switch (name) {
    case 'memoryBytes':
      return `used more than ${bytesText(value)} of memory`;
    case 'processes':
      return `had more than ${withCommas(value)} processes and threads`;
    case 'cpuMs':
      return `used more than ${value < MS_PER_SECOND ? `${value} ms` : `${value / MS_PER_SECOND} s`} of processor time`;
    case 'fileBytes':
      return `wrote a file of more than ${bytesText(value)}`;
    case 'diskBytes':
      return `wrote more than ${bytesText(value)} to disk`;
    case 'openFiles':
      return `had ${withCommas(value)} files open`;
  }
}

/** A size such as `2 GiB` or `1.5 MiB`. */
function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(bytes) / Math.log2(UNIT_BYTES)), UNITS.length - 1);
  const amount = bytes / UNIT_BYTES ** power;
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${UNITS[power]}`;
}

function withCommas(count: number): string {
  return count.toLocaleString('en-US');
}
