// npm run bench -- session-ends [--quick] [--only PART] [--output FILE]: how long after its cause a read of a session ends, where no
// prompt is known.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit } from '../dist/index.js';
import { runRow } from './lib/row.mjs';
import { ABSENT, ends, LABELS } from './session-ends/programs.mjs';

const SERVER = `require('http').createServer(() => {}).listen(0, () => console.log('ready', Date.now()));`;

async function prepare({ quick }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-ends-')));
  for (const name of ['server', 'init']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'server', 'server.js'), SERVER);
  writeFileSync(join(folder, 'server', 'package.json'), JSON.stringify({ scripts: { dev: 'node server.js' } }));
  const toolkit = await createToolkit({ workspace: folder });
  return { folder, toolkit, quick, absent: ABSENT };
}

const shown = (value) => (value === undefined ? 'absent' : value.toFixed(0));

await runRow({
  name: 'session-ends',
  parts: { ends },
  prepare,
  cleanUp: async ({ folder, toolkit }) => {
    await toolkit.close();
    rmSync(folder, { recursive: true, force: true });
  },
  table: ({ ends: figures }) => ({
    columns: ['', 'p50 ms', 'longest ms'],
    rows: Object.entries(LABELS).map(([name, label]) => [
      label,
      shown(figures[name]?.median),
      shown(figures[name]?.max),
    ]),
  }),
});
process.exit(0);
