// npm run bench -- files [--quick] [--only PART] [--output FILE]: what a guarded file costs beside a bare one, and what
// judging a command costs.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edits, explaining, reads, syncedEdits } from './files/parts.mjs';
import { filesTable } from './files/table.mjs';
import { runRow } from './lib/row.mjs';

/** About 4 kB of source text without a secret, as agents read most. */
const TEXT = Array.from({ length: 100 }, (_, index) => `export const value${index} = compute(${index});\n`).join('');

function prepare({ quick }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-files-')));
  const file = join(folder, 'source.js');
  writeFileSync(file, TEXT);
  return { folder, file, text: TEXT, quick };
}

await runRow({
  name: 'files',
  parts: { reads, edits, syncedEdits, explaining },
  prepare,
  cleanUp: ({ folder }) => rmSync(folder, { recursive: true, force: true }),
  table: filesTable,
});
