/** The declarations of `handrail/wasm` in projects that lack what the root entry's need: Node's types, or newer libraries. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../support/copy.js';
import { folderPerTest } from '../support/folder.js';

const folder = folderPerTest();

/** A program that uses every export. */
const PROGRAM = `
import {
  type BoundedText, type BoundOptions, boundOutput, type Decision, DEFAULT_MIN_SECRET_LENGTH, type Excerpt,
  type ExcerptOptions, type ExplainOptions, excerptOutput, explain, type Finding, HandrailError, type HandrailErrorCode,
  type HandrailErrorData, type HandrailErrorOptions, isHandrailError, MAX_MIN_SECRET_LENGTH, MAX_OUTPUT_CHARS,
  MAX_PATTERN_CHARS, MAX_REDACTION_ENTRIES, MAX_RULE_FILE_BYTES, MAX_RULE_FILES, type Reason, type RedactionStream,
  Redactor, type RedactorOptions, ready, type Rule, type RuleFile, sanitize, stripAnsi, truncateOutput, type WasmSource,
} from 'handrail/wasm';

export const limits: number[] = [
  DEFAULT_MIN_SECRET_LENGTH, MAX_MIN_SECRET_LENGTH, MAX_OUTPUT_CHARS, MAX_PATTERN_CHARS, MAX_REDACTION_ENTRIES,
  MAX_RULE_FILE_BYTES, MAX_RULE_FILES,
];

export async function start(bytes: Uint8Array): Promise<void> {
  const source: WasmSource = bytes;
  await ready(source);
  await ready(fetch('/handrail.wasm'));
  await ready();
}

export async function masked(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const ruleFile: RuleFile = { name: 'team.toml', toml: '' };
  const options: RedactorOptions = { secrets: ['hunter2-hunter2'], ruleFiles: [ruleFile] };
  const redactor = new Redactor(options);
  const found: readonly Finding[] = redactor.scan('password=hunter2');
  const stream: RedactionStream = redactor.stream();
  const bytes: Uint8Array = stream.write(sanitize(new Uint8Array(found.length)));
  return bytes.length + (await new Response(body.pipeThrough(redactor.transformStream())).text());
}

export function shortened(text: string): string {
  const bound: BoundOptions = { headLines: 3, tailLines: 5 };
  const bounded: BoundedText = boundOutput(text, bound);
  const options: ExcerptOptions = { tokens: 500 };
  const excerpt: Excerpt = excerptOutput(stripAnsi(bounded.text), options);
  return truncateOutput(excerpt.text, 100);
}

export function judged(command: string): Reason | undefined {
  const rule: Rule = { program: 'git', args: ['status'] };
  const options: ExplainOptions = { allow: [rule], shell: 'bash' };
  const decision: Decision = explain(command, options);
  // @ts-expect-error what was decided is one of a few words
  if (decision.decision === 'perhaps') throw error();
  return decision.reasons[0];
}

export function error(): HandrailError {
  const data: HandrailErrorData = {};
  const options: HandrailErrorOptions = { data };
  const code: HandrailErrorCode = 'ERR_INTERNAL';
  const made: unknown = new HandrailError(code, 'never', options);
  return isHandrailError(made) ? made : error();
}
`;

const BUNDLED = { types: [], module: 'esnext', moduleResolution: 'bundler' };
const BROWSER = { ...BUNDLED, lib: ['es2022', 'dom'] };

/** What the compiler says of the program. */
function compiled(compilerOptions: object, program = PROGRAM): { status: number | null; stdout: string } {
  mkdirSync(path.join(folder(), 'node_modules'));
  symlinkSync(REPOSITORY, path.join(folder(), 'node_modules/handrail'));
  symlinkSync(path.join(REPOSITORY, 'node_modules/@types'), path.join(folder(), 'node_modules/@types'));
  const base = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
  writeFileSync(
    path.join(folder(), 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...base, ...compilerOptions }, files: ['program.ts'] }),
  );
  writeFileSync(path.join(folder(), 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder(), 'program.ts'), program);
  const tsc = path.join(REPOSITORY, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, ['-p', folder()], { encoding: 'utf8' });
  return { status, stdout };
}

it.each([
  ['a page', BROWSER],
  ['a worker', { ...BUNDLED, lib: ['es2022', 'webworker'] }],
  ['Node', { lib: ['es2023'], types: ['node'], module: 'nodenext', moduleResolution: 'nodenext' }],
])('fit a project for %s', (_host, options) => {
  expect(compiled(options)).toEqual({ status: 0, stdout: '' });
});

it('would not fit with another name of an option', () => {
  const { status, stdout } = compiled(BROWSER, PROGRAM.replace('secrets:', 'secret:'));
  expect({ status, isFound: stdout.includes("'secret'") }).toEqual({ status: 1, isFound: true });
});

it('the program uses every export', () => {
  const entry = readFileSync(path.join(REPOSITORY, 'ts/wasm/index.ts'), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const names = [...entry.matchAll(/export(?: type)? \{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  const exported = names.map((name) => name.trim().replace(/^type |^\w+ as /, '')).filter((name) => name !== '');
  expect(exported.length).toBeGreaterThan(25);
  const [, imports = '', uses = ''] = /import \{([^}]*)\} from 'handrail\/wasm';([\s\S]*)/.exec(PROGRAM) ?? [];
  const missing = exported.filter((name) => [imports, uses].some((part) => !new RegExp(`\\b${name}\\b`).test(part)));
  expect(missing).toEqual([]);
});
