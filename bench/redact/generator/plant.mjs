// One secret in one place.
import { BARE_CONTEXTS, CONTEXTS } from './contexts.mjs';
import { FORMATS, fill } from './formats.mjs';
import { ALPHABETS } from './random.mjs';
import { Line } from './scribe.mjs';
import { unnamedSecret } from './unnamed.mjs';

/** Of all secrets, in formats no rule names. */
export const UNNAMED_SHARE = 0.2;
const PROSE_SHARE = 0.05;
const KEY_BLOCK_SHARE = 0.02;
const KEY_LINE_CHARS = 64;
const KEY_KINDS = ['RSA ', 'EC ', 'OPENSSH ', ''];

/** A private key in its lines, or with `\n` for line ends in JSON. */
function keyBlock(random) {
  const label = `${random.pick(KEY_KINDS)}PRIVATE KEY-----`;
  const escaped = random.chance(0.3);
  const lineBreak = escaped ? '\\n' : '\n';
  const line = new Line().text(`${escaped ? `{"type": "service_account", "private_key": "` : ''}-----BEGIN ${label}`);
  for (let left = random.between(3, 25); left > 0; left -= 1) {
    line.text(lineBreak).secret(random.text(ALPHABETS.base64, left === 1 ? 40 : KEY_LINE_CHARS));
  }
  line.text(`${lineBreak}-----END ${label}${escaped ? `${lineBreak}", "universe": "x"}` : ''}\n`);
  return { line, truth: { context: escaped ? 'json' : 'block', format: 'private-key', named: true } };
}

function secretOf(random) {
  if (random.chance(UNNAMED_SHARE)) return { ...unnamedSecret(random), named: false, standsAlone: false };
  const { id, template, name, standsAlone } = random.pick(FORMATS);
  return { format: id, name, value: fill(template, random), named: true, standsAlone };
}

/**
 * Writes one secret and the line around it.
 *
 * @param {import('./scribe.mjs').Scribe} scribe
 * @param {import('./random.mjs').Random} random
 */
export function plantOne(scribe, random) {
  if (random.chance(KEY_BLOCK_SHARE)) {
    const { line, truth } = keyBlock(random);
    scribe.plant(line, truth);
    return;
  }
  const secret = secretOf(random);
  const bare = secret.standsAlone && random.chance(PROSE_SHARE);
  const contexts = bare ? BARE_CONTEXTS : CONTEXTS;
  const context = random.pick(Object.keys(contexts));
  const line = new Line();
  contexts[context](line, secret, random);
  scribe.plant(line.text('\n'), { context, format: secret.format, named: secret.named });
}
