/** The settings for clients of `handrail mcp` in the pages of docs: what they start has to start. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { shellCommands } from '../support/doc-examples.js';

const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');
const JSON_BLOCK = /^```json\n([\s\S]*?)^```$/gm;

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

interface Settings {
  readonly mcpServers?: Readonly<Record<string, Started>>;
  readonly servers?: Readonly<Record<string, Started>>;
}

/** This page is about servers that a toolkit starts, not about the one that it is. */
const OTHER_SERVERS = 'mcp.md';

const PAGES = readdirSync(path.join(REPOSITORY, 'docs'))
  .filter((name) => name.endsWith('.md') && name !== OTHER_SERVERS)
  .map((name) => readFileSync(path.join(REPOSITORY, 'docs', name), 'utf8'));

/** The words of a command, where nothing is quoted. */
const wordsOf = (line: string): readonly string[] => line.split(' ');

const inSettings = PAGES.flatMap((page) => [...page.matchAll(JSON_BLOCK)]).flatMap(([, text = '']) => {
  const { mcpServers = {}, servers = {} } = JSON.parse(text) as Settings;
  return Object.values({ ...mcpServers, ...servers }).map(({ command, args }) => [command, ...args]);
});
const inCommands = PAGES.flatMap(shellCommands)
  .filter((line) => line.includes('handrail mcp'))
  .map(wordsOf);
const STARTS = [...inSettings, ...inCommands];

describe('what the pages of docs start as an MCP server', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-settings-'));
    writeFileSync(path.join(folder, 'package.json'), '{}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is found', () => {
    expect(inSettings.length).toBeGreaterThanOrEqual(2);
    expect(inCommands.length).toBeGreaterThanOrEqual(2);
  });

  it.each(STARTS.map((words) => [words.join(' '), words] as const))('starts: %s', async (_line, words) => {
    const at = words.indexOf('handrail', words.includes('--') ? words.indexOf('--') : 0);
    expect(words[at + 1]).toBe('mcp');
    expect(['npx -y', 'npx', '']).toContain(words.slice(Math.max(words.indexOf('--'), -1) + 1, at).join(' '));
    // Its input is at its end: it has no client.
    const ended = await startNode([MAIN, ...words.slice(at + 1)], { cwd: folder, env: { XDG_CACHE_HOME: folder } })
      .ended;
    expect(ended).toMatchObject({ code: 0, signal: null, stdout: '' });
    // It says what it took the project for, and nothing else.
    expect(ended.stderr).toMatch(/^(handrail: project [a-z, ]+( \(by package\.json\))?\n)?$/);
  });
});
