import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';

const ENTRY = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);

/** Runs a host that uses the built package, to its end; one that hangs is killed. */
function host(script: string): Promise<{ code: number | null; printed: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: LIVENESS_MS,
      killSignal: 'SIGKILL',
    });
    let printed = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      printed += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, printed }));
  });
}

describe('a host', () => {
  test('ends by itself although its terminal was never closed', async () => {
    const ended = await host(`
      import { Terminal } from ${ENTRY};
      const result = await new Terminal({ allow: ['echo'] }).run(['echo', 'hi']);
      process.stdout.write(result.output);
    `);
    expect(ended).toEqual({ code: 0, printed: 'hi\n' });
  });

  test('stays alive while a command runs that nobody else holds', async () => {
    const ended = await host(`
      import { Terminal } from ${ENTRY};
      new Terminal({ allow: ['sleep'] }).run(['sleep', '0.5']).then(({ ok }) => process.stdout.write(String(ok)));
    `);
    expect(ended).toEqual({ code: 0, printed: 'true' });
  });

  test('can use the package from CommonJS', async () => {
    const ended = await host(`
      import { createRequire } from 'node:module';
      const { fileURLToPath } = await import('node:url');
      const require = createRequire(import.meta.url.startsWith('file:') ? import.meta.url : process.cwd() + '/x.js');
      const { Redactor } = require(fileURLToPath(${ENTRY}));
      process.stdout.write(new Redactor().redact('password=hunter2'));
    `);
    expect(ended).toEqual({ code: 0, printed: 'password=[REDACTED]' });
  });

  test('can import the package as often as it likes without loading native code', async () => {
    const ended = await host(`
      await import(${ENTRY});
      const { sharedObjects } = process.report.getReport();
      process.stdout.write(JSON.stringify(sharedObjects.filter((file) => file.endsWith('.node'))));
    `);
    expect(ended).toEqual({ code: 0, printed: '[]' });
  });

  test('has nothing left to wait for after close', async () => {
    const ended = await host(`
      import { Terminal } from ${ENTRY};
      const terminal = new Terminal({ allow: ['echo'] });
      await terminal.run(['echo']);
      await terminal.close();
      process.stdout.write(JSON.stringify(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')));
    `);
    expect(ended).toEqual({ code: 0, printed: '[]' });
  });
});
