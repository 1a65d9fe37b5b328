// npm start: builds what is missing, then runs the demonstration of examples/demo; last, `handrail demo` beside execa, which
// stays on the screen.
import { build } from './build.mjs';
import { run } from './lib/command.mjs';

// It needs no browser: the WASM module would take half of the time.
await build({ wasm: false });
// Ctrl-C reaches what runs too, which cleans up first.
process.on('SIGINT', () => undefined);
for (const program of [
  ['examples/demo/main.mjs', ...process.argv.slice(2)],
  ['dist/cli/main.js', 'demo', '--beside', 'execa'],
]) {
  const { code } = await run(process.execPath, program, { show: true });
  if (code !== 0) process.exit(typeof code === 'number' ? code : 1);
}
