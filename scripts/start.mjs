// npm start: builds Handrail when that is necessary, runs examples/demo, and then `handrail demo --beside execa`.
import { build } from './build.mjs';
import { run } from './lib/command.mjs';

// The demonstrations do not need the WASM module, which would take half of the build time.
await build({ wasm: false });
// Ctrl-C also reaches the running demonstration, which cleans up before it ends.
process.on('SIGINT', () => undefined);
for (const program of [
  ['examples/demo/main.mjs', ...process.argv.slice(2)],
  ['dist/cli/main.js', 'demo', '--beside', 'execa'],
]) {
  const { code } = await run(process.execPath, program, { show: true });
  if (code !== 0) process.exit(typeof code === 'number' ? code : 1);
}
