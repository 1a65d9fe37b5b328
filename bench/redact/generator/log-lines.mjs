// Generates harmless lines of a terminal log, many of which resemble secrets.
import { ALPHABETS } from './random.mjs';
import { WORDS } from './words.mjs';

const RESET = '\u001b[0m';
const LEVELS = ['INFO', 'DEBUG', 'WARN', 'ERROR', 'TRACE'];
const EXTENSIONS = ['rs', 'ts', 'js', 'c', 'py', 'go', 'json', 'toml'];
const MAX_PATH_PARTS = 5;

const twoDigits = (value) => String(value).padStart(2, '0');
const word = (random) => random.pick(WORDS);

function words(random, least, most) {
  return Array.from({ length: random.between(least, most) }, () => word(random)).join(' ');
}

function clock(random) {
  const time = `${twoDigits(random.int(24))}:${twoDigits(random.int(60))}:${twoDigits(random.int(60))}`;
  return `2026-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}T${time}.${random.between(100, 999)}Z`;
}

function path(random) {
  const parts = Array.from({ length: random.between(1, MAX_PATH_PARTS) }, () => word(random));
  return `${random.pick(['', './', '/usr/lib/', '/home/build/', 'src/'])}${parts.join('/')}.${random.pick(EXTENSIONS)}`;
}

const version = (random) => `${random.int(9)}.${random.int(30)}.${random.int(12)}`;

const timestamped = (random) => `${clock(random)} ${random.pick(LEVELS)} ${word(random)}: ${words(random, 3, 12)}`;

const coloured = (random) =>
  `\u001b[${random.pick(['1;32', '33', '31', '2', '38;5;244'])}m${random.pick(LEVELS)}${RESET} ${words(random, 2, 9)}`;

const compiling = (random) =>
  random.pick([
    () => `   Compiling ${word(random)}-${word(random)} v${version(random)} (${path(random)})`,
    () => `[${random.int(200)}/200] cc -O2 -Wall -I${path(random)} -c ${path(random)} -o ${path(random)}`,
    () =>
      `${path(random)}:${random.int(900)}:${random.int(80)}: warning: unused variable \`${word(random)}\` [-Wunused]`,
    () => `npm warn deprecated ${word(random)}@${version(random)}: use ${word(random)} instead`,
    () => `ok ${random.int(900)} - ${words(random, 3, 8)} (${random.int(400)} ms)`,
    () => `Downloading ${word(random)}-${version(random)}.tar.gz (${random.int(900)}.${random.int(9)} kB)`,
  ])();

const jsonLine = (random) =>
  JSON.stringify({
    level: random.pick(LEVELS).toLowerCase(),
    time: clock(random),
    msg: words(random, 2, 8),
    requestId: random.uuid(),
    durationMs: random.int(5000),
    path: path(random),
    ok: random.chance(0.8),
  });

const stack = (random) => {
  const frames = Array.from(
    { length: random.between(2, 8) },
    () => `    at ${word(random)}.${word(random)} (${path(random)}:${random.int(900)}:${random.int(80)})`,
  );
  return [`Error: ${words(random, 3, 7)}`, ...frames].join('\n');
};

const progress = (random) => {
  const parts = Array.from({ length: random.between(2, 10) }, (_, index) => {
    const done = Math.min(20, index * 2 + random.int(3));
    return `\r[${'#'.repeat(done)}${'.'.repeat(20 - done)}] ${String(done * 5).padStart(3)}% ${word(random)}`;
  });
  return parts.join('');
};

const table = (random) =>
  Array.from(
    { length: random.between(2, 6) },
    () => `| ${word(random).padEnd(12)} | ${String(random.int(100_000)).padStart(8)} | ${word(random).padEnd(10)} |`,
  ).join('\n');

const revision = (random) =>
  random.pick([
    () => `commit ${random.hex(40)}`,
    () => `Author: ${word(random)} <${word(random)}@example.org>`,
    () => `HEAD is now at ${random.hex(7)} ${words(random, 3, 8)}`,
    () => `sha256:${random.hex(64)}  ${path(random)}`,
    () => `      "integrity": "sha512-${random.text(ALPHABETS.base64, 86)}==",`,
    () => `request ${random.uuid()} took ${random.int(900)} ms`,
    () => `checksum = "${random.hex(64)}"`,
  ])();

const harmlessBase64 = (random) =>
  `data:text/plain;base64,${Buffer.from(words(random, 4, 20)).toString('base64')} ${word(random)}`;

/** Lines with a name like that of a secret, which is none or has no value. */
const secretLookalike = (random) =>
  random.pick([
    () => `MAX_TOKENS=${random.int(9000)}`,
    () => `"max_tokens": ${random.int(9000)}, "stop": null`,
    () => 'password: null',
    () => `{"token": null, "secret": false, "user": "${word(random)}"}`,
    () => `API_KEY=\${${word(random).toUpperCase()}_API_KEY}`,
    () => 'Authorization: Bearer <token>',
    () => `Enter passphrase for key '${path(random)}':`,
    () => `unexpected token: identifier at ${path(random)}:${random.int(900)}`,
    () => `public_key_path=${path(random)}`,
    () => `key=${word(random)} count=${random.int(900)}`,
    () => `tokens: ${random.int(9000)} in, ${random.int(900)} out`,
    () => `auth: ${random.pick(['enabled', 'disabled', 'required', 'true'])}`,
    () => `    pub fn token(&self) -> Option<&${word(random)}> {`,
    () => `const secret = await readSecret("${word(random)}");`,
    () => 'password = os.environ["PASSWORD"]',
    () => `git clone https://${word(random)}.example.org/${word(random)}/${word(random)}.git`,
  ])();

const symbols = (random) =>
  `  ✓ ${words(random, 2, 6)} … ${random.int(900)} ms — ${random.pick(['ok', 'gut', 'größer', '完了'])}`;

/** Kinds of lines, each with its share in per cent. */
const LINE_KINDS = [
  [22, timestamped],
  [12, coloured],
  [20, compiling],
  [14, jsonLine],
  [3, stack],
  [2, progress],
  [3, table],
  [9, revision],
  [3, harmlessBase64],
  [6, secretLookalike],
  [6, symbols],
];
const KINDS_BY_SHARE = LINE_KINDS.flatMap(([share, kind]) => Array.from({ length: share }, () => kind));
const ASCII_KINDS = KINDS_BY_SHARE.filter((kind) => kind !== symbols);

/**
 * One line, or several that belong together such as a stack trace, without the last line end.
 *
 * @param {import('./random.mjs').Random} random
 * @param {boolean} ascii whether all characters have to be ASCII
 */
export function logLine(random, ascii) {
  return random.pick(ascii ? ASCII_KINDS : KINDS_BY_SHARE)(random);
}
