import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { docExamples, markdownExamples } from '../support/doc-examples.js';
import { soakSample } from '../support/soak.js';
import { HAS_WASM, wasmTitle } from '../support/wasm.js';

const COMPILE_TIMEOUT_MS = 600_000;
/** Needs a model: the runner is told to use a scripted one, which asks for a command the example allows. */
const PRELOAD = path.join(REPOSITORY, 'test/support/scripted-provider.mjs');

const README = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');
const FENCES = /^ *```(?:js|ts)/gm;
/** What these print has a time in it, or is up to a model; `examples.test.ts` looks at it. */
const UNCLAIMED = ['agent', 'hands'].map((name) =>
  readFileSync(path.join(REPOSITORY, 'examples', `${name}.mjs`), 'utf8'),
);

const IN_COMMENTS = docExamples();
const IN_README = markdownExamples('README.md');
/** The pages about one topic each; those of docs/api repeat the comments. */
const PAGES = readdirSync(path.join(REPOSITORY, 'docs')).filter((name) => name.endsWith('.md'));
/** Those with an SDK that is not installed here are held to its types by test/types/sdks.test.ts. */
const isTypedOnly = ({ code }: { readonly code: string }) => code.includes("'@anthropic-ai/");
const ALL_IN_PAGES = PAGES.flatMap((name) => markdownExamples(`docs/${name}`));
const IN_PAGES = ALL_IN_PAGES.filter((example) => !isTypedOnly(example));
const EXAMPLES = [...IN_COMMENTS, ...IN_README, ...IN_PAGES];

describe('the examples of the doc comments, the README and the pages of docs', () => {
  let folder: string;
  let compiled: { status: number | null; stdout: string };

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-docs-'));
    const modules = path.join(folder, 'node_modules');
    mkdirSync(path.join(modules, '@openai'), { recursive: true });
    symlinkSync(REPOSITORY, path.join(modules, 'handrail'));
    for (const name of ['@langchain', '@openai/agents', '@types', 'ai', 'ioredis', 'zod']) {
      symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(modules, name));
    }
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const options = { rootDir: 'in', outDir: 'out', noEmit: false, typeRoots: ['node_modules/@types'] };
    const config = { extends: path.join(REPOSITORY, 'tsconfig.json'), compilerOptions: options, include: ['in'] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const name of ['in', 'work']) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'work/package.json'), '{}');
    for (const { name, code } of EXAMPLES) writeFileSync(path.join(folder, 'in', `${name}.ts`), code);
    const tsc = path.join(REPOSITORY, 'node_modules/.bin/tsc');
    compiled = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
  }, COMPILE_TIMEOUT_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are found', () => {
    expect(IN_COMMENTS.length).toBeGreaterThan(10);
    expect(IN_README).toHaveLength(README.match(FENCES)?.length ?? 0);
    expect(IN_README.filter(({ prints }) => prints.length === 0).map(({ code }) => code)).toEqual(UNCLAIMED);
    expect(IN_PAGES.length).toBeGreaterThan(10);
    expect(IN_PAGES.filter(({ prints }) => prints.length === 0)).toEqual([]);
    expect(EXAMPLES.some(({ prints }) => prints.length > 0)).toBe(true);
  });

  it('have the types they use', () => {
    expect(compiled).toMatchObject({ status: 0, stdout: '' });
  });

  const needsWasm = ({ code }: (typeof EXAMPLES)[number]) => code.includes('handrail/wasm');
  const runs = async ({ name, code: source, prints }: (typeof EXAMPLES)[number]) => {
    const file = path.join(folder, 'out', `${name}.js`);
    const preload = source.includes('@openai/agents') ? ['--import', PRELOAD] : [];
    // In a folder of its own: some examples try what a broken guard would let happen.
    const cwd = path.join(folder, 'work');
    const { code, stdout, stderr } = await startNode([...preload, file], {
      cwd,
      env: { XDG_CACHE_HOME: path.join(folder, 'cache') },
    }).ended;
    expect({ code, stderr: stderr.replace(/^(exit 0 in|Chunk ID: )[\s\S]*/, '') }).toEqual({ code: 0, stderr: '' });
    const printed = stdout.split('\n').filter((line) => line !== '');
    if (prints.length > 0) expect(printed).toEqual(prints);
  };

  /** Each is a process. All have their types checked above; `npm run soak -- examples` runs all. */
  const SAMPLE_STEP = 3;
  const [plain, ofWasm] = [EXAMPLES.filter((example) => !needsWasm(example)), EXAMPLES.filter(needsWasm)];

  it.each(soakSample(plain, SAMPLE_STEP))('$name runs and prints what it says', runs);

  it.skipIf(!HAS_WASM).each(soakSample(ofWasm, SAMPLE_STEP))(wasmTitle('$name runs and prints what it says'), runs);
});
