import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';

const PACKAGE = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as Record<string, unknown>;

function evaluate(...args: readonly string[]) {
  return startNode(args).ended;
}

describe('the package', () => {
  it('can be imported, and importing it loads no native code and prints nothing', async () => {
    const code = `
      const before = process.report.getReport().sharedObjects.length;
      const names = Object.keys(await import('handrail')).sort();
      const loaded = process.report.getReport().sharedObjects.filter((file) => file.endsWith('.node'));
      process.stdout.write(JSON.stringify({ names, loaded, before: before > 0 }));`;
    const { stdout, stderr } = await evaluate('--input-type=module', '--eval', code);
    const { names, loaded } = JSON.parse(stdout) as { names: string[]; loaded: string[] };
    expect(stderr).toBe('');
    expect(loaded).toEqual([]);
    expect(names).toContain('createToolkit');
  });

  it('can be required where Node can require modules, and answers clearly where it cannot', async () => {
    const { code, stdout, stderr } = await evaluate('--eval', "console.log(typeof require('handrail').createToolkit)");
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const canRequire = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
    if (canRequire) expect({ code, stdout }).toEqual({ code: 0, stdout: 'function\n' });
    else expect(stderr).toContain('ERR_REQUIRE_ESM');
  });

  it('shows nothing else than its entries', async () => {
    const deep = "import('handrail/dist/toolkit.js').catch((error) => console.log(error.code))";
    expect((await evaluate('--eval', deep)).stdout).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
    expect(Object.keys(PACKAGE['exports'] as object)).toEqual([
      ...['.', './openai-agents', './openai-sandbox', './ai', './wasm', './wasm/handrail.wasm'],
      './package.json',
    ]);
  });

  it('is of the release that its module says', () => {
    const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
    expect(readFileSync(path.join(REPOSITORY, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}`);
  });
});
