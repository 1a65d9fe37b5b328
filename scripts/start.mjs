// npm start: builds what is missing, then runs the demonstration of examples/demo.
import { build } from './build.mjs';
import { run } from './lib/command.mjs';

await build();
// Ctrl-C reaches the demonstration too, which cleans up first.
process.on('SIGINT', () => undefined);
const { code } = await run(process.execPath, ['examples/demo/main.mjs', ...process.argv.slice(2)], { show: true });
process.exit(typeof code === 'number' ? code : 1);
