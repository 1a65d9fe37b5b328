/** The work tree that the cases of the corpus are written for, made once and copied for each run. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const AUTHOR = { NAME: 'Corpus', EMAIL: 'corpus@example.invalid' };
const DATA = 'data\n';

/** Who commits: the cases have no settings of their own. */
export const CORPUS_VARIABLES: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: AUTHOR.NAME,
  GIT_AUTHOR_EMAIL: AUTHOR.EMAIL,
  GIT_COMMITTER_NAME: AUTHOR.NAME,
  GIT_COMMITTER_EMAIL: AUTHOR.EMAIL,
};

const SETUP = `git init -q --template= .
printf "we x it's 4 kill rm\\n" > a.txt; echo readme > README.md
git add a.txt README.md; git commit -qm first
echo b > b.txt; echo more >> README.md
git add .; git commit -qm second
: > rm.txt`;

export class CorpusFixture {
  /** Root of all work trees. */
  readonly root: string;
  readonly #template: string;
  #count = 0;

  /** @param evil The compiled `evil.so`. */
  constructor(evil: string) {
    const base = mkdtempSync(path.join(tmpdir(), 'handrail-corpus-'));
    this.root = path.join(base, 'work');
    this.#template = path.join(base, 'template');
    mkdirSync(this.root);
    mkdirSync(this.#template);
    execFileSync('bash', ['-ec', SETUP], {
      cwd: this.#template,
      env: { ...CORPUS_VARIABLES, PATH: process.env['PATH'] ?? '', HOME: base },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeFileSync(path.join(this.#template, 'canary'), DATA);
    copyFileSync(evil, path.join(this.#template, 'evil.so'));
  }

  /** A fresh work tree. */
  tree(): CorpusTree {
    this.#count += 1;
    const folder = path.join(this.root, String(this.#count));
    cpSync(this.#template, folder, { recursive: true, preserveTimestamps: true });
    return new CorpusTree(folder);
  }

  remove(): void {
    rmSync(path.dirname(this.root), { recursive: true, force: true });
  }
}

class CorpusTree {
  readonly folder: string;
  readonly #canary: string;
  readonly #number: number | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.#canary = path.join(folder, 'canary');
    this.#number = lstatSync(this.#canary).ino;
  }

  /** Whether the canary was removed, replaced or changed. */
  isChanged(): boolean {
    const known = lstatSync(this.#canary, { throwIfNoEntry: false });
    return known?.ino !== this.#number || readFileSync(this.#canary, 'utf8') !== DATA;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
