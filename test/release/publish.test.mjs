// Publishing can be called again, and the gate stands before it.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { publicRegistry } from '../../scripts/release/public-registry.mjs';
import { integrity, publishMissing } from '../../scripts/release/publish-missing.mjs';
import { readRelease } from '../../scripts/release/release.mjs';
import { FakeRelease, REPOSITORY, writeTarballs } from './fake-release.mjs';

const VERSION = /^version = "([^"]+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeRelease(change = () => undefined, where = folder) {
  const release = new FakeRelease(VERSION);
  change(release);
  writeTarballs(release, where);
}

/** A registry that keeps what it is given; the publish number `failsAt` fails. */
class MemoryRegistry {
  published = new Map();
  failsAt = Number.POSITIVE_INFINITY;
  calls = 0;

  integrityOf = (name, version) => Promise.resolve(this.published.get(`${name}@${version}`));

  publish = ({ path, manifest }) => {
    this.calls += 1;
    if (this.calls === this.failsAt) return Promise.reject(new Error('the network is gone'));
    this.published.set(`${manifest.name}@${manifest.version}`, integrity(path));
    return Promise.resolve();
  };
}

const ignore = () => undefined;

describe('publishing', () => {
  it('publishes every platform before the root', async () => {
    writeRelease();
    const registry = new MemoryRegistry();
    await publishMissing(readRelease(folder), registry, ignore);
    const names = [...registry.published.keys()];
    expect(names).toHaveLength(7);
    expect(names.at(-1)).toBe(`handrail@${VERSION}`);
  });

  it('goes on where it was cut short, and does nothing when all is there', async () => {
    writeRelease();
    const registry = new MemoryRegistry();
    registry.failsAt = 4;
    await expect(publishMissing(readRelease(folder), registry, ignore)).rejects.toThrow('the network is gone');
    expect(registry.published.size).toBe(3);
    expect(registry.published.has(`handrail@${VERSION}`)).toBe(false);
    await publishMissing(readRelease(folder), registry, ignore);
    expect(registry.published.size).toBe(7);
    expect(registry.calls).toBe(8);

    const lines = [];
    await publishMissing(readRelease(folder), registry, (line) => lines.push(line));
    expect(registry.calls).toBe(8);
    expect(lines).toEqual([...registry.published.keys()].map((name) => `${name} is already published`));
  });

  it('publishes nothing when one version is there with other contents', async () => {
    writeRelease();
    const registry = new MemoryRegistry();
    registry.published.set(`handrail@${VERSION}`, 'sha512-other');
    const published = publishMissing(readRelease(folder), registry, ignore);
    await expect(published).rejects.toThrow(`handrail@${VERSION} is already published with other contents`);
    expect(registry.calls).toBe(0);
  });
});

describe.each(['check-release.mjs', 'publish.mjs'])('%s', (script) => {
  const call = (...args) => {
    const env = { ...process.env, PATH: '/nowhere' };
    return spawnSync(process.execPath, [join(root, 'scripts/release', script), ...args], { encoding: 'utf8', env });
  };

  it('lets nothing incomplete through', () => {
    writeRelease((release) => release.packages.pop());
    const { status, stderr } = call(folder, '--tag', `v${VERSION}`);
    expect(status).toBe(1);
    expect(stderr).toContain(`v${VERSION} may not be published:\n@handrail/native-darwin-arm64 is missing`);
  });

  it('lets no other tag and no other repository through', () => {
    writeRelease();
    expect(call(folder, '--tag', 'v0.0.9').stderr).toContain(`Cargo.toml has version ${VERSION}, not 0.0.9`);
    for (const repository of [[], ['--repository', 'other/handrail'], ['--repository', 'handrail']]) {
      const { status, stderr } = call(folder, '--tag', `v${VERSION}`, ...repository);
      expect(stderr).toMatch(/its repository is .* not .*|\[--repository OWNER\/NAME\]/);
      expect(status).toBe(1);
    }
  });

  it('says how it is called', () => {
    for (const args of [
      [folder],
      [folder, '--tag'],
      [join(folder, 'none'), '--tag', 'v1.0.0'],
      [folder, '--tag', 'v1.0.0', '--repository', 'https://github.com/a/b'],
      [folder, '--tag', 'v1.0.0', '--repository', '../b'],
    ]) {
      const { status, stderr } = call(...args);
      expect({ status, args }).toEqual({ status: 1, args });
      expect(stderr).toContain(`node scripts/release/${script} DIR --tag vX.Y.Z`);
    }
  });
});

it('the gate lets a whole release through', () => {
  writeRelease();
  const script = join(root, 'scripts/release/check-release.mjs');
  const args = [script, folder, '--tag', `v${VERSION}`, '--repository', REPOSITORY];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toContain(`v${VERSION} may be published: `);
  expect(status).toBe(0);
});

/** One call publishes seven packages, with three programs for each: slow on a busy machine. */
const PUBLISH_TIMEOUT_MS = 600_000;

describe('publish.mjs, with an npm that only writes down how it was called', { timeout: PUBLISH_TIMEOUT_MS }, () => {
  const ADDRESS = 'https://registry.example/';
  const FAKE_NPM = `#!${process.execPath}
    const [command, ...rest] = process.argv.slice(2);
    require('node:fs').appendFileSync(process.env.CALLS, JSON.stringify({ command, rest, cwd: process.cwd() }) + '\\n');
    if (command === '--version') console.log(process.env.FAKE_VERSION);
    if (command === 'view') console.log('{"error":{"code":"E404"}}');
    if (command === 'view') process.exitCode = 1;
    if (command === 'config') console.log('${ADDRESS}');
  `;

  /** Calls it in `folder`; npm itself is always started in the repository. */
  function publish(where, version = '11.5.1') {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'npm'), FAKE_NPM);
    chmodSync(join(folder, 'bin', 'npm'), 0o755);
    const args = [where, '--tag', `v${VERSION}`, '--repository', REPOSITORY];
    const calls = join(folder, 'calls');
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/release/publish.mjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: join(folder, 'bin'), CALLS: calls, FAKE_VERSION: version },
    });
    const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
    return { status, stderr, calls: lines.map((line) => JSON.parse(line)) };
  }

  it('hands npm the very files that the gate has read, also when the folder was named from elsewhere', () => {
    mkdirSync(join(folder, 'out'));
    writeRelease(undefined, join(folder, 'out'));
    const { status, stderr, calls } = publish('out');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const read = readRelease(join(folder, 'out')).map(({ path }) => `file:${path}`);
    const published = calls.filter(({ command }) => command === 'publish');
    expect(published.map(({ rest: [file] }) => file)).toEqual(read);
    expect(read).toHaveLength(7);
    for (const file of read) expect(file.startsWith(`file:${folder}/out/`)).toBe(true);
  });

  it('asks and publishes at the public registry, whatever the machine is set up for', () => {
    mkdirSync(join(folder, 'out'));
    writeRelease(undefined, join(folder, 'out'));
    const calls = publish('out').calls.filter(({ command }) => !['--version', 'config'].includes(command));
    expect(new Set(calls.map(({ command }) => command))).toEqual(new Set(['view', 'publish']));
    for (const { rest } of calls) {
      expect(rest.slice(-3)).toEqual(['--registry', ADDRESS, `--@handrail:registry=${ADDRESS}`]);
    }
  });

  it('asks npm for its own registry, and variables and files of settings change nothing', async () => {
    const own = await publicRegistry();
    writeFileSync(join(folder, '.npmrc'), 'registry=https://theirs.example/\n');
    const theirs = { npm_config_registry: 'https://theirs.example/', npm_config_userconfig: join(folder, '.npmrc') };
    const ask = (env, ...code) =>
      spawnSync(process.execPath, ['--input-type=module', '--eval', ...code], { env, encoding: 'utf8' });
    const script = `
      const { publicRegistry } = await import(${JSON.stringify(join(root, 'scripts/release/public-registry.mjs'))});
      console.log(await publicRegistry());`;
    const env = { PATH: process.env.PATH, HOME: folder, ...theirs };
    expect(ask(env, script).stdout.trim()).toBe(own);
    // The settings work where nothing is done about them.
    const heeded = spawnSync('npm', ['config', 'get', 'registry'], { env, cwd: folder, encoding: 'utf8' });
    expect(heeded.stdout.trim()).toBe('https://theirs.example/');
    expect(own).not.toContain('theirs');
  });

  it('calls npm for nothing that the gate refuses, and publishes nothing with an npm that is too old', () => {
    mkdirSync(join(folder, 'out'));
    writeRelease((release) => release.packages.pop(), join(folder, 'out'));
    const refused = publish('out');
    expect({ status: refused.status, calls: refused.calls }).toEqual({ status: 1, calls: [] });
    rmSync(folder, { recursive: true });
    mkdirSync(join(folder, 'out'), { recursive: true });
    writeRelease(undefined, join(folder, 'out'));
    const old = publish('out', '11.5.0');
    expect(old.stderr).toContain('npm 11.5.0 is too old');
    expect(old.calls.map(({ command }) => command)).toEqual(['--version']);
  });
});
