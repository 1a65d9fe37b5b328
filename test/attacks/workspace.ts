/** The workspace of an attack: placeholders, files, what it needs, and whether it had its effect. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(new URL('programs', import.meta.url));
const LIBRARIES = ['library', 'evil'];
/** Compiled alone; the libraries of a machine do not matter to them. */
const STATIC_PROGRAMS = ['container', 'device', 'execute', 'hog', 'older', 'others', 'reach', 'receive', 'uses'];
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
export function missing(needs: readonly string[], more: readonly string[] = []): string[] {
  const folders = [...more, ...SEARCH_PATH];
  return needs.filter((name) => !folders.some((folder) => existsSync(path.resolve(folder, name))));
}

/** Compiles what rows load and start, into a folder that every user may enter. False when there is no compiler. */
export function buildPrograms(folder: string): boolean {
  if (missing(['gcc']).length > 0) return false;
  const compile = (name: string, ...options: string[]): void => {
    execFileSync('gcc', ['-O1', ...options, path.join(PROGRAMS, `${name}.c`)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  for (const name of LIBRARIES) compile(name, '-shared', '-fPIC', '-o', path.join(folder, `${name}.so`));
  for (const name of STATIC_PROGRAMS) compile(name, '-static', '-o', path.join(folder, name));
  return true;
}

/** What a workspace is made of, of whatever kind the attack is. */
export interface Planned {
  readonly command: string | readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  readonly mode: readonly string[];
  readonly setup: string;
}

export class Workspace {
  readonly #base: string;
  readonly #row: Planned;
  readonly #places: ReadonlyMap<string, string>;

  /**
   * @param programs Where the programs were compiled to.
   * @param places More placeholders and what stands for them.
   */
  constructor(row: Planned, programs: string, places: Readonly<Record<string, string>> = {}) {
    this.#row = row;
    this.#base = mkdtempSync(path.join(tmpdir(), 'handrail-attack-'));
    this.#places = new Map(
      Object.entries({
        ...places,
        WORK: this.root,
        RAN: path.join(this.root, 'ran'),
        LIB: path.join(this.root, 'lib.so'),
        OUTSIDE: path.join(this.#base, 'outside'),
        MARK: path.join(this.#base, 'outside', 'mark'),
        KEPT: path.join(this.#base, 'outside', 'kept'),
      }),
    );
    mkdirSync(this.root);
    mkdirSync(this.filled('{OUTSIDE}'));
    writeFileSync(this.filled('{KEPT}'), 'kept\n');
    chmodSync(this.filled('{KEPT}'), 0o666);
    for (const name of row.folders ?? []) mkdirSync(path.join(this.root, name), { recursive: true });
    for (const [name, text] of Object.entries(row.files)) this.#write(name, text);
    copyFileSync(path.join(programs, 'library.so'), this.filled('{LIB}'));
    this.runByTest(row.setup);
  }

  /** Runs a text by bash in the workspace, by the test itself. */
  runByTest(text: string): void {
    if (text === '') return;
    execFileSync('bash', ['-c', this.filled(text)], {
      cwd: this.root,
      env: { PATH: SEARCH_PATH.join(':'), HOME: this.#base, LC_ALL: 'C' },
      stdio: 'ignore',
    });
  }

  /** The only writable root. */
  get root(): string {
    return path.join(this.#base, 'work');
  }

  get command(): string | string[] {
    const { command } = this.#row;
    return typeof command === 'string' ? this.filled(command) : command.map((word) => this.filled(word));
  }

  /** Whether code that is not listed ran, or a file outside of the roots was made. */
  happened(effect: 'ran' | 'file'): boolean {
    return existsSync(this.filled(effect === 'file' ? '{MARK}' : '{RAN}')) || isLink(this.filled('{MARK}'));
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  filled(text: string): string {
    return text.replace(/\{([A-Z_]+)\}/g, (whole, name: string) => this.#places.get(name) ?? whole);
  }

  #write(name: string, text: string): void {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, this.filled(text));
    if (this.#row.mode.includes(name)) chmodSync(file, 0o755);
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
