// npm run bench -- wasm [--quick] [--only PART] [--output FILE]: the speed of the WASM module beside the native binding and
// rivals in JavaScript, the size of the module, and the time until it is ready.
import { hasChromium } from '../scripts/lib/chromium.mjs';
import { installHosts } from '../scripts/lib/hosts.mjs';
import { step } from '../scripts/lib/steps.mjs';
import { runRow } from './lib/row.mjs';
import { installRivals, loadRivals } from './redact/rivals.mjs';
import { speed } from './wasm/speed.mjs';
import { size, start } from './wasm/start.mjs';
import { wasmTable } from './wasm/table.mjs';

async function prepare({ quick }) {
  await step('rivals (npm)', installRivals);
  await step('hosts (npm)', installHosts);
  const wasm = await import('../dist/wasm/node.js');
  await wasm.ready();
  const { rivals, absent } = await loadRivals();
  return { quick, wasm, rivals, absent: hasChromium() ? absent : { ...absent, Chromium: 'it is not installed' } };
}

await runRow({
  name: 'wasm',
  parts: { size: async () => size(), start, speed },
  prepare,
  cleanUp: async () => undefined,
  table: wasmTable,
});
