import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as adapter from '../../ts/adapters/openai-agents.js';
import * as root from '../../ts/index.js';
import { REPOSITORY } from '../support/copy.js';
import { shellCommands } from '../support/doc-examples.js';

/** A path in backticks: at least one folder, no placeholder and no pattern. */
const PATH = /`((?:crates|ts|test|scripts|bench|examples|docs)\/[A-Za-z0-9_./-]+)`/g;
const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g;
const HEADING = /^#+ (.+)$/gm;
const CODE_BLOCK = /^```[\s\S]*?^```$/gm;

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(path.join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Commands of npm itself. */
const NPM_COMMANDS = ['install'];
const FIRST_SCREEN_LINES = 20;
const MAX_README_LINES = 250;

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

/** Where links to a heading lead, as GitHub names it. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.replaceAll(CODE_BLOCK, '').matchAll(HEADING)].map(([, heading = '']) => heading);
  const names = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  // Of headings that are alike, the second is called -1, the third -2.
  const seen = new Map<string, number>();
  const numbered = names.map((name) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
  return new Set([...numbered, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);

  it('names and links only what is there', () => {
    const folder = path.join(REPOSITORY, path.dirname(document));
    const named = [...text.matchAll(PATH)].map(([, name = '']) => path.join(REPOSITORY, name));
    const linked = [...text.matchAll(LINK)].map(([, name = '']) => path.join(folder, name));
    expect([...named, ...linked].filter((file) => !existsSync(file))).toEqual([]);
  });

  it('links only places that are there', () => {
    const broken = [...text.matchAll(LINK)].filter(([, name = '', anchor]) => {
      const target = name === '' ? document : path.join(path.dirname(document), name);
      return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

describe('README.md', () => {
  const readme = read('README.md');
  const firstScreen = readme.slice(0, readme.indexOf('\n## '));
  const manifest = JSON.parse(read('package.json')) as {
    engines: { node: string };
    scripts: Record<string, string>;
  };

  it('asks for the versions that the build asks for', () => {
    const rust = /rust-version = "([^"]+)"/.exec(read('Cargo.toml'))?.[1];
    expect(readme).toContain(`Node (\`${manifest.engines.node}\`)`);
    expect(readme).toContain(`Rust toolchain (${rust} or newer)`);
  });

  it('names only scripts that exist', () => {
    const named = [...readme.matchAll(/`npm (?:run )?([a-z]+)|^npm (?:run )?([a-z]+)/gm)].map(
      ([, inline, line]) => inline ?? line ?? '',
    );
    const known = [...Object.keys(manifest.scripts), ...NPM_COMMANDS];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('is short', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });

  it('has a first screen with two commands', () => {
    expect(firstScreen.split('\n').length).toBeLessThanOrEqual(FIRST_SCREEN_LINES);
    expect(shellCommands(firstScreen)).toEqual(['npm start', 'npm test']);
  });

  it('says of each of the five surfaces that it is here, and exports it', () => {
    const page = read('docs/coming-from.md');
    const from = page.slice(0, page.indexOf('\n## Configured'));
    const exported = [...Object.keys(root), ...Object.keys(adapter)];
    expect(from).not.toContain('Not there yet:');
    expect(from.match(/^## /gm)).toHaveLength(5);
    for (const name of ['terminalRun', 'FilesystemTool', 'AGTerm', 'ToolExecutor', 'sendMessage']) {
      expect(from).toContain(`\`${name}\``);
      expect(exported).toContain(name);
    }
  });
});
