// Generates a terminal log with planted secrets at known offsets.
import { logLine } from './log-lines.mjs';
import { plantSecret } from './plant.mjs';
import { Random } from './random.mjs';
import { TextWriter } from './text-writer.mjs';

/** The usual density in the log of a long session. */
export const SECRETS_PER_MEGABYTE = 10;
const MEGABYTE = 1e6;
/** More bytes than any single entry: the log ends after the entry that reaches its size. */
const SLACK_BYTES = 64 << 10;

/**
 * @param {{seed: number, bytes: number, secretsPerMegabyte?: number, ascii?: boolean}} options `ascii`: no other characters
 * @returns {{text: Buffer, plantedSecrets: import('./text-writer.mjs').PlantedSecret[]}} at least `bytes` of whole lines; lines
 *   without a planted secret are harmless
 */
export function generateLog({ seed, bytes, secretsPerMegabyte = SECRETS_PER_MEGABYTE, ascii = false }) {
  const random = new Random(seed);
  const writer = new TextWriter(bytes + SLACK_BYTES);
  const bytesPerSecret = secretsPerMegabyte === 0 ? Number.POSITIVE_INFINITY : MEGABYTE / secretsPerMegabyte;
  let nextOffset = bytesPerSecret / 2;
  while (writer.length < bytes) {
    if (writer.length >= nextOffset) {
      plantSecret(writer, random);
      nextOffset += bytesPerSecret;
    } else {
      writer.text(`${logLine(random, ascii)}\n`);
    }
  }
  return writer.finish();
}
