/** Documents of nested maps and lists that a seed decides, with secrets behind names that promise one. */
import type { Random } from '../../support/random.js';

export type Scalar = string | number | boolean | null;

export type Tree = Scalar | readonly Tree[] | { readonly [key: string]: Tree };

/** A document, and the secrets in it. */
export interface Planted {
  readonly tree: Tree;
  readonly secrets: readonly string[];
}

/** Whatever stands behind one of these is a secret. */
const STRONG_NAMES = ['password', 'client_secret', 'DB_PASSWORD', 'rootPassword'];

/** Behind these only what looks like a key is one. */
const WEAK_NAMES = ['apiKey', 'auth-token', 'private_key', 'secretAccessKey'];

const NAMES = ['name', 'id', 'replicas', 'image', 'spec', 'labels', 'a b', 'path', 'on', 'command', 'x.y/z', 'note'];

const HARMLESS: readonly Scalar[] = [
  'web',
  'a longer text, with a comma: and more',
  'registry/app:1.2',
  '- no list',
  '# no comment',
  'it\'s "quoted"',
  '1.0',
  'yes',
  '',
  'two\nlines',
  'ends with a line\n',
  ' blank before',
  0,
  -17,
  3.5,
  true,
  false,
  null,
];

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const KEYS: readonly ((random: Random) => string)[] = [
  (random) => `${random.text(LETTERS, 15)}47${random.text(LETTERS, 15)}`,
  (random) => `${random.text(LETTERS, 30)}+/${random.text(LETTERS, 6)}==`,
  (random) => ['gh', 'p_', random.text(LETTERS, 36)].join(''),
];

/** Values of which each has something that one writing has to escape. */
const PASSWORDS: readonly ((random: Random) => string | number)[] = [
  ...KEYS,
  (random) => `p4ss ${random.text(LETTERS, 6)} w0rd`,
  (random) => `it's9"${random.text(LETTERS, 8)}`,
  (random) => `x9${random.text(LETTERS, 4)}: 9 #${random.text(LETTERS, 6)}`,
  (random) => `back\\slash9\\${random.text(LETTERS, 5)}\\`,
  (random) => `9}],{[${random.text(LETTERS, 8)}`,
  (random) => `@${random.text(LETTERS, 10)}*&!|>%`,
  (random) => `first9${random.text(LETTERS, 8)}\nsecond9${random.text(LETTERS, 8)}`,
  (random) => `zwölf9${random.text(LETTERS, 8)}\u{1f511}`,
  (random) => 10_000_000 + random.below(90_000_000),
  (random) => {
    const lines = Array.from({ length: 3 }, () => random.text(LETTERS, 64)).join('\n');
    return `-----BEGIN ${'PRIVATE'} KEY-----\n${lines}\n-----END ${'PRIVATE'} KEY-----\n`;
  },
];

const MAX_DEPTH = 4;

/** A document of this seed. */
export function plantedDocument(random: Random): Planted {
  const secrets: string[] = [];
  const secret = (): [string, Scalar] => {
    const isStrong = random.oneIn(2);
    const value = random.pick(isStrong ? PASSWORDS : KEYS)(random);
    secrets.push(String(value));
    return [random.pick(isStrong ? STRONG_NAMES : WEAK_NAMES), value];
  };
  const map = (depth: number): Tree => {
    const entries: [string, Tree][] = [];
    for (let left = 1 + random.below(5); left > 0; left -= 1) {
      if (random.oneIn(3)) entries.push(secret());
      else entries.push([random.pick(NAMES), node(depth + 1)]);
    }
    return Object.fromEntries(entries);
  };
  const node = (depth: number): Tree => {
    if (depth >= MAX_DEPTH || random.oneIn(2)) return random.pick(HARMLESS);
    if (random.oneIn(3)) return Array.from({ length: 1 + random.below(4) }, () => node(depth + 1));
    return map(depth);
  };
  const tree = map(0);
  return { tree, secrets };
}
