/** Twenty calls as a coding agent makes them, by a real client, with the configuration that the page prints. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/copy.js';
import { MAIN } from './client.js';

const FEWEST_THAT_RUN = 19;
const run = (command: string) => ['terminal_run', { command }] as const;

const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  run('ls -la && git status --short'),
  run('cat package.json | head -20'),
  run('git log --oneline -5 | cat'),
  run('npm test 2>&1 | tail -20'),
  run('grep -rn "TODO" src | head'),
  ['file_read', { path: 'src/add.mjs' }],
  ['file_edit', { path: 'src/add.mjs', edits: [{ old: 'left + right', new: 'right + left' }] }],
  run('node --test && git diff --stat'),
  run("sed -i 's/TODO/DONE/' src/add.mjs && git diff | head -30"),
  run('find . -name "*.mjs" -not -path "./node_modules/*" | xargs wc -l | tail -1'),
  ['file_grep', { pattern: 'export' }],
  run('git checkout -q -b fix/add && git add -A && git commit -q -m "fix: add" && git log --oneline | head -2'),
  run('mkdir -p out && cp src/*.mjs out/ && ls out && rm -rf out'),
  run('npm run -s build && cat dist/add.mjs | wc -l'),
  run('node server.mjs > server.log 2>&1 &\nPID=$!\nsleep 0.2\nkill $PID\ncat server.log'),
  [
    'file_write',
    { path: 'test/more.test.mjs', content: "import { test } from 'node:test';\n\ntest('more', () => {});\n" },
  ],
  run('npm test 2>&1 | grep -E "^# (pass|fail)"'),
  run('for file in src/*.mjs; do echo "$file: $(wc -l < "$file")"; done'),
  run('git stash -q && git stash pop -q; git status --short'),
  run('tar czf out.tgz src && tar tzf out.tgz && rm out.tgz'),
];

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    type: 'module',
    scripts: { test: 'node --test', build: 'mkdir -p dist && cp src/*.mjs dist' },
  }),
  'src/add.mjs': '// TODO: more than two\nexport const add = (left, right) => left + right;\n',
  'test/add.test.mjs': [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    "import { add } from '../src/add.mjs';",
    "test('adds', () => assert.equal(add(1, 2), 3));",
    '',
  ].join('\n'),
  'server.mjs': "console.log('listening');\nsetInterval(() => {}, 1000);\n",
  '.gitignore': 'dist/\n*.log\n',
};

describe('a client with the configuration of the page', () => {
  let folder: string;
  let project: string;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-ordinary-'));
    project = path.join(folder, 'project');
    const home = path.join(folder, 'home');
    mkdirSync(home);
    writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Somebody\n\temail = somebody@example.com\n');
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
      writeFileSync(path.join(project, name), text);
    }
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    const setUp = 'git init -q -b main . && git add -A && git commit -qm one';
    execFileSync('bash', ['-c', setUp], { cwd: project, env });
    const page = readFileSync(path.join(REPOSITORY, 'docs/mcp-server.md'), 'utf8');
    const { args } = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '').mcpServers.handrail;
    const ours = args.slice(args.indexOf('handrail') + 1);
    client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [MAIN, ...ours], cwd: project, env, stderr: 'pipe' }),
    );
  });

  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('does twenty calls, of which no more than one is refused', async () => {
    const refused: unknown[] = [];
    for (const [name, args] of CALLS) {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError === true) refused.push([args, result.content]);
    }
    expect(CALLS).toHaveLength(20);
    expect(refused.slice(0, refused.length - (CALLS.length - FEWEST_THAT_RUN))).toEqual([]);
  });
});
