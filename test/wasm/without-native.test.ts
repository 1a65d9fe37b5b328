/** A host that has no native files, by its platform or by its installation: what needs no machine goes on by the module. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { wasmFile } from '../../scripts/lib/wasm.mjs';
import { HandrailError } from '../../ts/errors.js';
import { findNative, loadNative } from '../../ts/native/loader.js';
import { findTextBinding } from '../../ts/native/text-binding.js';
import { VERSION } from '../../ts/version.js';
import { REPOSITORY } from '../support/copy.js';
import { describeWithWasm } from '../support/wasm.js';

const NOWHERE = path.join(REPOSITORY, 'test', 'nowhere');

const onWindows = () =>
  findNative({ host: { platform: 'win32', arch: 'x64' }, root: NOWHERE, version: VERSION }).binding;

/** This package on a host that says it is Windows. */
function pretending(program: string): unknown {
  const code = `Object.defineProperty(process, 'platform', { value: 'win32' });
    const { explain, isHandrailError, Redactor, Terminal } = await import('./dist/index.js');
    ${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describeWithWasm('without native files', () => {
  test('the module takes their place where there are none for this platform', () => {
    const binding = findTextBinding(onWindows, wasmFile);
    expect(binding.stripAnsi('\u001b[1mbold')).toBe('bold');
  });

  test.each(["ls,git 'a, b'", 'ls,"a', 'ls $x', ''])('the list of rules %j is read alike', (list) => {
    expect(findTextBinding(onWindows, wasmFile).readRuleList(list)).toBe(loadNative().binding.readRuleList(list));
  });

  test('on such a platform texts are redacted and commands judged, and none runs', () => {
    const answer = pretending(`
      let refused;
      try { new Terminal({ allow: ['echo'] }); } catch (error) { refused = [error.code, error.message]; }
      console.log(JSON.stringify({
        redacted: new Redactor().redact('password=hunter2'),
        decision: explain(['rm', '-rf', '/'], { allow: ['ls'] }).decision,
        refused,
      }));`);
    expect(answer).toEqual({
      redacted: 'password=[REDACTED]',
      decision: 'deny',
      refused: [
        'ERR_NOT_SUPPORTED',
        expect.stringMatching(/^Commands, .* not supported on this platform \(win32 x64\).*`explain` work here\.$/),
      ],
    });
  });

  test('doctor says so, also where it may neither load nor write anything', () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const args = [permission, '--allow-fs-read=*', '--no-warnings', 'dist/cli/main.js', 'doctor'];
    const run = (...more: string[]) =>
      spawnSync(process.execPath, [...args, ...more], { cwd: REPOSITORY, encoding: 'utf8' });
    const { status, stdout, stderr } = run('--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      engine: 'wasm',
      nativeProblem: expect.stringContaining('--allow-addons'),
      features: [],
    });
    expect(run().stdout).toContain('`redact` and `explain` work, by the WASM module.');
  });

  test.each([
    ['of another release', new HandrailError('ERR_NATIVE_VERSION', 'other'), wasmFile],
    ['missing, and so is the module', new HandrailError('ERR_NATIVE_MISSING', 'gone'), path.join(NOWHERE, 'x.wasm')],
    ['broken in an unforeseen way', new TypeError('bug'), wasmFile],
    [
      'missing, and the module is damaged',
      new HandrailError('ERR_NATIVE_MISSING', 'gone'),
      path.join(REPOSITORY, 'package.json'),
    ],
  ])('nothing takes their place when they are %s', (_name, error, file) => {
    const native = () => {
      throw error;
    };
    expect(() => findTextBinding(native, file)).toThrow(error);
  });
});
