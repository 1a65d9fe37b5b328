import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/copy.js';

/** A path in backticks: at least one folder, no placeholder and no pattern. */
const PATH = /`((?:crates|ts|test|scripts|bench|examples)\/[A-Za-z0-9_./-]+)`/g;
const LINK = /\]\((?!https?:)([^)#]+)\)/g;

describe.each(['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md'])('%s', (document) => {
  const text = readFileSync(path.join(REPOSITORY, document), 'utf8');

  it('names and links only what is there', () => {
    const named = [...text.matchAll(PATH), ...text.matchAll(LINK)].map(([, name = '']) => name);
    expect(named.filter((name) => !existsSync(path.join(REPOSITORY, name)))).toEqual([]);
  });
});

describe('README.md', () => {
  const readme = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');
  const manifest = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
    engines: { node: string };
    scripts: Record<string, string>;
  };

  it('asks for the versions that the build asks for', () => {
    const rust = /rust-version = "([^"]+)"/.exec(readFileSync(path.join(REPOSITORY, 'Cargo.toml'), 'utf8'))?.[1];
    expect(readme).toContain(`Node (\`${manifest.engines.node}\`)`);
    expect(readme).toContain(`Rust toolchain (${rust} or newer)`);
  });

  it('names only scripts that exist', () => {
    const named = [...readme.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });
});
