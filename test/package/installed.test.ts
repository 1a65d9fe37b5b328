import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_MAJORS, nodeProgram } from '../../scripts/lib/nodes.mjs';
import { VERSION } from '../../ts/version.js';
import { REPOSITORY } from '../support/copy.js';
import { HAS_WASM, wasmTitle } from '../support/wasm.js';
import { OWN, Release, runBare } from './release.js';

const INSTALL_TIMEOUT_MS = 600_000;
/** Natives that are linked without optimisation across crates, as here, are larger than those that are published. */
const MAX_INSTALLED_BYTES = 13 * 1e6;

/** What a stranger tries first: each part once, in the module system that is asked for. */
const SMOKE = `
  const terminal = new Terminal({ allow: ['echo'] });
  const ran = await terminal.run(['echo', 'password=' + 'hunter2-hunter2']);
  const denied = await terminal.run(['rm', '-rf', '/']);
  await terminal.close();
  const toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['echo'] } });
  const { content } = await toolkit.execute('terminal_run', { command: 'echo hello' });
  await toolkit.close();
  console.log(JSON.stringify({
    status: ran.status, output: ran.output, denied: denied.status, said: content.includes('hello'),
    redacted: new Redactor().redact('token: ' + 'ghp_' + 'a1B2'.repeat(9)),
  }));`;
const EXPECTED = {
  status: 'exited',
  output: 'password=[REDACTED]\n',
  denied: 'denied',
  said: true,
  redacted: 'token: [REDACTED]',
};

/** What works without native files, and what says that it does not. */
const BARE = `
  import { explain, Redactor, Terminal } from 'handrail';
  const redactor = new Redactor();
  const stream = redactor.stream();
  const parts = [stream.write('token: ' + 'ghp_' + 'a1B2'.repeat(3)), stream.write('a1B2'.repeat(6)), stream.end()];
  let refused = '';
  try { new Terminal({ allow: ['echo'] }); } catch (error) { refused = error.code + ' ' + error.message; }
  console.log(JSON.stringify({
    redacted: redactor.redact('password=hunter2'), streamed: Buffer.concat(parts).toString(),
    decision: explain('git log | xargs rm', { allow: ['git', 'xargs'], shell: 'bash' }).decision, refused,
  }));`;

const release = new Release();
let app: string;
/** Where the platform package was left out. */
let bare: string;

beforeAll(async () => {
  await release.make();
  app = await release.install();
  bare = await release.install('--omit=optional');
}, INSTALL_TIMEOUT_MS);

afterAll(() => release.remove());

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

describe('npm install handrail', () => {
  it('installs handrail and the one platform package that fits', () => {
    expect(readdirSync(path.join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@handrail',
      'handrail',
    ]);
    expect(readdirSync(path.join(app, 'node_modules/@handrail'))).toEqual([`native-${OWN}`]);
    expect(release.registry.fetched.sort()).toEqual([`@handrail/native-${OWN}`, 'handrail']);
  });

  it('takes less than 13 MB', () => {
    const bytes = filesBelow(path.join(app, 'node_modules')).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(MAX_INSTALLED_BYTES);
  });

  it('needs no toolchain, wherever the machine has one, and runs no script', async () => {
    // What installed it and runs it below has no more than this.
    const looked = 'for tool in npm cargo rustc cc python3 napi; do command -v "$tool"; done';
    expect(await runBare('/bin/sh', ['-c', looked], { cwd: app })).toMatchObject({
      stdout: expect.stringMatching(/^[^\n]*\/npm\n$/),
    });
    for (const name of ['handrail', `@handrail/native-${OWN}`]) {
      expect(
        JSON.stringify(await import(path.join(app, 'node_modules', name, 'package.json'), { with: { type: 'json' } })),
      ).not.toContain('"scripts"');
    }
  });
});

describe.skipIf(!HAS_WASM)(wasmTitle('the proof of an installation'), () => {
  const prove = (tarballs: string) =>
    runBare('node', [path.join(REPOSITORY, 'scripts/release/prove-install.mjs'), tarballs], {
      cwd: release.folder,
      env: { npm_config_registry: release.address, npm_config_cache: path.join(release.folder, 'cache') },
    });

  it('installs the tarballs, imports every entry and uses them', async () => {
    expect(await prove(release.output)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('installed and used'),
    });
  });

  it.each(['dist/wasm/handrail.wasm', 'dist/adapters/ai.js'])('fails for a package without %s', async (lost) => {
    const broken = path.join(release.folder, 'broken');
    cpSync(release.root, path.join(broken, 'handrail'), { recursive: true });
    cpSync(release.tarball('native'), path.join(broken, path.basename(release.tarball('native'))));
    rmSync(path.join(broken, 'handrail', lost));
    const packed = await runBare('npm', ['pack', '--ignore-scripts', './handrail'], { cwd: broken });
    expect(packed.code).toBe(0);
    const { code, stderr } = await prove(broken);
    rmSync(broken, { recursive: true });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(path.basename(lost)) });
  });
});

describe.each(NODE_MAJORS)('on Node %i', (major) => {
  const node = nodeProgram(major);
  // A machine without a network cannot have it; CI has to.
  const isSkipped = node === undefined && process.env['CI'] === undefined;
  const title = (text: string) => (isSkipped ? `skipped: no Node ${major}` : text);
  const bareTitle = (text: string) => title(wasmTitle(text));
  const run = (...args: string[]) => runBare(node ?? 'missing', args, { cwd: app });

  it.skipIf(isSkipped)(title('works when imported'), async () => {
    writeFileSync(
      path.join(app, 'smoke.mjs'),
      `import { createToolkit, Redactor, Terminal } from 'handrail';\n${SMOKE}`,
    );
    const { code, stdout, stderr } = await run('smoke.mjs');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });

  it.skipIf(isSkipped)(title('works when required'), async () => {
    const body = `const { createToolkit, Redactor, Terminal } = require('handrail');\n(async () => {${SMOKE}})();`;
    writeFileSync(path.join(app, 'smoke.cjs'), body);
    const { code, stdout, stderr } = await run('smoke.cjs');
    // Node 22.13 says of every required module that this is new.
    expect({ code, stderr: stderr.replace(/^.*ExperimentalWarning: .*\n.*\n/, '') }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });

  it.skipIf(isSkipped)(title('has a command line'), async () => {
    const bin = 'node_modules/.bin/handrail';
    expect(await run(bin, '--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    const ran = await run(bin, 'run', '--writes', 'any', '--allow', 'echo', '--', 'echo', 'hello');
    expect(ran).toMatchObject({ code: 0, stdout: 'hello\n' });
  });

  it.skipIf(isSkipped)(title('runs the ten lines of the README as they are pasted'), async () => {
    const readme = readFileSync(path.join(app, 'node_modules/handrail/README.md'), 'utf8');
    writeFileSync(path.join(app, 'pasted.mjs'), /```js\n(import \{ writeFileSync[\s\S]*?)```/.exec(readme)?.[1] ?? '');
    const { code, stdout, stderr } = await run('pasted.mjs');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('DB_PASSWORD=[REDACTED]\n');
    expect(stdout).toContain("denied: Command 'rm' is not allowed");
  });

  it.skipIf(isSkipped || !HAS_WASM)(
    bareTitle('redacts and explains without the platform package, and says what is missing'),
    async () => {
      expect(existsSync(path.join(bare, 'node_modules/@handrail'))).toBe(false);
      writeFileSync(path.join(bare, 'bare.mjs'), BARE);
      const { stdout, stderr } = await runBare(node ?? 'missing', ['bare.mjs'], { cwd: bare });
      expect(stderr).toBe('');
      const { redacted, streamed, decision, refused } = JSON.parse(stdout) as Record<string, string>;
      expect({ redacted, streamed, decision }).toEqual({
        redacted: 'password=[REDACTED]',
        streamed: 'token: [REDACTED]',
        decision: 'deny',
      });
      expect(refused).toContain(`ERR_NATIVE_MISSING The package @handrail/native-${OWN}@${VERSION}`);
      expect(refused).toContain(`\`npm install @handrail/native-${OWN}@${VERSION}\``);
    },
  );

  it.skipIf(isSkipped || !HAS_WASM)(bareTitle('has a command line without it, which tells the doctor'), async () => {
    const handrail = (...args: string[]) =>
      runBare(node ?? 'missing', ['node_modules/.bin/handrail', ...args], { cwd: bare });
    expect(await handrail('explain', '--allow', 'git', 'git log | xargs rm')).toMatchObject({
      code: 123,
      stdout: expect.stringContaining('deny'),
    });
    const doctor = await handrail('doctor', '--json');
    expect(doctor).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      engine: 'wasm',
      nativeProblem: expect.stringContaining(`The package @handrail/native-${OWN}@${VERSION}`),
      features: [],
    });
    expect((await handrail('doctor')).stdout).toContain('`redact` and `explain` work, by the WASM module.');
    const run = await handrail('run', '--writes', 'any', '--allow', 'echo', '--', 'echo', 'hello');
    expect(run).toMatchObject({ code: 125, stdout: '', stderr: expect.stringContaining('(ERR_NATIVE_MISSING)') });
  });
});

describe('where programs may not be executed', () => {
  // Mounting is the superuser's, in a mount namespace that ends with the process.
  const canMount = process.getuid?.() === 0;

  it.skipIf(!canMount)(canMount ? 'the error says noexec' : 'skipped: not root, cannot mount', async () => {
    const place = path.join(app, 'noexec');
    mkdirSync(place);
    const code =
      "import('handrail').then(({ Terminal }) => new Terminal()).catch((e) => console.log(e.code, e.message))";
    const script = `mount -t tmpfs -o noexec none ${place} && cp -a node_modules ${place} && cd ${place} && exec "$0" -e "$1"`;
    const { stdout, stderr } = await runBare('unshare', ['-m', 'sh', '-c', script, process.execPath, code], {
      cwd: app,
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ERR_NATIVE_MISSING .*could not be loaded .* mounted noexec/);
  });
});
