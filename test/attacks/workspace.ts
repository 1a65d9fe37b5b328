/** The workspace of an attack: placeholders, files, what it needs, and whether it had its effect. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Attack } from './attack.js';

const LIBRARY_SOURCE = fileURLToPath(new URL('programs/library.c', import.meta.url));
const FIXED_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

/** Folders beside the fixed search path that hold programs of the rows, as far as they are here. */
export const PROGRAM_FOLDERS: readonly string[] = ['/usr/sbin', '/usr/games', ...toolchainFolder()].filter((folder) =>
  existsSync(folder),
);

/** cargo and rustc themselves: the ones in a home start what a toolchain file names. */
function toolchainFolder(): string[] {
  try {
    const cargo = execFileSync('rustup', ['which', 'cargo'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [path.dirname(cargo.trim())];
  } catch {
    return [];
  }
}

/** The search path that commands get. */
export const SEARCH_PATH: readonly string[] = [...FIXED_PATH, ...PROGRAM_FOLDERS];

/** What of `needs` this machine lacks. */
export function missing(needs: readonly string[]): string[] {
  return needs.filter((name) => !SEARCH_PATH.some((folder) => existsSync(path.join(folder, name))));
}

/** Compiles what rows load, once; undefined when there is no compiler. */
export function buildLibrary(folder: string): string | undefined {
  if (missing(['gcc']).length > 0) return undefined;
  const library = path.join(folder, 'library.so');
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, LIBRARY_SOURCE]);
  return library;
}

export class Workspace {
  readonly #base: string;
  readonly #row: Attack;

  constructor(row: Attack, library: string | undefined) {
    this.#row = row;
    this.#base = mkdtempSync(path.join(tmpdir(), 'handrail-attack-'));
    mkdirSync(this.root);
    mkdirSync(path.join(this.#base, 'outside'));
    for (const name of row.folders) mkdirSync(path.join(this.root, name), { recursive: true });
    for (const [name, text] of Object.entries(row.files)) this.#write(name, text);
    if (library !== undefined) copyFileSync(library, path.join(this.root, 'lib.so'));
    if (row.setup !== '') {
      execFileSync('bash', ['-c', this.#filled(row.setup)], {
        cwd: this.root,
        env: { PATH: SEARCH_PATH.join(':'), HOME: this.#base, LC_ALL: 'C' },
        stdio: 'ignore',
      });
    }
  }

  /** The only writable root. */
  get root(): string {
    return path.join(this.#base, 'work');
  }

  get command(): string | string[] {
    const { command } = this.#row;
    return typeof command === 'string' ? this.#filled(command) : command.map((word) => this.#filled(word));
  }

  /** Whether the attack had its effect. */
  happened(): boolean {
    return existsSync(this.#row.effect === 'file' ? this.#mark : this.#ran);
  }

  /** What is there beside the workspace; nothing is wanted. */
  outside(): string[] {
    return readdirSync(path.join(this.#base, 'outside'));
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  get #ran(): string {
    return path.join(this.root, 'ran');
  }

  get #mark(): string {
    return path.join(this.#base, 'outside', 'mark');
  }

  #write(name: string, text: string): void {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, this.#filled(text));
    if (this.#row.mode.includes(name)) chmodSync(file, 0o755);
  }

  #filled(text: string): string {
    return text
      .replaceAll('{WORK}', this.root)
      .replaceAll('{RAN}', this.#ran)
      .replaceAll('{MARK}', this.#mark)
      .replaceAll('{LIB}', path.join(this.root, 'lib.so'));
  }
}
