/** Copies of the repository to break on purpose. */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository these tests belong to. */
export const REPOSITORY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const COPIED = ['Cargo.toml', 'Cargo.lock', 'clippy.toml', 'package.json', 'crates', 'bench', 'fuzz', 'ts', 'scripts'];

/** What was installed below a folder of sources is big, and nobody breaks it. */
function isSource(file: string): boolean {
  return path.basename(file) !== 'node_modules';
}

/** A copy that can be changed, and goes away. */
export class Copy {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'handrail-copy-'));

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
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  append(file: string, text: string): void {
    appendFileSync(path.join(this.folder, file), text);
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

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
