// What must hold of the workflows whoever changes them. actionlint and zizmor look at the rest, in CI.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../scripts/lib/package/targets.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { requirements } from '../../scripts/lib/toolchain.mjs';
import { compareVersions } from '../../scripts/lib/version.mjs';
import { GLIBC_FLOOR, MACOS_FLOOR } from '../../scripts/release/binary.mjs';

const FOLDER = join(root, '.github', 'workflows');
const NAMES = readdirSync(FOLDER);
const read = (name) => readFileSync(join(FOLDER, name), 'utf8');
const ALL = NAMES.map(read).join('\n');

const PINNED = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
const OUR_OWN = /^\.\/\.github\/workflows\/([\w-]+\.yml)$/;

const usesOf = (text) => [...text.matchAll(/^[\s-]*uses:\s*(.*)$/gm)].map(([, what]) => what);

/** Each job with its text, by the two blanks that a name of a job has before it. */
function jobsOf(text) {
  const [, jobs] = text.split(/^jobs:\n/m);
  return jobs.split(/^ {2}(?=[\w-]+:\n)/m).slice(1);
}

/** What each step runs: the line of its `run`, and what stands deeper below it. Values in `env` are not part of it. */
function commandsOf(text) {
  const lines = text.split('\n');
  const column = (line) => line.search(/[^\s-]/);
  return lines.flatMap((line, index) => {
    if (!/^\s*(- )?run: /.test(line)) return [];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((next) => next.trim() !== '' && next.search(/\S/) <= column(line));
    return [[line, ...rest.slice(0, end === -1 ? rest.length : end)].join('\n')];
  });
}

describe.each(NAMES)('%s', (name) => {
  const text = read(name);

  it('pins every action by its commit', () => {
    expect(usesOf(text).length).toBeGreaterThan(0);
    expect(usesOf(text).filter((what) => !PINNED.test(what) && !OUR_OWN.test(what))).toEqual([]);
  });

  it('gives nothing to a job that does not ask for it', () => {
    expect(text.match(/^permissions:.*$/gm)).toEqual(['permissions: {}']);
    for (const job of jobsOf(text)) expect(job).toMatch(/^ {4}permissions:\n( {6}[\w-]+: (read|write) # \S.*\n)+/m);
  });

  it('lets no job run for ever', () => {
    const own = jobsOf(text).filter((job) => !/^ {4}uses:/m.test(job));
    expect(own.filter((job) => !/^ {4}timeout-minutes: \d+$/m.test(job))).toEqual([]);
  });

  it('leaves no credentials in a checkout', () => {
    const checkouts = text.split('uses: actions/checkout@').slice(1);
    for (const checkout of checkouts) expect(checkout).toMatch(/^.*\n {8}with:\n {10}persist-credentials: false\n/);
  });

  it('puts nothing that comes from outside into a command', () => {
    const commands = commandsOf(text);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });
});

it('one action is of one commit everywhere', () => {
  const pins = new Map();
  for (const use of usesOf(ALL).filter((what) => PINNED.test(what))) {
    const [action] = use.split('@');
    pins.set(action, (pins.get(action) ?? new Set()).add(use));
  }
  expect([...pins.values()].map((uses) => uses.size)).toEqual([...pins].map(() => 1));
});

it('only publishing may write, and only the identity that npm asks for', () => {
  expect([...ALL.matchAll(/^ +([\w-]+): write\b/gm)].map(([, what]) => what)).toEqual(['id-token']);
  const [publish] = jobsOf(read('release.yml')).filter((job) => job.includes('id-token: write'));
  expect(publish).toMatch(/^publish:\n/);
  expect(publish).toMatch(/^ {4}environment: release$/m);
  expect(publish).toMatch(/^ {4}needs: checked$/m);
  expect(publish).toContain('node scripts/release/publish.mjs out --tag "$GITHUB_REF_NAME"');
  // What npm installs could run in this job with its identity.
  expect(publish).not.toMatch(/npm (ci|install|run)/);
});

it('only what is on main is published', () => {
  const [publish] = jobsOf(read('release.yml')).filter((job) => job.startsWith('publish:'));
  expect(publish).toMatch(/^ {10}fetch-depth: 0$/m);
  const commands = commandsOf(publish).map((text) => text.replace(/^.*run: /, '').trim());
  const check = commands.findIndex((command) => command.startsWith('git merge-base'));
  const publishing = commands.findIndex((command) => command.includes('publish.mjs'));
  expect(check).toBeGreaterThanOrEqual(0);
  expect(check).toBeLessThan(publishing);

  const folder = mkdtempSync(join(tmpdir(), 'handrail-tag-'));
  const git = (...args) =>
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: folder });
  const commit = (message) => git('commit', '--quiet', '--allow-empty', '--message', message);
  const passes = () => spawnSync('bash', ['-eo', 'pipefail', '-c', commands[check]], { cwd: folder }).status === 0;
  try {
    git('init', '--quiet', '--initial-branch', 'main');
    commit('first');
    commit('second');
    // What a checkout with `fetch-depth: 0` has of the other branches.
    git('update-ref', 'refs/remotes/origin/main', 'main');
    expect(passes()).toBe(true);
    git('checkout', '--quiet', '--detach', 'main~1');
    expect(passes()).toBe(true);
    commit('beside main');
    expect(passes()).toBe(false);
    git('update-ref', '-d', 'refs/remotes/origin/main');
    expect(passes()).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('no workflow knows a secret, or runs the change of a stranger with rights', () => {
  expect(ALL).not.toMatch(/secrets\.|secrets: inherit|pull_request_target|workflow_run/);
});

it('native files are built for every platform that is published, and for no other', () => {
  const natives = jobsOf(read('ci.yml')).find((job) => job.startsWith('natives:'));
  const built = [...natives.matchAll(/\{ triple: ([\w-]+), rust: ([\w-]+), runner: [\w.-]+ \}/g)];
  expect(built.map(([, triple, rust]) => ({ triple, rust }))).toEqual(
    TARGETS.map(({ triple, rust }) => ({ triple, rust })),
  );
});

it('no token stands on a command line that people are told to type', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const lines = guide.split('\n').filter((line) => line.includes('_authToken'));
  expect(lines.length).toBeGreaterThan(0);
  // The name of a variable, which npm itself reads; quoted, so that no shell puts the token in its place.
  for (const line of lines) {
    expect(line).toMatch(/^ *npm config (set|delete) "\$\{registry#https:\}:_authToken"( '\$\{NPM_TOKEN\}')?$/);
  }
});

it('the versions fit those that the project states', () => {
  const [pinned, ...others] = [...ALL.matchAll(/^ +RUSTUP_TOOLCHAIN: (\S+)$/gm)].map(([, version]) => version);
  expect(others).toEqual([]);
  expect(compareVersions(pinned, requirements().rust)).toBeGreaterThanOrEqual(0);
  expect(ALL).toContain(`MACOSX_DEPLOYMENT_TARGET: "${MACOS_FLOOR.join('.')}"`);
  expect(GLIBC_FLOOR).toEqual([2, 17]);
  const oldestNode = /\^(\d+\.\d+\.\d+)/.exec(requirements().node)?.[1];
  expect(read('ci.yml')).toContain(`node: ${oldestNode} }`);
  expect(read('installs.yml')).toContain(`node: [${oldestNode}, `);
});
