// A host that loses its terminals without closing them, and lives on: a thread of it that runs commands is terminated, or a
// terminal nobody refers to is collected as garbage. Says when commands run, and when it has lost them.
import { Worker } from 'node:worker_threads';

const [, , way, mark] = process.argv;
const dist = new URL('../../dist/index.js', import.meta.url).href;
const started = new Promise((resolve) => {
  process.stdin.once('data', resolve);
});

if (way === 'thread') {
  const script = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(dist)}).then(({ Terminal }) => {
      const terminal = new Terminal({ allow: ['setsid', 'sleep'] });
      for (let run = 0; run < 3; run += 1) void terminal.run(['setsid', '--wait', 'sleep', ${JSON.stringify(mark)}]);
    });
    setInterval(() => parentPort.postMessage('alive'), 1_000);`;
  const thread = new Worker(script, { eval: true });
  await started;
  await thread.terminate();
} else {
  const { Terminal } = await import(dist);
  const use = async () => {
    await new Terminal({ allow: ['true'] }).run(['true']);
  };
  for (let count = 0; count < 3; count += 1) await use();
  await started;
  globalThis.gc();
}
process.stdout.write('lost\n');
setInterval(() => globalThis.gc?.(), 100);
