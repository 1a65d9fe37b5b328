import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/copy.js';
import { HAS_WASM, wasmTitle } from '../support/wasm.js';
import { contentProblems } from './contents.js';
import { OWN, Release } from './release.js';

const TIMEOUT_MS = 600_000;

const release = new Release();
const unpacked = { handrail: '', native: '' };

beforeAll(async () => {
  await release.make();
  for (const name of ['handrail', 'native'] as const) {
    const folder = path.join(release.folder, `unpacked-${name}`);
    mkdirSync(folder);
    expect(spawnSync('tar', ['-xzf', release.tarball(name), '-C', folder]).status).toBe(0);
    unpacked[name] = path.join(folder, 'package');
  }
}, TIMEOUT_MS);

afterAll(() => release.remove());

function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(files.sort().map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}

describe('the tarball of handrail', () => {
  it.skipIf(!HAS_WASM)(wasmTitle('holds what it should and nothing else'), () => {
    expect(contentProblems(filesIn(unpacked.handrail))).toEqual([]);
  });

  it.skipIf(!HAS_WASM)(wasmTitle('would be refused without any one of its files, and with one more'), () => {
    const files = filesIn(unpacked.handrail);
    expect(files.size).toBeGreaterThan(20);
    for (const left of files.keys()) {
      const others = new Map([...files].filter(([file]) => file !== left));
      expect(contentProblems(others), left).toContain(`${left} is missing`);
    }
    const more = new Map(files).set('dist/left-over.js', '');
    expect(contentProblems(more)).toEqual(['nothing needs dist/left-over.js']);
  });

  it('has no scripts, no dependencies, and every platform as an optional one of its own release', () => {
    const manifest = JSON.parse(readFileSync(path.join(unpacked.handrail, 'package.json'), 'utf8')) as {
      version: string;
      optionalDependencies: Record<string, string>;
    };
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('private');
    expect(new Set(Object.values(manifest.optionalDependencies))).toEqual(new Set([manifest.version]));
  });

  it.skipIf(!HAS_WASM).each(['handrail', 'native'] as const)(wasmTitle('%s is clean for publint'), async (name) => {
    const tarball = readFileSync(release.tarball(name));
    const buffer = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) as ArrayBuffer;
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it('names no folder of the machine it was built on', () => {
    for (const name of ['handrail', 'native'] as const) {
      const holders = [...filesIn(unpacked[name])].filter(([, text]) => text.includes(REPOSITORY));
      expect(holders.map(([file]) => file)).toEqual([]);
    }
  });
});

describe('the tarball of the platform package', () => {
  it('holds the binding, the supervisor with its run bit, the licences and nothing else', () => {
    expect([...filesIn(unpacked.native).keys()]).toEqual([
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES.txt',
      'handrail-supervisor',
      `handrail.${OWN}.node`,
      'package.json',
    ]);
    expect(statSync(path.join(unpacked.native, 'handrail-supervisor')).mode & 0o111).toBe(0o111);
  });
});

describe.each(['node16', 'bundler'])('types with moduleResolution %s', (resolution) => {
  it('fit, and the compiler reads them from the tarball', () => {
    const app = path.join(release.folder, `types-${resolution}`);
    const modules = path.join(app, 'node_modules');
    mkdirSync(path.join(modules, '@openai'), { recursive: true });
    symlinkSync(unpacked.handrail, path.join(modules, 'handrail'));
    for (const name of ['@types', '@openai/agents', 'ai', 'zod']) {
      symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(modules, name));
    }
    writeFileSync(path.join(app, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(app, 'agents.ts'), USES_AGENTS);
    writeFileSync(path.join(app, 'ai.ts'), USES_AI);
    writeFileSync(path.join(app, 'main.ts'), USES_ROOT);
    const module = resolution === 'bundler' ? 'preserve' : 'node16';
    const base = { module, moduleResolution: resolution, strict: true, noEmit: true, target: 'es2022' };
    const check = (file: string, skipLibCheck: boolean) => {
      const options = { ...base, skipLibCheck, lib: ['es2023', 'esnext.disposable'], types: ['node'] };
      writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [file] }));
      const tsc = path.join(REPOSITORY, 'node_modules/.bin/tsc');
      return spawnSync(tsc, ['-p', app, '--listFiles'], { encoding: 'utf8' });
    };
    const main = check('main.ts', false);
    expect(main.stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([]);
    expect(main.stdout).toContain(path.join(unpacked.handrail, 'dist/index.d.ts'));
    // The SDKs' own declarations are not ours to check.
    for (const file of ['agents.ts', 'ai.ts']) {
      const { status, stdout } = check(file, true);
      expect({ file, status, errors: stdout.match(/.*error TS.*/g) }).toEqual({ file, status: 0, errors: null });
    }
    expect(main.status).toBe(0);
  }, 60_000);
});

it('fits a CommonJS file of a compiler that knows that Node can require modules', () => {
  const app = path.join(release.folder, 'types-commonjs');
  mkdirSync(path.join(app, 'node_modules'), { recursive: true });
  symlinkSync(unpacked.handrail, path.join(app, 'node_modules/handrail'));
  symlinkSync(path.join(REPOSITORY, 'node_modules/@types'), path.join(app, 'node_modules/@types'));
  writeFileSync(path.join(app, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(
    path.join(app, 'main.cts'),
    "import handrail = require('handrail');\nnew handrail.Redactor().redact('');",
  );
  const options = {
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
    lib: ['es2023', 'esnext.disposable'],
  };
  writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.cts'] }));
  const { status, stdout } = spawnSync(path.join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', app], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
}, 60_000);

const USES_ROOT = `
  import { createToolkit, HandrailError, Redactor, Terminal, type CommandResult, type ToolDefinition } from 'handrail';
  export async function go(): Promise<string> {
    await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['ls'] } });
    const definitions: ToolDefinition[] = toolkit.definitions();
    const result: CommandResult = await new Terminal({ allow: ['ls'] }).run(['ls']);
    // @ts-expect-error a status is one of six words
    if (result.status === 'finished') throw new HandrailError('ERR_INTERNAL', 'never');
    return new Redactor().redact(String(definitions.length));
  }`;

const USES_AGENTS = `
  import { Agent } from '@openai/agents';
  import { createToolkit } from 'handrail';
  import { agentTools, terminalRunTool } from 'handrail/openai-agents';
  const toolkit = await createToolkit({ workspace: '.' });
  export const agent = new Agent({ name: 'a', tools: [...agentTools(toolkit), terminalRunTool] });`;

const USES_AI = `
  import type { ToolSet } from 'ai';
  import { createToolkit } from 'handrail';
  import { aiTools } from 'handrail/ai';
  const toolkit = await createToolkit({ workspace: '.' });
  export const tools: ToolSet = aiTools(toolkit, { tools: ['file_read'], approval: 'interrupt' });`;
