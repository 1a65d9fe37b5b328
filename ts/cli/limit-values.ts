import { isHandrailError } from '../errors.js';
import { type CheckedLimits, type LimitName, type LimitOptions, limitOptions } from '../terminal/limit-options.js';
import { UsageError } from './usage-error.js';

/** The limits by their names on the command line. */
const NAMES: Readonly<Record<string, LimitName>> = {
  memory: 'memoryBytes',
  processes: 'processes',
  cpu: 'cpuMs',
  file: 'fileBytes',
  disk: 'diskBytes',
  'open-files': 'openFiles',
};

/** The names that the shell completes. */
export const LIMIT_NAMES: readonly string[] = Object.keys(NAMES).map((name) => `${name}=`);

const BYTES_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};
const MS_PER_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000 };
const ENTRY = /^([a-z-]+)=(?:(none)|(\d{1,15})([A-Za-z]*))$/;

/**
 * The limits of entries such as `memory=2GiB`, `cpu=30s`, `processes=none`. A later entry replaces an earlier one.
 *
 * @throws UsageError that says how an entry is written.
 */
export function limitValues(entries: readonly string[], option: string): LimitOptions {
  const limits: Partial<Record<LimitName, number | 'none'>> = {};
  for (const entry of entries) {
    const [, name = '', none, digits = '', unit = ''] = ENTRY.exec(entry) ?? [];
    const limit = NAMES[name];
    if (limit === undefined) throw new UsageError(`${option} takes ${Object.keys(NAMES).join('=, ')}= and a value`);
    limits[limit] = none === undefined ? Number(digits) * factor(limit, unit, `${option} ${name}`) : 'none';
  }
  return checked(limits, option);
}

/** The units that a limit takes, each with what it is a multiple of. */
function unitsOf(limit: LimitName): Readonly<Record<string, number>> {
  if (limit.endsWith('Bytes')) return BYTES_PER_UNIT;
  return limit === 'cpuMs' ? MS_PER_UNIT : { '': 1 };
}

function factor(limit: LimitName, unit: string, option: string): number {
  const units = unitsOf(limit);
  const found = units[unit];
  if (found !== undefined) return found;
  const known = Object.keys(units).filter((name) => name !== '');
  throw new UsageError(`${option} takes a number${known.length === 0 ? '' : ` and ${known.join(', ')}`}, or none`);
}

function checked(limits: LimitOptions, option: string): CheckedLimits {
  try {
    return limitOptions(limits, option) ?? (limits as CheckedLimits);
  } catch (error) {
    if (!isHandrailError(error)) throw error;
    throw new UsageError(error.message);
  }
}
