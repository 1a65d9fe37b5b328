// Publishing can be called again, and the gate stands before it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { integrity, publishMissing } from '../../scripts/release/publish-missing.mjs';
import { npmRegistry } from '../../scripts/release/registry.mjs';
import { readRelease } from '../../scripts/release/release.mjs';
import { FakeRelease, fakeTarball } from './fake-release.mjs';

const VERSION = /^version = "([^"]+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeRelease(change = () => undefined) {
  const release = new FakeRelease(VERSION);
  change(release);
  for (const { tarball, files } of release.opened()) {
    writeFileSync(join(folder, tarball.replace('@', '').replace('/', '-')), fakeTarball(files));
  }
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

/** npm itself takes seconds to start on a busy machine. */
const NPM_TIMEOUT_MS = 120_000;

describe('what npm says of a registry', { timeout: NPM_TIMEOUT_MS }, () => {
  const answers = {
    '/there': {
      name: 'there',
      versions: { '1.0.0': { name: 'there', version: '1.0.0', dist: { integrity: 'sha512-x', tarball: 'x' } } },
    },
  };
  let requests = [];
  let status = 200;
  let server;

  beforeEach(async () => {
    requests = [];
    status = 200;
    server = createServer((request, response) => {
      const answer = answers[request.url];
      let body = '';
      request.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      request.on('end', () => requests.push({ method: request.method, url: request.url, body }));
      const found = request.method === 'PUT' || answer !== undefined;
      response.writeHead(found || status !== 200 ? status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${server.address().port}/`;
    writeFileSync(
      join(folder, '.npmrc'),
      `registry=http://${address}\n//${address}:_authToken=none\nfetch-retries=0\n`,
    );
    process.env.npm_config_userconfig = join(folder, '.npmrc');
    process.env.npm_config_cache = join(folder, 'cache');
  });

  afterEach(async () => {
    delete process.env.npm_config_userconfig;
    delete process.env.npm_config_cache;
    await new Promise((resolve) => server.close(resolve));
  });

  it('tells what is there from what is not, and from not knowing', async () => {
    expect(await npmRegistry.integrityOf('there', '1.0.0')).toBe('sha512-x');
    expect(await npmRegistry.integrityOf('there', '2.0.0')).toBeUndefined();
    expect(await npmRegistry.integrityOf('not-there', '1.0.0')).toBeUndefined();
    status = 500;
    await expect(npmRegistry.integrityOf('there', '1.0.0')).rejects.toThrow('npm does not say whether there@1.0.0');
  });

  it('hands a tarball to the registry once', async () => {
    writeRelease();
    const [first] = readRelease(folder);
    await npmRegistry.publish(first);
    const [put, ...others] = requests.filter(({ method }) => method === 'PUT');
    expect(others).toEqual([]);
    expect(put.url).toBe(`/${first.manifest.name.replace('/', '%2f')}`);
    // What the registry gets is the file that the gate has read, byte by byte.
    const { versions, _attachments: attachments, 'dist-tags': tags } = JSON.parse(put.body);
    expect(versions[VERSION].dist.integrity).toBe(integrity(first.path));
    expect(Object.values(attachments).map(({ data }) => data)).toEqual([readFileSync(first.path, 'base64')]);
    expect(tags).toEqual({ latest: VERSION });
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
    const { stderr } = call(folder, '--tag', `v${VERSION}`, '--repository', 'other/handrail');
    expect(stderr).toContain('not other/handrail');
  });

  it('says how it is called', () => {
    for (const args of [[folder], [folder, '--tag'], [join(folder, 'none'), '--tag', 'v1.0.0']]) {
      const { status, stderr } = call(...args);
      expect({ status, args }).toEqual({ status: 1, args });
      expect(stderr).toContain(`node scripts/release/${script} DIR --tag vX.Y.Z`);
    }
  });
});

it('the gate lets a whole release through', () => {
  writeRelease();
  const args = [join(root, 'scripts/release/check-release.mjs'), folder, '--tag', `v${VERSION}`];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toContain(`v${VERSION} may be published: `);
  expect(status).toBe(0);
});
