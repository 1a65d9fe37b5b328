import { invalidArgument } from '../config/validate.js';

/** Most keys that can be sent at once. */
export const MAX_KEYS = 64;

/** What a terminal sends for keys that send the same in every mode. */
const FIXED_KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\u001b',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  space: ' ',
  backspace: '\u007f',
  insert: '\u001b[2~',
  delete: '\u001b[3~',
  'page-up': '\u001b[5~',
  'page-down': '\u001b[6~',
  f1: '\u001bOP',
  f2: '\u001bOQ',
  f3: '\u001bOR',
  f4: '\u001bOS',
  f5: '\u001b[15~',
  f6: '\u001b[17~',
  f7: '\u001b[18~',
  f8: '\u001b[19~',
  f9: '\u001b[20~',
  f10: '\u001b[21~',
  f11: '\u001b[23~',
  f12: '\u001b[24~',
};

/** The last byte of keys that have another form where the program asked for application cursor keys. */
const CURSOR_KEYS: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
};

/** The keys that a shell whose lines are judged may get at any time: they type nothing. */
const CONTROL_KEYS: ReadonlySet<string> = new Set(['ctrl-c', 'ctrl-d', 'ctrl-z', 'enter']);

/** Names of keys, for a message. */
const EXAMPLES =
  'up, down, left, right, home, end, page-up, page-down, enter, esc, tab, f1, ctrl-x, alt-x or one character';

/** Keys, as the terminal sends them. */
export interface Keys {
  readonly bytes: string;
  /** How many they are. */
  readonly count: number;
  /** Whether it is one that types nothing into a line. */
  readonly isControl: boolean;
}

/**
 * What a terminal sends for keys: names, separated by blanks.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown name, and for more than 64.
 */
export function keysOf(names: unknown, applicationCursor: boolean): Keys {
  const given = typeof names === 'string' ? names.split(' ').filter((name) => name !== '') : [];
  if (given.length === 0 || given.length > MAX_KEYS)
    throw invalidArgument('key', `1 to ${MAX_KEYS} keys: ${EXAMPLES}`, names);
  return {
    bytes: given.map((name) => bytesOf(name, applicationCursor)).join(''),
    count: given.length,
    isControl: given.length === 1 && CONTROL_KEYS.has(given[0] ?? ''),
  };
}

function bytesOf(name: string, applicationCursor: boolean): string {
  const fixed = Object.hasOwn(FIXED_KEYS, name) ? FIXED_KEYS[name] : undefined;
  if (fixed !== undefined) return fixed;
  const cursor = Object.hasOwn(CURSOR_KEYS, name) ? CURSOR_KEYS[name] : undefined;
  if (cursor !== undefined) return `\u001b${applicationCursor ? 'O' : '['}${cursor}`;
  const control = /^ctrl-([a-z@[\\\]^_])$/.exec(name)?.[1];
  // A terminal sends the lower five bits of the character.
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
  const alt = /^alt-(.)$/u.exec(name)?.[1] ?? '';
  const character = alt === '' ? name : alt;
  if ([...character].length !== 1 || /\p{C}/u.test(character)) throw invalidArgument('key', `a key: ${EXAMPLES}`, name);
  return alt === '' ? character : `\u001b${character}`;
}
