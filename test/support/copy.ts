/** Copies of the repository, in which tests break rules on purpose. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository these tests belong to. */
export const REPOSITORY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const COPIED = ['Cargo.toml', 'Cargo.lock', 'clippy.toml', 'package.json', 'crates', 'bench', 'fuzz', 'ts', 'scripts'];

/** Leaves out installed packages, which are large and not needed in a copy. */
function isSource(file: string): boolean {
  return path.basename(file) !== 'node_modules';
}

/** A copy that tests can change and remove. */
export class Copy {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'handrail-copy-'));

  /** The original texts of changed files; undefined for new files. */
  readonly #originals = new Map<string, string | undefined>();

  constructor() {
    for (const name of COPIED) {
      cpSync(path.join(REPOSITORY, name), path.join(this.folder, name), { recursive: true, filter: isSource });
    }
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    const target = path.join(this.folder, file);
    this.#remember(file, target);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  append(file: string, text: string): void {
    this.write(file, this.read(file) + text);
  }

  /** Replaces text that has to be there. */
  replace(file: string, from: string, to: string): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no '${from}'`);
    this.write(
      file,
      text.replace(from, () => to),
    );
  }

  /** Reverts all changes. A new copy would take longer than most checks. */
  restore(): void {
    for (const [file, text] of this.#originals) {
      const target = path.join(this.folder, file);
      if (text === undefined) rmSync(target);
      else writeFileSync(target, text);
    }
    this.#originals.clear();
  }

  #remember(file: string, target: string): void {
    if (this.#originals.has(file)) return;
    this.#originals.set(file, existsSync(target) ? readFileSync(target, 'utf8') : undefined);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
