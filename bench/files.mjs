// npm run bench -- files [--quick] [--only PART] [--output FILE]: the time of guarded reads and edits, with plain file calls as
// the baseline, and the time of judging a command.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edits, explaining, reads, syncedEdits } from './files/parts.mjs';
import { RUNNER_NAMES } from './files/rivals.mjs';
import { runRow } from './lib/row.mjs';
import { comparisonRows, formatMicroseconds } from './lib/table.mjs';

/** About 4 kB of source text without a secret: the kind of file that agents read most. */
const SOURCE_TEXT = Array.from({ length: 100 }, (_, index) => `export const value${index} = compute(${index});\n`).join(
  '',
);

const LABELS = { reads: 'read 4 kB', edits: 'edit 4 kB', syncedEdits: 'synced edit' };

function prepare({ quick }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-files-')));
  const folder = join(base, 'root');
  mkdirSync(folder);
  const file = join(folder, 'source.js');
  writeFileSync(file, SOURCE_TEXT);
  return { base, folder, state: join(base, 'state'), file, text: SOURCE_TEXT, quick };
}

function explainRows({ commands, us }) {
  const others = RUNNER_NAMES.slice(1).map(() => '');
  const row = (label, value) => [label, formatMicroseconds(value), ...others];
  return [row(`explain, ${commands} commands: p50 µs`, us.median), row('p99 µs', us.p99)];
}

await runRow({
  name: 'files',
  parts: { reads, edits, syncedEdits, explaining },
  prepare,
  cleanUp: ({ base }) => rmSync(base, { recursive: true, force: true }),
  table: ({ explaining: explainFigures, ...comparisons }) => ({
    columns: ['', ...RUNNER_NAMES],
    rows: [
      ...Object.entries(comparisons).flatMap(([part, figures]) =>
        comparisonRows(LABELS[part], 'bare', RUNNER_NAMES, figures),
      ),
      ...(explainFigures ? explainRows(explainFigures) : []),
    ],
  }),
});
