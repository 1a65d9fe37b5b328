// Generates secrets without a published format: passwords and keys as programs make them up, with the names that programs give
// them.
import { ALPHABETS } from './random.mjs';
import { WORDS } from './words.mjs';

const OWNERS =
  'db app admin smtp redis mysql user service client root ftp ldap mail internal master deploy upstream partner ' +
  'proxy backup legacy reporting queue gateway';
const PASSWORDS = 'pass password passwd pwd passphrase';
const KEYS =
  'api_key secret secret_key access_key auth_token access_token api_token encryption_key signing_secret token';
const OWNER_NAMES = OWNERS.split(' ');
const PASSWORD_NAMES = PASSWORDS.split(' ');
const KEY_NAMES = KEYS.split(' ');

/** No character that would end a value, or has to be escaped, in JSON, YAML, a shell or a URL query. */
const PASSWORD_ALPHABET = `${ALPHABETS.alphanumeric}${ALPHABETS.alphanumeric}-_.+*^~!`;
const LONGEST_PASSWORD = 24;
const SHORTEST_PASSWORD = 8;

const capitalised = (word) => word[0].toUpperCase() + word.slice(1);

const STYLES = {
  snake: (words) => words.join('_'),
  upper: (words) => words.join('_').toUpperCase(),
  kebab: (words) => words.join('-'),
  camel: ([first, ...rest]) => first + rest.map(capitalised).join(''),
  dotted: ([first, ...rest]) => [first, rest.join('_')].filter(Boolean).join('.'),
};

/** A name in the style of its context: `db_pass`, `DB_PASS`, `db-pass`, `dbPass`, `db.pass`. */
export function styledName(name, style) {
  return STYLES[style](name.split(/[_-]/));
}

function startsWithLetter(text, random) {
  return random.pick(ALPHABETS.letters) + text.slice(1);
}

const PASSWORD_VALUES = {
  'random-password': (random) => {
    const length = random.between(SHORTEST_PASSWORD, LONGEST_PASSWORD);
    return startsWithLetter(random.text(PASSWORD_ALPHABET, length - 1), random) + random.int(10);
  },
  'word-password': (random) =>
    `${capitalised(random.pick(WORDS))}${random.pick(['-', '.', '_', ''])}${random.pick(WORDS)}${random.between(10, 9999)}` +
    random.pick(['', '!', '*']),
};

const KEY_VALUES = {
  'hex-key': (random) => random.hex(random.pick([32, 40, 64])),
  'base64-key': (random) => `${random.text(ALPHABETS.base64, 43)}=`,
  'alphanumeric-key': (random) => random.text(ALPHABETS.alphanumeric, random.between(16, 48)),
  'url-safe-key': (random) => startsWithLetter(random.text(ALPHABETS.base64url, random.between(22, 64)), random),
  'uuid-key': (random) => random.uuid(),
};

/** @returns {{format: string, name: string, value: string}} `name` is in snake case */
export function madeUpSecret(random) {
  const password = random.chance(0.5);
  const values = password ? PASSWORD_VALUES : KEY_VALUES;
  const format = random.pick(Object.keys(values));
  const word = random.pick(password ? PASSWORD_NAMES : KEY_NAMES);
  // Programs use names with and without an owner.
  const name = random.chance(0.3) ? word : `${random.pick(OWNER_NAMES)}_${word}`;
  return { format, name, value: values[format](random) };
}
