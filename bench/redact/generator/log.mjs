// A mixed terminal log with secrets whose places are known.
import { logLine } from './log-lines.mjs';
import { plantOne } from './plant.mjs';
import { Random } from './random.mjs';
import { Scribe } from './scribe.mjs';

/** As the log of a long session has them. */
export const SECRETS_PER_MEGABYTE = 10;
const MEGABYTE = 1e6;
/** More than the longest thing written at once. */
const SLACK_BYTES = 64 << 10;

/**
 * @param {{seed: number, bytes: number, secretsPerMegabyte?: number, ascii?: boolean}} options `ascii`: nothing else
 * @returns {{text: Buffer, truths: import('./scribe.mjs').Truth[]}} at least `bytes`, up to the end of a line; every line
 *   without a truth has to stay as it is
 */
export function generateLog({ seed, bytes, secretsPerMegabyte = SECRETS_PER_MEGABYTE, ascii = false }) {
  const random = new Random(seed);
  const scribe = new Scribe(bytes + SLACK_BYTES);
  const gap = secretsPerMegabyte === 0 ? Number.POSITIVE_INFINITY : MEGABYTE / secretsPerMegabyte;
  let next = gap / 2;
  while (scribe.length < bytes) {
    if (scribe.length >= next) {
      plantOne(scribe, random);
      next += gap;
    } else {
      scribe.text(`${logLine(random, ascii)}\n`);
    }
  }
  return scribe.finish();
}
