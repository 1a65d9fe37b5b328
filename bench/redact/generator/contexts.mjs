// The places a secret turns up in, each a line as programs write it. All that is secret is written with `line.secret`.
import { Line } from './scribe.mjs';
import { written } from './unnamed.mjs';
import { WORDS } from './words.mjs';

const TERMINAL_COLUMNS = 80;
/** Of a secret that a terminal wraps, at least so many characters stand on each side. */
const WRAPPED_PART = 4;
const COLOURS = ['\u001b[32m', '\u001b[1;33m', '\u001b[38;5;208m', '\u001b[0;36m'];
const RESET = '\u001b[0m';
/** Names that say nothing: what is known by its format is found behind these as well. */
const NEUTRAL_NAMES = ['value', 'result', 'current', 'item', 'output'];

const host = (random) => `${random.pick(WORDS)}.example.${random.pick(['com', 'org', 'net'])}`;

/** Half of what is known by its format stands behind a name that says nothing. */
function nameOf(secret, random, style) {
  const neutral = secret.standsAlone && random.chance(0.5);
  return written(neutral ? random.pick(NEUTRAL_NAMES) : secret.name, style);
}

function colour(line, secret, random) {
  const shown = random.chance(0.5) && secret.standsAlone;
  line.text(shown ? 'created ' : `${nameOf(secret, random, 'snake')}: `);
  line
    .text(random.pick(COLOURS))
    .secret(secret.value)
    .text(`${RESET} (${random.pick(WORDS)})`);
}

function userInfo(line, secret, random) {
  const scheme = random.pick(['https', 'postgres', 'redis', 'amqp', 'mongodb']);
  const path = `${random.pick(WORDS)}${random.pick(['', '/', '.git'])}`;
  // A token may be the user.
  const user = secret.standsAlone && random.chance(0.3) ? '' : `${random.pick(WORDS)}:`;
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
  else line.text(`X-${written(secret.name, 'kebab')}: `);
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

/** What a terminal of 80 columns makes of another place: line breaks, and one of them in the secret. */
function wrapped(line, secret, random) {
  const inner = new Line();
  random.pick([dotenv, flag, header, logField, json])(inner, secret, random);
  const at = inner.pieces.findIndex((piece) => piece.secret);
  const before = inner.pieces.slice(0, at).reduce((sum, { text }) => sum + text.length, 0);
  const least = Math.max(WRAPPED_PART, TERMINAL_COLUMNS - secret.value.length + WRAPPED_PART);
  const column = random.between(least, TERMINAL_COLUMNS - WRAPPED_PART);
  const padding = (((column - before) % TERMINAL_COLUMNS) + TERMINAL_COLUMNS) % TERMINAL_COLUMNS;
  const pieces = [{ text: filler(random, padding), secret: false }, ...inner.pieces];
  const lineBreak = random.pick(['\n', '\r\n']);
  let used = 0;
  for (const piece of pieces) {
    let rest = piece.text;
    while (used + rest.length > TERMINAL_COLUMNS) {
      add(line, piece.secret, rest.slice(0, TERMINAL_COLUMNS - used));
      line.text(lineBreak);
      rest = rest.slice(TERMINAL_COLUMNS - used);
      used = 0;
    }
    add(line, piece.secret, rest);
    used += rest.length;
  }
}

function add(line, secret, text) {
  if (text === '') return;
  if (secret) line.secret(text);
  else line.text(text);
}

/** Words that end with a blank, exactly `length` characters. */
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

/** Places by name. */
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

/** Where only what is known by its format can be found. */
export const BARE_CONTEXTS = { prose };
