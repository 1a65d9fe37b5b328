// What the real npm does with what it is told to ask and to publish, against a registry on this machine.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { integrity } from '../../scripts/release/publish-missing.mjs';
import { distTag, npmRegistry } from '../../scripts/release/registry.mjs';
import { readRelease } from '../../scripts/release/release.mjs';
import { FakeRelease, writeTarballs } from './fake-release.mjs';

/** npm itself takes seconds to start on a busy machine. */
const NPM_TIMEOUT_MS = 600_000;
const DIGEST = 'sha512-x';

const known = (name, version) => ({
  name,
  'dist-tags': { latest: version },
  versions: { [version]: { name, version, dist: { integrity: DIGEST, tarball: 'x' } } },
});

/** A registry that knows `answers`, and writes down what it is asked. */
class FakeRegistry {
  requests = [];
  status = 200;
  #server = createServer((request, response) => {
    const answer = this.answers[request.url];
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => this.requests.push({ method: request.method, url: request.url, body }));
    const found = request.method === 'PUT' || answer !== undefined;
    response.writeHead(found || this.status !== 200 ? this.status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });

  constructor(answers = {}) {
    this.answers = answers;
  }

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.host = `127.0.0.1:${this.#server.address().port}/`;
    this.address = `http://${this.host}`;
  }

  stop() {
    return new Promise((resolve) => this.#server.close(resolve));
  }

  get published() {
    return this.requests
      .filter(({ method }) => method === 'PUT')
      .map(({ url, body }) => ({ url, ...JSON.parse(body) }));
  }
}

describe('npm', { timeout: NPM_TIMEOUT_MS }, () => {
  let folder;
  let own;
  let stranger;

  beforeEach(async () => {
    // A name that is another one when it is taken for an address as it stands.
    folder = join(mkdtempSync(join(tmpdir(), 'handrail-registry-')), 'a b#c%20d');
    mkdirSync(folder);
    own = new FakeRegistry({ '/there': known('there', '1.0.0') });
    stranger = new FakeRegistry();
    await Promise.all([own.start(), stranger.start()]);
    const tokens = [own, stranger].map(({ host }) => `//${host}:_authToken=none\n`).join('');
    // The machine is set up for another registry, for all packages and for ours.
    const settings = `registry=${stranger.address}\n@handrail:registry=${stranger.address}\n${tokens}fetch-retries=0\n`;
    writeFileSync(join(folder, '.npmrc'), settings);
    process.env.npm_config_userconfig = join(folder, '.npmrc');
    process.env.npm_config_cache = join(folder, 'cache');
  });

  afterEach(async () => {
    delete process.env.npm_config_userconfig;
    delete process.env.npm_config_cache;
    await Promise.all([own.stop(), stranger.stop()]);
    rmSync(join(folder, '..'), { recursive: true, force: true });
    expect(stranger.requests).toEqual([]);
  });

  it('tells what is there from what is not, and from not knowing', async () => {
    const registry = npmRegistry(own.address);
    expect(await registry.integrityOf('there', '1.0.0')).toBe(DIGEST);
    expect(await registry.integrityOf('there', '2.0.0')).toBeUndefined();
    expect(await registry.integrityOf('@handrail/not-there', '1.0.0')).toBeUndefined();
    own.status = 500;
    await expect(registry.integrityOf('there', '1.0.0')).rejects.toThrow('what dist.integrity of there@1.0.0 is');
  });

  it('hands each tarball to that registry alone, once and byte by byte', async () => {
    const release = new FakeRelease();
    writeTarballs(release, folder);
    for (const found of [readRelease(folder)[0], readRelease(folder).at(-1)]) {
      own.requests = [];
      await npmRegistry(own.address).publish(found);
      const [put, ...others] = own.published;
      expect(others).toEqual([]);
      expect(put.url).toBe(`/${found.manifest.name.replace('/', '%2f')}`);
      expect(put.versions[release.version].dist.integrity).toBe(integrity(found.path));
      const attachments = Object.values(put._attachments);
      expect(attachments.map(({ data }) => data)).toEqual([readFileSync(found.path, 'base64')]);
      expect(put['dist-tags']).toEqual({ latest: release.version });
    }
  });

  it('leaves `latest` where it is for an older line, and publishes nothing when it cannot know', async () => {
    writeTarballs(new FakeRelease(), folder);
    const found = readRelease(folder).at(-1);
    own.answers['/handrail'] = known('handrail', '2.0.0');
    await npmRegistry(own.address).publish(found);
    expect(own.published.map((put) => put['dist-tags'])).toEqual([{ 'latest-1.2': '1.2.3' }]);
    own.requests = [];
    own.status = 500;
    await expect(npmRegistry(own.address).publish(found)).rejects.toThrow('what dist-tags of handrail is');
    expect(own.published).toEqual([]);
  });
});

it.each([
  ['0.1.0', {}, 'latest'],
  ['0.2.0', { latest: '0.1.5' }, 'latest'],
  ['0.1.10', { latest: '0.1.9' }, 'latest'],
  ['0.1.5', { latest: '0.2.0' }, 'latest-0.1'],
  ['1.9.9', { latest: '10.0.0', next: '11.0.0-beta.1' }, 'latest-1.9'],
  ['1.0.0', { latest: '1.0.0-beta.1' }, 'latest'],
  ['1.0.0-beta.1', {}, 'next'],
  ['1.0.0-beta.2', { latest: '0.9.0', next: '1.0.0-beta.1' }, 'next'],
  ['1.0.0-beta.2', { latest: '2.0.0', next: '2.1.0-beta.1' }, 'next-1.0'],
])('%s beside %j gets the tag %s', (version, tags, tag) => {
  expect(distTag(version, tags)).toBe(tag);
});
