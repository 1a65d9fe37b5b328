import { closeSync, constants, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

import { textValue } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { MAX_RULE_FILE_BYTES, type RuleFile } from './rule-file.js';

/**
 * Reads a rule file from anything that can be opened, such as a file or a pipe.
 *
 * @param path The path of the file.
 * @returns The file, for `ruleFiles`. Its name is the last part of the path.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when `path` is no string or empty,
 * `ERR_INVALID_RULE_FILE` when it cannot be read, is no UTF-8, or has more than 4 MiB.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { Redactor, readRuleFile } from 'handrail';
 *
 * writeFileSync('team.toml', '[[rules]]\nid = "acme-key"\nregex = "acme_([a-z0-9]+)"\n');
 * const redactor = new Redactor({ ruleFiles: [readRuleFile('team.toml')] });
 * console.log(redactor.redact('acme_x1y2')); // acme_[REDACTED]
 * ```
 */
export function readRuleFile(path: string): RuleFile {
  const name = basename(textValue(path, 'path'));
  let bytes: Buffer;
  try {
    bytes = readBounded(path);
  } catch (error) {
    // The message has neither the path nor the system's message: a secret may have been given in place of a path.
    const code = error instanceof Error && 'code' in error ? `: ${String(error.code)}` : '';
    throw new HandrailError('ERR_INVALID_RULE_FILE', `the rule file cannot be read${code}`);
  }
  if (bytes.length > MAX_RULE_FILE_BYTES) {
    throw new HandrailError('ERR_INVALID_RULE_FILE', `the rule file has more than ${MAX_RULE_FILE_BYTES} bytes`);
  }
  try {
    return { name, toml: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new HandrailError('ERR_INVALID_RULE_FILE', 'the rule file is not UTF-8');
  }
}

/** Reads the file, at most one byte more than is accepted: a device may have no end. */
function readBounded(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOCTTY);
  try {
    const pieces: Buffer[] = [];
    let remainingBytes = MAX_RULE_FILE_BYTES + 1;
    while (remainingBytes > 0) {
      const piece = Buffer.alloc(Math.min(remainingBytes, 64 * 1_024));
      const count = readSync(descriptor, piece);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      remainingBytes -= count;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(descriptor);
  }
}
