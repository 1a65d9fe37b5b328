import { type Attack, attack } from '../attack.js';

const SOURCE = { class: 'writes', files: { a: 'a\n' } } as const;

/** Listed programs that write where their arguments say, outside of every root. */
export const WRITES: readonly Attack[] = [
  attack('cp-outside', 'copies to a place outside', ['cp', 'a', '{MARK}'], SOURCE),
  attack('mv-outside', 'moves to a place outside', ['mv', 'a', '{MARK}'], SOURCE),
  attack('tee-outside', 'an empty file outside', ['tee', '{MARK}'], SOURCE),
  attack('sort-outside', 'sorts into a file outside', ['sort', '-o', '{MARK}', 'a'], SOURCE),
  attack(
    'curl-outside',
    'stores what it reads in a file outside',
    ['curl', '-so', '{MARK}', 'file://{WORK}/a'],
    SOURCE,
  ),
  attack(
    'sqlite-attach',
    'a statement makes a database outside',
    ['sqlite3', 'a.db', "attach '{MARK}' as b; create table b.c(d)"],
    { class: 'writes' },
  ),
  attack(
    'sqlite-vacuum',
    'a statement copies a database to a place outside',
    ['sqlite3', 'a.db', "create table a(b); vacuum into '{MARK}'"],
    { class: 'writes' },
  ),
  attack('openssl-outside', 'an option names the output', ['openssl', 'rand', '-out', '{MARK}', '4'], SOURCE),
  attack('gcc-outside', 'an option names the output', ['gcc', '-E', '-o', '{MARK}', '-x', 'c', 'a'], SOURCE),
  attack('link-outside', 'a link in the workspace leads outside', ['tee', '{WORK}/link'], {
    class: 'writes',
    setup: 'ln -s {MARK} link',
  }),
];
