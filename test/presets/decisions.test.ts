/** What the presets let run, and what they do not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolkit, type ProjectKind, type Toolkit } from '../../ts/index.js';
import { PRESETS, PROJECT_KINDS } from '../../ts/presets/kinds.js';
import { rulesOf } from '../../ts/presets/project.js';
import { LEFT_OUT, SHARED } from '../../ts/presets/shared.js';

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-presets-'));
const hostCache = process.env['XDG_CACHE_HOME'];
const toolkits = new Map<ProjectKind, Toolkit>();

beforeAll(async () => {
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
  const workspace = mkdtempSync(path.join(folder, 'work-'));
  for (const kind of PROJECT_KINDS) toolkits.set(kind, await createToolkit({ project: kind, workspace }));
});

afterAll(async () => {
  for (const toolkit of toolkits.values()) await toolkit.close();
  if (hostCache === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = hostCache;
  rmSync(folder, { recursive: true, force: true });
});

function decide(kind: ProjectKind, command: string): string {
  return toolkits.get(kind)?.explain('terminal_run', { command }).decision ?? 'no toolkit';
}

const COMMON = [
  'ls -la src | head -20',
  "grep -rn TODO . | sort | uniq -c | awk '{print $1}'",
  "sed -i 's/a/b/' README.md && git diff --stat",
  'git add -A && git commit -q -m "feat: a" && git log --oneline -3',
  'git checkout -b fix && git rebase main && git pull --ff-only',
  'mkdir -p out && cp README.md out/ && tar czf out.tgz out && rm -rf out',
  'curl -sS -o page.html https://example.com && wc -c page.html',
  'make test 2>&1 | tee out.log | tail -5',
  'for file in *.md; do wc -l "$file"; done',
  'jq .name package.json; test -d dist || echo missing',
];

const TYPED: Readonly<Record<ProjectKind, readonly string[]>> = {
  node: [
    'npm test',
    'npm run -s build',
    'npm ci && npm test',
    'npm install left-pad',
    'node -e 1',
    'pnpm i',
    'yarn build',
  ],
  python: ['python3 -m pytest -q', 'pytest -q | tail -3', 'pip install -r requirements.txt', 'ruff check .', 'uv sync'],
  rust: [
    'cargo test',
    'cargo +nightly clippy -- -D warnings',
    'cargo fmt --check',
    'cargo run -q -- a',
    'cargo add serde',
  ],
  go: [
    'go test ./...',
    'go vet ./... && gofmt -l .',
    'go mod tidy',
    'go build -o bin/app ./cmd/app',
    'golangci-lint run',
  ],
};

describe.each(PROJECT_KINDS)('a project of %s', (kind) => {
  it.each([...COMMON, ...TYPED[kind]])('runs: %s', (command) => {
    expect(decide(kind, command)).toBe('allow');
  });

  it('asks about, or denies, what is left out', () => {
    for (const { outcome, examples } of LEFT_OUT.filter((one) => one.outcome !== 'held by the kernel')) {
      for (const command of examples) {
        const decision = decide(kind, command);
        // The package manager of another ecosystem is not listed at all.
        expect([command, decision === 'deny' ? outcome : decision]).toEqual([command, outcome]);
        expect(decision).not.toBe('allow');
      }
    }
  });
});

it('asks, in the project of its kind, about publishing', () => {
  expect(decide('node', 'npm publish')).toBe('ask');
  expect(decide('python', 'poetry publish --build')).toBe('ask');
  expect(decide('rust', 'cargo publish')).toBe('ask');
  expect(decide('rust', 'cargo publish --dry-run')).toBe('allow');
});

it('denies what is code of another user or another machine', () => {
  for (const command of LEFT_OUT.flatMap(({ outcome, examples }) => (outcome === 'deny' ? examples : []))) {
    for (const kind of PROJECT_KINDS) expect([command, decide(kind, command)]).toEqual([command, 'deny']);
  }
});

describe('the data of the presets', () => {
  const presets = [...Object.entries(PRESETS), ['shared', SHARED] as const];

  it.each(presets)('of %s names each rule once', (_kind, { groups }) => {
    const rules = groups.flatMap(rulesOf).map((rule) => JSON.stringify(rule));
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  });

  it.each(presets)('of %s says in one line what each group is for', (_kind, { groups }) => {
    for (const { about } of groups) expect(about).toMatch(/^.{10,78}$/);
  });

  it('trusts no shell: its code is judged', () => {
    const trusted = presets.flatMap(([, { groups }]) =>
      groups.flatMap((group) => group.interpreters?.split(' ') ?? []),
    );
    for (const shell of ['sh', 'bash', 'dash', 'zsh', 'perl', 'npm', 'bun']) expect(trusted).not.toContain(shell);
  });
});
