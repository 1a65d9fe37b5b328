// npm start: builds what is missing, then runs the demonstration of examples/demo.
import { build } from './build.mjs';
import { must } from './lib/command.mjs';
import { fail } from './lib/steps.mjs';

await build();
try {
  await must(process.execPath, ['examples/demo/main.mjs', ...process.argv.slice(2)], { show: true });
} catch (error) {
  fail(error.message);
}
