import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeProgram } from '../../scripts/lib/nodes.mjs';
import { REPOSITORY } from '../support/copy.js';
import { runBare } from './release.js';

/** Generous: bare Node takes a tenth of it. */
const LIVENESS_MS = 5_000;

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
      "import('handrail').then(({ Redactor }) => new Redactor()).catch((e) => console.log(e.code, e.message))",
    );
    expect(stdout).toMatch(/^ERR_NATIVE_MISSING .* may not be loaded: .* --allow-addons/);
  });

  it('is done soon', async () => {
    const started = performance.now();
    const { code } = await runBare(process.execPath, ['-e', "import('handrail')"], { cwd: REPOSITORY });
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(LIVENESS_MS);
  });
});
