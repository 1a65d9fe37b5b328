// Runs one row of the benchmark: reads the options, measures the parts, then writes and prints the result.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/lib/paths.mjs';
import { fail, heading, say, step } from '../../scripts/lib/steps.mjs';
import { describeMachine, machine, watchLoad } from './machine.mjs';
import { plainTable } from './table.mjs';

function readOptions(name, parts) {
  const options = { quick: { type: 'boolean' }, only: { type: 'string' }, output: { type: 'string' } };
  try {
    const { values } = parseArgs({ options });
    if (values.only !== undefined && !Object.hasOwn(parts, values.only)) throw new Error(`no part '${values.only}'`);
    return { quick: values.quick ?? false, only: values.only, output: values.output };
  } catch (error) {
    const usage = `npm run bench -- ${name} [--quick] [--only ${Object.keys(parts).join('|')}] [--output FILE]`;
    return fail(`${error.message}\n${usage}`);
  }
}

/** Writes a full run to bench/results. A quick run, or a single part, is not for publishing: it is written only to `--output`. */
function writeResult(result, { quick, only, output }) {
  const file =
    output ?? (quick || only !== undefined ? undefined : join(root, 'bench', 'results', `${result.name}.json`));
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

/**
 * @template Context
 * @param {object} row
 * @param {string} row.name
 * @param {Record<string, (context: Context) => Promise<object>>} row.parts the measurements, in their order
 * @param {(options: {quick: boolean}) => Promise<Context>} row.prepare gives the context of all parts, and is not measured. `absent`
 *   in the context says by name why a rival is not measured
 * @param {(context: Context) => Promise<void>} row.cleanUp runs also after a failure
 * @param {(measured: Record<string, object>) => {columns: string[], rows: string[][]}} row.table
 */
export async function runRow({ name, parts, prepare, cleanUp, table }) {
  const options = readOptions(name, parts);
  heading(`bench ${name}`);
  const context = await prepare({ quick: options.quick });
  for (const [rival, reason] of Object.entries(context.absent ?? {})) say(`without ${rival}: ${reason}`);
  const load = watchLoad();
  const measuredAt = new Date().toISOString();
  const measured = {};
  try {
    for (const part of options.only === undefined ? Object.keys(parts) : [options.only]) {
      await step(part, async () => {
        measured[part] = await parts[part](context);
      });
    }
  } finally {
    await cleanUp(context);
  }
  const circumstances = { name, measuredAt, quick: options.quick, machine: machine(), load: load() };
  const result = { ...circumstances, measured, table: table(measured) };
  writeResult(result, options);
  say(`\n${plainTable(result.table)}\n`);
  for (const line of describeMachine(result.machine, result.load)) say(line);
}
