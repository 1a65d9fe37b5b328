import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nodeProgram } from '../../scripts/lib/nodes.mjs';
import { REPOSITORY } from '../support/copy.js';
import { loadedBy } from '../support/loaded.js';
import { runBare } from './release.js';

/** Files that are loaded before anything is used, of more than twenty: what makes an import slow is what it loads. */
const IMPORTED_FILES = 4;

const node = nodeProgram(24);
const isSkipped = node === undefined && process.env['CI'] === undefined;
const title = (text: string) => (isSkipped ? 'skipped: no Node 24' : text);

/** Runs `code` where no process, no thread, no addon and no written file is permitted, and connecting is an error. */
function confined(code: string) {
  const trap = `const net = require('node:net'); const dns = require('node:dns');
    net.Socket.prototype.connect = dns.lookup = () => { throw new Error('connected'); };`;
  const args = ['--permission', '--allow-fs-read=*', '--input-type=commonjs', '--eval', `${trap}\n${code}`];
  return runBare(node ?? 'missing', args, { cwd: REPOSITORY });
}

describe('importing handrail', () => {
  it.skipIf(isSkipped)(title('starts no process, loads no addon, writes no file and connects to nothing'), async () => {
    const both = "import('handrail').then((all) => console.log(Object.keys(all).length > 10));";
    const { code, stdout, stderr } = await confined(both);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  });

  it.skipIf(isSkipped).each([
    ["require('node:child_process').spawnSync('/bin/true')", 'ERR_ACCESS_DENIED'],
    ["require('node:fs').writeFileSync('left-over', '')", 'ERR_ACCESS_DENIED'],
    [`process.dlopen({ exports: {} }, '${path.join(REPOSITORY, 'no.node')}')`, 'ERR_DLOPEN_DISABLED'],
    ["require('node:net').connect(1)", 'connected'],
    ["fetch('http://localhost:9999').catch((error) => { throw error.cause; })", 'connected'],
  ])(title('would be noticed if it did: %s'), async (attack, noticed) => {
    const { code, stderr } = await confined(attack);
    expect({ code, noticed: stderr.includes(noticed) }, stderr).toEqual({ code: 1, noticed: true });
  });

  it.skipIf(isSkipped)(title('using it there says which permission is missing'), async () => {
    const { stdout } = await confined(
      "import('handrail').then(({ Terminal }) => new Terminal()).catch((e) => console.log(e.code, e.message))",
    );
    expect(stdout).toMatch(/^ERR_NATIVE_MISSING .* may not be loaded: .* --allow-addons/);
  });

  it('loads little, and nothing of others', async () => {
    const loaded = await loadedBy('-e', "import('handrail')");
    const own = pathToFileURL(path.join(REPOSITORY, 'dist', path.sep)).href;
    expect(loaded).toContain(`${own}index.js`);
    expect(loaded.filter((url) => !url.startsWith(own))).toEqual([]);
    expect(loaded.length).toBeLessThanOrEqual(IMPORTED_FILES);
  });
});
