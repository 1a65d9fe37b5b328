/** Views that nobody closes: the host ends by itself, and what they had started is gone. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { folderPerTest } from '../support/folder.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { living, marker, until } from '../support/processes.js';

const folder = folderPerTest();

it('a host that awaits the end of a job lives until then', async () => {
  const host = path.join(folder(), 'host.mjs');
  writeFileSync(
    host,
    `import { createToolkit } from '${path.join(REPOSITORY, 'dist/index.js')}';
     const { jobs } = await createToolkit({ workspace: '.', terminal: { allow: ['sleep'] } });
     console.log((await (await jobs.start('sleep 0.3')).ended).status);`,
  );
  const { child, ended } = startNode([host], { cwd: folder() });
  const timer = setTimeout(() => child.kill('SIGKILL'), LIVENESS_MS);
  expect(await ended).toMatchObject({ code: 0, stdout: 'exited\n', stderr: '' });
  clearTimeout(timer);
});

it.each([
  ['FilesystemTool', "new FilesystemTool({ allowedDirectories: ['.'] }).execute({ action: 'list', path: '.' })"],
  ['TerminalTool', "new TerminalTool().execute({ command: 'sleep MARK & echo a' })"],
  ['AGTerm', "new AGTerm('bash', { interactive: false }).sendAndReadUntilReady('setsid sleep MARK & sleep MARK &')"],
  ['ToolExecutor', "new ToolExecutor('.').execute('bash', { command: 'sleep MARK & echo a' })"],
])('an unclosed %s does not keep the host alive', async (_name, call) => {
  const mark = marker();
  const index = path.join(REPOSITORY, 'dist/index.js');
  const host = path.join(folder(), 'host.mjs');
  writeFileSync(
    host,
    `import { AGTerm, FilesystemTool, TerminalTool, ToolExecutor } from '${index}';
     await ${call.replaceAll('MARK', mark)};
     console.log('done');`,
  );
  const { child, ended } = startNode([host], { cwd: folder() });
  // A host that stays alive would stay for ever.
  const timer = setTimeout(() => child.kill('SIGKILL'), LIVENESS_MS);
  expect(await ended).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  clearTimeout(timer);
  expect(await until(() => living(mark).length === 0)).toBeDefined();
});
