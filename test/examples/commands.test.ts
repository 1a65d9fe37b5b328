import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/copy.js';
import { languagesOf, shellCommands } from '../support/doc-examples.js';

/** The README and the pages about one topic each. */
const DOCUMENTS = [
  'README.md',
  ...readdirSync(path.join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((file) => readFileSync(path.join(REPOSITORY, file), 'utf8'));

/** Run here as they stand, with what they have to print. */
const RUN: Readonly<Record<string, RegExp>> = {
  'handrail run --allow ls,cat --timeout 5000 ls -l': / README\.md\n/,
  "handrail explain --project auto 'git log | head -5'": /^allow: it may run\n/,
  'handrail run --allow printenv --env GREETING=hello printenv GREETING': /^hello\n$/,
  'handrail run --allow wc --stdin wc -l < README.md': /^\d{3}\n$/,
  "handrail run --allow ls,wc --shell 'ls | wc -l'": /^\d{2}\n$/,
  "handrail explain --allow git,head 'git log | head -5'": /^allow: it may run\n/,
  'handrail explain --project node --list': /^Project: node\n/,
  // Its client has gone before it came.
  'handrail mcp --project auto': /^$/,
  'handrail doctor': /^handrail \d+\.\d+\.\d+\n/,
};

/** Not run here, and what proves them: a file, and the words in it. */
const PROVEN_ELSEWHERE: Readonly<Record<string, { readonly file: string; readonly words: string }>> = {
  'npm start': { file: 'test/examples/examples.test.ts', words: "describe('npm start'" },
  'npm run playground': { file: 'test/wasm/playground.test.ts', words: "describe('npm run playground'" },
  'npm test': { file: '.ci/run', words: 'npm test ||' },
  'source <(handrail completion bash)': {
    file: 'test/cli/completion-bash.test.ts',
    words: 'source <(handrail completion bash)',
  },
  'handrail redact build.log > clean.log': {
    file: 'test/cli/usage.test.ts',
    words: "shell('handrail redact build.log > clean.log; cat clean.log'",
  },
  "handrail run --allow 'npm test,git status' npm test": {
    file: 'test/cli/rule-words.test.ts',
    words: "shell(`handrail run --allow 'npm test,git status' npm test`",
  },
  'handrail redact --staged': { file: 'test/cli/redact-check.test.ts', words: 'redact --staged' },
  'handrail audit --decision deny --since yesterday calls.jsonl': {
    file: 'test/cli/usage.test.ts',
    words: "'works as it stands in the help: %s'",
  },
  'handrail audit verify calls.jsonl': {
    file: 'test/cli/usage.test.ts',
    words: "'works as it stands in the help: %s'",
  },
  'handrail undo --list': { file: 'test/files/undo.test.ts', words: "['undo', '--list']" },
  'handrail bus tail chat:c1': { file: 'test/cli/bus.test.ts', words: 'works as it stands in the help' },
  'handrail run --project auto npm test': {
    file: 'test/cli/project.test.ts',
    words: "'handrail run --project auto npm test'",
  },
  'claude mcp add handrail -- npx -y handrail mcp --root . --project auto': {
    file: 'test/examples/settings.test.ts',
    words: "it.each(STARTS.map((words) => [words.join(' '), words] as const))('starts: %s'",
  },
  'handrail mcp approve --servers servers.json': {
    file: 'test/cli/usage.test.ts',
    words: "'handrail mcp approve': 'served'",
  },
  'handrail serve --project auto': {
    file: 'test/cli/serve.test.ts',
    words: "describe('handrail serve'",
  },
  'npx handrail demo': { file: 'test/cli/demo.test.ts', words: "describe('handrail demo'" },
  'npm install handrail': { file: 'test/package/installed.test.ts', words: "describe('npm install handrail'" },
};

/** Languages of blocks that a test reads: code and commands are run, texts compared, settings are for other programs. */
const LANGUAGES = ['sh', 'js', 'ts', 'text', 'yaml', 'json', 'toml'];

/** What installs a package that is used beside ours: each is an optional peer. */
const INSTALLS = /^npm install (?!handrail$)/;

const all = [...new Set(DOCUMENTS.flatMap(shellCommands))];

const commands = all.filter((command) => !INSTALLS.test(command));

describe('the commands of the README and the pages', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-commands-'));
    const main = path.join(REPOSITORY, 'dist/cli/main.js');
    writeFileSync(path.join(folder, 'handrail'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(path.join(folder, 'handrail'), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are all run, here or elsewhere', () => {
    expect([...commands].sort()).toEqual([...Object.keys(RUN), ...Object.keys(PROVEN_ELSEWHERE)].sort());
  });

  it('install nothing but what is an optional peer', () => {
    const { peerDependencies } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8'));
    const packages = all.filter((command) => INSTALLS.test(command)).flatMap((command) => command.split(' ').slice(2));
    expect(packages.filter((name) => !(name in peerDependencies) && name !== 'handrail')).toEqual([]);
  });

  it('stand in blocks that say what they are', () => {
    expect(DOCUMENTS.flatMap(languagesOf).filter((language) => !LANGUAGES.includes(language))).toEqual([]);
  });

  it.each(Object.entries(RUN))('%s', (command, printed) => {
    const env = { ...process.env, XDG_CACHE_HOME: folder, PATH: `${folder}:${process.env['PATH']}` };
    const { status, stdout } = spawnSync('/bin/sh', ['-c', command], { cwd: REPOSITORY, env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(printed) });
  });

  it.each(Object.entries(PROVEN_ELSEWHERE))('%s is proven elsewhere', (_command, { file, words }) => {
    expect(readFileSync(path.join(REPOSITORY, file), 'utf8')).toContain(words);
  });
});
