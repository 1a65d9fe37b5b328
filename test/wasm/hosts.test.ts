/**
 * What npm installs of a release, without its native files, answers in every kind of host as the native binding does in
 * this one.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../scripts/lib/chromium.mjs';
import { hostProgram } from '../../scripts/lib/hosts.mjs';
import { NODE_MAJORS, nodeProgram } from '../../scripts/lib/nodes.mjs';
import * as native from '../../ts/index.js';
import { loadNative } from '../../ts/native/loader.js';
import { textBinding } from '../../ts/native/text-binding.js';
import { Release, runBare } from '../package/release.js';
import { REPOSITORY } from '../support/copy.js';
import { isRequired } from '../support/programs.js';
import { soakSample } from '../support/soak.js';
import { HAS_WASM, wasmTitle } from '../support/wasm.js';
import { answers } from './answers.mjs';
import { allCases } from './cases.js';
import { Chromium, PageServer } from './support/pages.js';
import { Workerd } from './support/workerd.js';

const INSTALL_TIMEOUT_MS = 600_000;

const HERE = path.join(REPOSITORY, 'test/wasm');
/** Calls of a text come in fours and sixes: an odd step meets all of them. */
const SAMPLE_STEP = 7;
/** `npm run soak -- wasm-hosts` asks every host about all of them. */
const cases = soakSample(allCases(), SAMPLE_STEP);
const input = JSON.stringify(cases);
/** What the native binding answers, as it would come from another host. */
const expected = JSON.parse(JSON.stringify(answers(native, cases))) as unknown[];

const release = new Release();
let app = '';
/** Of the installed package, the folder with the bundles. */
let files = '';

beforeAll(async () => {
  await release.make();
  app = await release.install('--omit=optional');
  files = path.join(app, 'node_modules/handrail/dist/wasm');
  for (const name of ['program.mjs', 'answers.mjs']) copyFileSync(path.join(HERE, name), path.join(app, name));
  writeFileSync(path.join(app, 'cases.json'), input);
}, INSTALL_TIMEOUT_MS);

afterAll(() => release.remove());

/** The first case that a host answers otherwise. */
function firstDifference(given: readonly unknown[]): object | undefined {
  const index = expected.findIndex((answer, at) => JSON.stringify(answer) !== JSON.stringify(given[at]));
  return index === -1 ? undefined : { index, case: cases[index], native: expected[index], here: given[index] };
}

function expectSame(given: readonly unknown[]): void {
  expect(firstDifference(given)).toBeUndefined();
  expect(given).toHaveLength(expected.length);
}

it('the native binding is what is compared with, and a difference is found', () => {
  expect(textBinding()).toBe(loadNative().binding);
  expect(expected.length).toBeGreaterThan(20);
  const last = expected.length - 1;
  expect(firstDifference(expected.with(last, { value: 'other' }))).toMatchObject({ index: last, case: cases[last] });
  expect(firstDifference(expected.slice(0, -1))).toMatchObject({ index: last, here: undefined });
});

/** Tests in a host. Where it is missing they say so; where it has to be there, they fail. */
function describeIn(name: string, isThere: boolean, define: () => void): void {
  if (isRequired(name)) {
    it(`there is a ${name}, as HANDRAIL_REQUIRE_${name.toUpperCase()} says`, () => {
      expect(isThere).toBe(true);
    });
  }
  const title = isThere ? `in ${name}` : `in ${name} (skipped: no ${name})`;
  describe.skipIf(!isThere || !HAS_WASM)(wasmTitle(title), define);
}

describe.each([
  ['workerd', 'workerd.js'],
  ['deno', 'deno.js'],
  ['browser', 'browser.js'],
  ['node', 'node.js'],
])('the condition %s', (condition, bundle) => {
  it(`gives ${bundle}`, async () => {
    const code = "console.log(import.meta.resolve('handrail/wasm'))";
    const args = ['--conditions', condition, '--input-type=module', '--eval', code];
    const { stdout } = await runBare(process.execPath, args, { cwd: app });
    expect(path.relative(files, new URL(stdout.trim()).pathname)).toBe(bundle);
  });
});

interface Printed {
  readonly entry: string;
  readonly mayRead: boolean;
  readonly answers: readonly unknown[];
}

/** Runs test/wasm/program.mjs. */
async function printed(program: string, ...args: readonly string[]): Promise<Printed> {
  const child = spawn(program, [...args, 'program.mjs'], {
    cwd: app,
    env: { PATH: '/usr/bin:/bin', HOME: app, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  expect({ code, stderr: output.stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(output.stdout) as Printed;
}

const bundleOf = ({ entry }: Printed): string => path.relative(files, new URL(entry).pathname);

describe.each(NODE_MAJORS)('in Node %i', (major) => {
  const node = nodeProgram(major);
  const isSkipped = node === undefined && process.env['CI'] === undefined;

  const title = isSkipped ? `skipped: no Node ${major}` : wasmTitle('answers the same');

  it.skipIf(isSkipped || !HAS_WASM)(title, async () => {
    const result = await printed(node ?? 'missing');
    expect(bundleOf(result)).toBe('node.js');
    expectSame(result.answers);
  });
});

const bun = hostProgram('bun');
describeIn('bun', bun !== undefined, () => {
  it('answers the same', async () => {
    const result = await printed(bun ?? 'missing');
    expect(bundleOf(result)).toBe('node.js');
    expectSame(result.answers);
  });
});

const deno = hostProgram('deno');
describeIn('deno', deno !== undefined, () => {
  it('answers the same, without any permission', async () => {
    const result = await printed(deno ?? 'missing', 'run', '--no-prompt');
    expect({ bundle: bundleOf(result), mayRead: result.mayRead }).toEqual({ bundle: 'deno.js', mayRead: false });
    expectSame(result.answers);
  });
});

const workerd = hostProgram('workerd');
describeIn('workerd', workerd !== undefined, () => {
  let server: Workerd;
  let address = '';

  beforeAll(async () => {
    server = new Workerd(workerd ?? 'missing', path.join(release.folder, 'workerd'));
    address = await server.start(files);
  });
  afterAll(() => server.stop());

  it('answers the same, with nothing of Node', async () => {
    const response = await fetch(address, { method: 'POST', body: input });
    const result = (await response.json()) as { nodes: string[]; answers: unknown[] };
    expect(result.nodes).toEqual([]);
    expectSame(result.answers);
  });

  it('masks a body that goes through it, as it comes', async () => {
    const sent = new TransformStream<string, string>();
    const body = sent.readable.pipeThrough(new TextEncoderStream());
    const answered = fetch(`${address}/pipe`, { method: 'POST', body, duplex: 'half' });
    const writer = sent.writable.getWriter();
    await writer.write('first line\npassword=hun');
    const reader = (await answered).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('first line\n')) text += (await reader?.read())?.value;
    await writer.write('ter2\n');
    await writer.close();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) text += next.value;
    expect(text).toBe('first line\npassword=[REDACTED]\n');
  });
});

describeIn('chromium', hasChromium(), () => {
  let chromium: Chromium;
  let server: PageServer;

  beforeAll(async () => {
    server = new PageServer(app);
    await server.start();
    const home = mkdtempSync(path.join(release.folder, 'chromium-'));
    chromium = await Chromium.start(home);
  });
  afterAll(async () => {
    await chromium?.stop();
    await server.stop();
  });

  /** An expression that has the module as `api`. */
  const withApi = (body: string): string =>
    `import('/node_modules/handrail/dist/wasm/browser.js').then(async (api) => { ${body} })`;
  const WORKS = withApi(`await api.ready(); return new api.Redactor().redact('password=hunter2')`);
  const READY_CODE = withApi(
    `return api.ready().then(() => 'ready', (error) => error.code + ': ' + error.cause.message)`,
  );

  it('answers the same', async () => {
    const [given] = await chromium.inPage(
      server.address,
      withApi(`
        const { answers } = await import('/answers.mjs');
        await api.ready();
        const cases = await (await fetch('/cases.json')).json();
        return JSON.stringify(answers(api, cases));`),
    );
    expectSame(JSON.parse(given as string) as unknown[]);
  });

  it('says what to do before it is ready', async () => {
    const early = withApi(`try { new api.Redactor(); } catch (error) { return error.code + ': ' + error.message; }`);
    expect(await chromium.inPage(server.address, early, WORKS)).toEqual([
      'ERR_NATIVE_MISSING: The WASM module of handrail is not loaded yet: call `await ready()` first',
      'password=[REDACTED]',
    ]);
  });

  it('takes the module from a response', async () => {
    copyFileSync(path.join(files, 'handrail.wasm'), path.join(app, 'elsewhere.wasm'));
    const code = withApi(`await api.ready(fetch('/elsewhere.wasm')); return api.stripAnsi('\\u001b[31mred')`);
    server.missing = '/handrail.wasm';
    try {
      expect(await chromium.inPage(server.address, code)).toEqual(['red']);
    } finally {
      server.missing = undefined;
    }
  });

  it('fails to be ready without the file, and is at the next try with it', async () => {
    server.missing = '/handrail.wasm';
    const steps = chromium.steps(server.address, READY_CODE, WORKS);
    try {
      expect((await steps.next()).value).toBe('ERR_NATIVE_MISSING: the server answers with status 404');
    } finally {
      server.missing = undefined;
    }
    expect((await steps.next()).value).toBe('password=[REDACTED]');
    await steps.return();
  });

  it('wants to be named in a content security policy', async () => {
    try {
      server.policy = "script-src 'self'";
      const [refused] = await chromium.inPage(server.address, READY_CODE);
      expect(refused).toMatch(/^ERR_NATIVE_MISSING: .*Content Security Policy/);
      server.policy = "script-src 'self' 'wasm-unsafe-eval'";
      expect(await chromium.inPage(server.address, WORKS)).toEqual(['password=[REDACTED]']);
    } finally {
      server.policy = undefined;
    }
  });
});
