/** Random trees, and what a tree is like: every name, kind, mode, owner, time, content, target, and which names are one file. */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

import type { Random } from '../../support/random.js';

/** Names of entries, each letter a byte. The last two are no UTF-8. */
export const NAMES: readonly string[] = [
  ...['a', 'b', 'c.txt', 'd', 'two words', 'two\nlines', '-dash', '.hidden', "quote's", '*', '$x', 'back\\slash'],
  ...['\xc3\xa9t\xc3\xa9', '\xe2\x80\xae', 'raw\xff\xfe', 'x\x80'],
];
const MOST_ENTRIES = 14;
const MODES = {
  file: [0o644, 0o644, 0o600, 0o640, 0o755, 0o444, 0o400, 0o4755],
  folder: [0o555, 0o755, 0o755, 0o700, 0o775, 0o1777, 0o2755],
};
/** Seconds in which old entries were changed last. */
const OLD = { first: 1_000_000_000, range: 600_000_000 };

const bytes = (name: string): Buffer => Buffer.from(name, 'latin1');

/** A text that edits and hunks find places in. */
export function textOf(random: Random): string {
  const lines = Array.from({ length: random.below(4) }, () => `line ${random.below(10)}`);
  return ['start', ...lines, 'end', ''].join('\n');
}

interface Made {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
}

/** A random tree. */
export interface RandomTree {
  /** Every entry beneath its folder. */
  readonly paths: readonly string[];
  /** Whether it has files with several names, which a layer does not keep as one. */
  readonly hasLinks: boolean;
}

/** Fills a folder. */
export function makeTree(folder: string, random: Random): RandomTree {
  const whole = (path: string): Buffer => bytes(path === '' ? folder : `${folder}/${path}`);
  const mayHaveLinks = random.oneIn(4);
  const made: Made[] = [{ path: '', kind: 'folder' }];
  let hasLinks = false;
  for (let count = 2 + random.below(MOST_ENTRIES); count > 0; count -= 1) {
    const above = random.pick(made.filter(({ kind }) => kind === 'folder')).path;
    const path = above === '' ? random.pick(NAMES) : `${above}/${random.pick(NAMES)}`;
    if (made.some((entry) => entry.path === path)) continue;
    const files = made.filter(({ kind }) => kind === 'file');
    const kind = random.pick(['file', 'file', 'file', 'folder', 'folder', 'link'] as const);
    const isLinked = kind === 'file' && mayHaveLinks && files.length > 0 && random.oneIn(3);
    if (isLinked) linkSync(whole(random.pick(files).path), whole(path));
    else makeEntry(whole(path), kind, made, random);
    hasLinks ||= isLinked;
    made.push({ path, kind });
  }
  // The innermost first: what is put into a folder changes its time.
  for (const { path, kind } of made.toReversed()) {
    if (kind !== 'link') chmodSync(whole(path), path === '' ? 0o755 : random.pick(MODES[kind]));
    const seconds = OLD.first + random.below(OLD.range) + random.below(1000) / 1000;
    lutimesSync(whole(path), seconds, seconds);
  }
  return { paths: made.slice(1).map(({ path }) => path), hasLinks };
}

function makeEntry(place: Buffer, kind: Made['kind'], made: readonly Made[], random: Random): void {
  if (kind === 'folder') mkdirSync(place);
  else if (kind === 'file') writeFileSync(place, random.oneIn(8) ? '' : textOf(random));
  else symlinkSync(bytes(random.pick([...made.slice(1).map(({ path }) => path), '..', 'nowhere'])), place);
}

/** What an entry is like. */
export interface EntryState {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly mode: string;
  readonly owner: string;
  readonly modified: bigint;
  /** Digest of the content of a file, target of a link. */
  readonly content: string;
  /** The first name of the same file. */
  readonly first: string;
}

export type TreeState = ReadonlyMap<string, EntryState>;

function kindOf(stat: BigIntStats): EntryState['kind'] {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

function contentOf(place: Buffer, kind: EntryState['kind']): string {
  if (kind === 'file') return createHash('sha256').update(readFileSync(place)).digest('hex');
  return kind === 'link' ? readlinkSync(place, { encoding: 'latin1' }) : '';
}

/** Reads a tree. Its names are as in `NAMES`; that of the folder itself is empty. */
export function stateOf(folder: string): TreeState {
  const found = new Map<string, EntryState>();
  const firsts = new Map<bigint, string>();
  const visit = (path: string): void => {
    const place = bytes(path === '' ? folder : `${folder}/${path}`);
    const stat = lstatSync(place, { bigint: true });
    const kind = kindOf(stat);
    const first = firsts.get(stat.ino) ?? path;
    firsts.set(stat.ino, first);
    const [mode, owner] = [(stat.mode & 0o7777n).toString(8), `${stat.uid}:${stat.gid}`];
    found.set(path, { kind, mode, owner, modified: stat.mtimeNs, content: contentOf(place, kind), first });
    if (kind !== 'folder') return;
    const names = readdirSync(place, { encoding: 'latin1' });
    for (const name of names.toSorted()) visit(path === '' ? name : `${path}/${name}`);
  };
  visit('');
  return found;
}

/** Where two trees differ, in words; empty where they do not. Names that `known` gives a part of are compared without it. */
export function differences(
  [one, other]: readonly [TreeState, TreeState],
  said: (entry: EntryState, path: string) => object,
): string[] {
  const text = (state: TreeState, path: string): string => {
    const entry = state.get(path);
    if (entry === undefined) return 'nothing';
    return JSON.stringify(said(entry, path), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  };
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].flatMap((path) => {
    const [left, right] = [text(one, path), text(other, path)];
    return left === right ? [] : [`${JSON.stringify(path)}: ${left} / ${right}`];
  });
}
