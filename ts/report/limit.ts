import type { LimitReport } from '../native/binding.js';

/** A limit that a program met. */
export interface LimitMet {
  /** The option of `confine.limits`. */
  readonly name: LimitReport['name'];
  /** Its value, in the unit of its name. */
  readonly value: number;
  /** How much was used when that was seen. Absent where the kernel held the limit, and nobody counted. */
  readonly used?: number;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
const UNIT_BYTES = 1_024;
const MS_PER_SECOND = 1_000;

/** A sentence about a limit that was met, such as `used more than 2 GiB of memory (confine.limits.memoryBytes)`. */
export function limitText({ name, value }: LimitMet): string {
  return `${amountText(name, value)} (confine.limits.${name})`;
}

function amountText(name: LimitMet['name'], value: number): string {
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
