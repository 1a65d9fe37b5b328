// npm run bench -- redact [--quick] [--only PART] [--output FILE]: the speed of masking secrets, the recall of planted secrets,
// the false positives in harmless text, and the same figures of rivals.
import { step } from '../scripts/lib/steps.mjs';
import { buildFloor } from './lib/floor.mjs';
import { buildProgram } from './lib/program.mjs';
import { runRow } from './lib/row.mjs';
import { hostile } from './redact/hostile.mjs';
import { recall } from './redact/recall.mjs';
import { installRivals, loadRivals } from './redact/rivals.mjs';
import { rules } from './redact/rules.mjs';
import { speed } from './redact/speed.mjs';
import { redactTable } from './redact/table.mjs';
import { terminal } from './redact/terminal.mjs';

const PROGRAM_NAME = 'handrail-bench-redact-speed';

async function prepare({ quick }) {
  let program;
  let floorProgram;
  await step('Rust programs (cargo)', async () => {
    program = await buildProgram(PROGRAM_NAME);
    floorProgram = await buildFloor();
  });
  await step('rivals (npm)', installRivals);
  return { quick, program, floorProgram, ...(await loadRivals()) };
}

await runRow({
  name: 'redact',
  parts: { speed, terminal, recall, rules, hostile },
  prepare,
  cleanUp: async () => undefined,
  table: redactTable,
});
