// The contexts in which a secret appears, each a line as programs write it. The secret is added with `line.secret`, all other
// text with `line.text`.

import { styledName } from './made-up-secrets.mjs';
import { Line } from './text-writer.mjs';
import { WORDS } from './words.mjs';

const TERMINAL_COLUMNS = 80;
/** The fewest characters of a wrapped secret on each side of the line break. */
const MIN_WRAPPED_CHARS = 4;
const COLOURS = ['\u001b[32m', '\u001b[1;33m', '\u001b[38;5;208m', '\u001b[0;36m'];
const RESET = '\u001b[0m';
/** Names that do not suggest a secret. A secret with a known format has to be found after these, too. */
const NEUTRAL_NAMES = ['value', 'result', 'current', 'item', 'output'];

const host = (random) => `${random.pick(WORDS)}.example.${random.pick(['com', 'org', 'net'])}`;

/** The name before a secret in the style of its context. Half of the secrets with a known format get a neutral name. */
function nameOf(secret, random, style) {
  const neutral = secret.knownByFormat && random.chance(0.5);
  return styledName(neutral ? random.pick(NEUTRAL_NAMES) : secret.name, style);
}

function colour(line, secret, random) {
  const hasNoName = random.chance(0.5) && secret.knownByFormat;
  line.text(hasNoName ? 'created ' : `${nameOf(secret, random, 'snake')}: `);
  line
    .text(random.pick(COLOURS))
    .secret(secret.value)
    .text(`${RESET} (${random.pick(WORDS)})`);
}

function userInfo(line, secret, random) {
  const scheme = random.pick(['https', 'postgres', 'redis', 'amqp', 'mongodb']);
  const path = `${random.pick(WORDS)}${random.pick(['', '/', '.git'])}`;
  // Some services take a token in place of the user name.
  const user = secret.knownByFormat && random.chance(0.3) ? '' : `${random.pick(WORDS)}:`;
  line.text(`${random.pick(['cloning', 'connecting to', 'using'])} ${scheme}://${user}`);
  line.secret(encodeURIComponent(secret.value)).text(`@${host(random)}:${random.between(1024, 9999)}/${path}`);
}

function query(line, secret, random) {
  line.text(`GET https://${host(random)}/v${random.int(4)}/${random.pick(WORDS)}?page=${random.int(50)}&`);
  line.text(`${nameOf(secret, random, 'snake')}=`).secret(encodeURIComponent(secret.value));
  line.text(random.chance(0.5) ? `&limit=${random.between(10, 100)} 200 OK` : ' 200 OK');
}

function json(line, secret, random) {
  const name = nameOf(secret, random, random.pick(['camel', 'snake']));
  const gap = random.pick(['', ' ']);
  line.text(`{"id":${gap}${random.int(9999)},${gap}"host":${gap}"${host(random)}",${gap}"${name}":${gap}"`);
  line.secret(secret.value).text(`",${gap}"retries":${gap}${random.int(9)}}`);
}

function yaml(line, secret, random) {
  const quote = random.pick(['', '"', "'"]);
  line.text(
    `${' '.repeat(random.pick([0, 2, 4]))}${nameOf(secret, random, random.pick(['snake', 'camel', 'kebab']))}: `,
  );
  line.text(quote).secret(secret.value).text(quote);
}

function dotenv(line, secret, random) {
  const quote = random.pick(['', '"', "'"]);
  line
    .text(`${nameOf(secret, random, 'upper')}=${quote}`)
    .secret(secret.value)
    .text(quote);
}

function flag(line, secret, random) {
  const name = nameOf(secret, random, 'kebab');
  line.text(`$ ${random.pick(WORDS)} deploy --region eu-${random.int(9)} --${name}${random.pick(['=', ' '])}`);
  line.secret(secret.value).text(random.pick(['', ' --verbose', ` ${random.pick(WORDS)}.txt`]));
}

function header(line, secret, random) {
  const shape = random.int(3);
  const [before, after] = random.pick([
    ['> ', ''],
    ['', ''],
    ['curl -sS -H "', `" https://${host(random)}/`],
  ]);
  line.text(before);
  if (shape === 0) line.text(`Authorization: ${random.pick(['Bearer', 'bearer', 'Token', 'token'])} `);
  else if (shape === 1) line.text('X-Api-Key: ');
  else line.text(`X-${styledName(secret.name, 'kebab')}: `);
  line.secret(secret.value).text(after);
}

function shell(line, secret, random) {
  const quote = random.pick(['', '"', "'"]);
  line.text(random.pick(['export ', '+ ', '', 'set -x; '])).text(`${nameOf(secret, random, 'upper')}=${quote}`);
  line.secret(secret.value).text(`${quote}${random.pick(['', ` ./${random.pick(WORDS)}.sh`, '; make'])}`);
}

function connection(line, secret, random) {
  const name = secret.format === 'azure-storage' ? 'AccountKey' : random.pick(['Password', 'Pwd', 'SharedAccessKey']);
  line.text(`Server=tcp:${host(random)},1433;Database=${random.pick(WORDS)};User Id=${random.pick(WORDS)};${name}=`);
  line.secret(secret.value).text(random.pick([';', ';Encrypt=true', '']));
}

function logField(line, secret, random) {
  const quote = random.pick(['', '"']);
  line.text(`level=info component=${random.pick(WORDS)} attempt=${random.int(9)} `);
  line.text(`${nameOf(secret, random, random.pick(['snake', 'camel', 'dotted']))}=${quote}`);
  line.secret(secret.value).text(`${quote} took=${random.int(900)}ms`);
}

function prose(line, secret, random) {
  line.text(random.pick(['using ', 'got ', 'warning: key ', 'credentials file says '])).secret(secret.value);
  line.text(random.pick([' now', ', see the manual', ')', '.']));
}

/** Another context as a terminal of 80 columns wraps it: with line breaks, one of them inside the secret. */
function wrapped(line, secret, random) {
  const inner = new Line();
  random.pick([dotenv, flag, header, logField, json])(inner, secret, random);
  const at = inner.pieces.findIndex((piece) => piece.secret);
  const before = inner.pieces.slice(0, at).reduce((sum, { text }) => sum + text.length, 0);
  const leastColumn = Math.max(MIN_WRAPPED_CHARS, TERMINAL_COLUMNS - secret.value.length + MIN_WRAPPED_CHARS);
  const column = random.between(leastColumn, TERMINAL_COLUMNS - MIN_WRAPPED_CHARS);
  const padding = (((column - before) % TERMINAL_COLUMNS) + TERMINAL_COLUMNS) % TERMINAL_COLUMNS;
  const pieces = [{ text: filler(random, padding), secret: false }, ...inner.pieces];
  const lineBreak = random.pick(['\n', '\r\n']);
  let usedColumns = 0;
  for (const piece of pieces) {
    let remaining = piece.text;
    while (usedColumns + remaining.length > TERMINAL_COLUMNS) {
      add(line, piece.secret, remaining.slice(0, TERMINAL_COLUMNS - usedColumns));
      line.text(lineBreak);
      remaining = remaining.slice(TERMINAL_COLUMNS - usedColumns);
      usedColumns = 0;
    }
    add(line, piece.secret, remaining);
    usedColumns += remaining.length;
  }
}

function add(line, secret, text) {
  if (text === '') return;
  if (secret) line.secret(text);
  else line.text(text);
}

/** Exactly `length` characters of words, the last one a space. */
function filler(random, length) {
  let text = '';
  while (text.length < length) text += `${random.pick(WORDS)} `;
  return length === 0
    ? ''
    : `${text
        .slice(0, length - 1)
        .trimEnd()
        .padEnd(length - 1, '.')} `;
}

/** Contexts by name: each writes a secret and the line around it. */
export const CONTEXTS = {
  colour,
  'user-info': userInfo,
  query,
  json,
  yaml,
  dotenv,
  flag,
  header,
  wrapped,
  shell,
  connection,
  'log-field': logField,
};

/** Contexts without a name before the secret, in which only a known format can be found. */
export const BARE_CONTEXTS = { prose };
