// Plants a secret: writes it and the line around it.
import { BARE_CONTEXTS, CONTEXTS } from './contexts.mjs';
import { FORMATS, fill } from './formats.mjs';
import { madeUpSecret } from './made-up-secrets.mjs';
import { ALPHABETS } from './random.mjs';
import { Line } from './text-writer.mjs';

/** The share of secrets that have no published format. */
export const MADE_UP_SHARE = 0.2;
const PROSE_SHARE = 0.05;
const KEY_BLOCK_SHARE = 0.02;
const KEY_LINE_CHARS = 64;
const KEY_KINDS = ['RSA ', 'EC ', 'OPENSSH ', ''];

/** A private key of several lines, or as a JSON string with `\n` for line ends. */
function keyBlock(random) {
  const label = `${random.pick(KEY_KINDS)}PRIVATE KEY-----`;
  const isJson = random.chance(0.3);
  const lineBreak = isJson ? '\\n' : '\n';
  const line = new Line().text(`${isJson ? `{"type": "service_account", "private_key": "` : ''}-----BEGIN ${label}`);
  for (let linesLeft = random.between(3, 25); linesLeft > 0; linesLeft -= 1) {
    line.text(lineBreak).secret(random.text(ALPHABETS.base64, linesLeft === 1 ? 40 : KEY_LINE_CHARS));
  }
  line.text(`${lineBreak}-----END ${label}${isJson ? `${lineBreak}", "universe": "x"}` : ''}\n`);
  return { line, plantedSecret: { context: isJson ? 'json' : 'block', format: 'private-key', named: true } };
}

function secretOf(random) {
  if (random.chance(MADE_UP_SHARE)) return { ...madeUpSecret(random), named: false, knownByFormat: false };
  const { id, template, name, knownByFormat } = random.pick(FORMATS);
  return { format: id, name, value: fill(template, random), named: true, knownByFormat };
}

/**
 * Writes one secret and the line around it.
 *
 * @param {import('./text-writer.mjs').TextWriter} writer
 * @param {import('./random.mjs').Random} random
 */
export function plantSecret(writer, random) {
  if (random.chance(KEY_BLOCK_SHARE)) {
    const { line, plantedSecret } = keyBlock(random);
    writer.plant(line, plantedSecret);
    return;
  }
  const secret = secretOf(random);
  const hasNoName = secret.knownByFormat && random.chance(PROSE_SHARE);
  const contexts = hasNoName ? BARE_CONTEXTS : CONTEXTS;
  const context = random.pick(Object.keys(contexts));
  const line = new Line();
  contexts[context](line, secret, random);
  writer.plant(line.text('\n'), { context, format: secret.format, named: secret.named });
}
