import { BYTE_UNITS, LIMIT_NAMES } from '../report/advice.js';
import { LIMIT_RANGES, type LimitName, type LimitOptions } from '../terminal/limit-options.js';
import { UsageError } from './usage-error.js';

/** The names that the shell completes. */
export const LIMIT_COMPLETIONS: readonly string[] = Object.keys(LIMIT_NAMES).map((name) => `${name}=`);

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
    const limit = LIMIT_NAMES[name];
    if (limit === undefined)
      throw new UsageError(`${option} takes ${Object.keys(LIMIT_NAMES).join('=, ')}= and a value`);
    limits[limit] = none === undefined ? limitValue(limit, digits, unit, `${option} ${name}`) : 'none';
  }
  return limits;
}

function limitValue(limit: LimitName, digits: string, unit: string, option: string): number {
  const value = Number(digits) * factor(limit, unit, option);
  const { min, max, unit: counted } = LIMIT_RANGES[limit];
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option} takes a number of ${counted} from ${min} to ${max}, or none`);
}

/** The units that a limit takes, each with what it is a multiple of. */
function unitsOf(limit: LimitName): Readonly<Record<string, number>> {
  if (limit.endsWith('Bytes')) return BYTE_UNITS;
  return limit === 'cpuMs' ? MS_PER_UNIT : { '': 1 };
}

function factor(limit: LimitName, unit: string, option: string): number {
  const units = unitsOf(limit);
  const found = units[unit];
  if (found !== undefined) return found;
  const known = Object.keys(units).filter((name) => name !== '');
  throw new UsageError(`${option} takes a number${known.length === 0 ? '' : ` and ${known.join(', ')}`}, or none`);
}
