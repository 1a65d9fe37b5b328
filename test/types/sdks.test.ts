import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdkModulesFolder } from '../../scripts/lib/sdks.mjs';
import { REPOSITORY } from '../support/copy.js';
import { markdownExamples } from '../support/doc-examples.js';

const modules = sdkModulesFolder();
const isSkipped = modules === undefined && process.env['CI'] === undefined;
const title = (text: string) => (isSkipped ? 'skipped: the SDKs are not installed, see scripts/lib/sdks.mjs' : text);

const EXAMPLE = readFileSync(path.join(REPOSITORY, 'examples/claude-agent-sdk.ts'), 'utf8');
const [PAGE] = markdownExamples('docs/claude-agent-sdk.md');

describe('the example for the Claude Agent SDK', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-sdks-'));
    mkdirSync(path.join(folder, 'in'));
    symlinkSync(modules ?? 'missing', path.join(folder, 'node_modules'));
    symlinkSync(path.join(REPOSITORY, 'node_modules/@types'), path.join(folder, 'types'));
    const compilerOptions = { typeRoots: ['types'], noEmit: true };
    const config = { extends: path.join(REPOSITORY, 'tsconfig.json'), compilerOptions, include: ['in'] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function compiled(code: string): { status: number | null; stdout: string } {
    writeFileSync(path.join(folder, 'in/example.ts'), code);
    const tsc = path.join(REPOSITORY, 'node_modules/.bin/tsc');
    const { status, stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
    return { status, stdout };
  }

  it('is the one of the page', () => {
    expect(EXAMPLE).toMatch(/^\/\/ /);
    expect(EXAMPLE.replace(/^.*\n/, '')).toBe(PAGE?.code);
  });

  it.skipIf(isSkipped)(title('has the types of the SDK'), () => {
    expect(compiled(EXAMPLE)).toEqual({ status: 0, stdout: '' });
  });

  it.skipIf(isSkipped)(title('would not have them with another name of an option'), () => {
    const { status, stdout } = compiled(EXAMPLE.replace('mcpServers:', 'mcpServer:'));
    expect({ status, isFound: stdout.includes('mcpServer') }).toEqual({ status: 1, isFound: true });
  });
});
