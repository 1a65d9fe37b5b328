// A host that runs out of descriptors: what does a call give meanwhile, and afterwards? Prints JSON.
import { closeSync, openSync } from 'node:fs';
import { createToolkit } from '../../dist/index.js';

const toolkit = await createToolkit({ workspace: process.cwd(), terminal: { allow: ['echo'] } });

async function outcome() {
  try {
    const { data, isError } = await toolkit.execute('terminal_run', { command: 'echo hello' });
    return { isError, status: data.status, code: data.failure?.code, message: data.failure?.message };
  } catch (error) {
    return { thrown: error.code };
  }
}

const taken = [];
function takeAll() {
  while (true) {
    try {
      taken.push(openSync('/dev/null'));
    } catch (error) {
      if (error.code === 'EMFILE') return;
      throw error;
    }
  }
}

const outcomes = [await outcome()];
takeAll();
// One more each time: the shortage is met at every step of a start.
for (let left = 0; left < 8; left += 1) {
  outcomes.push(await outcome());
  closeSync(taken.pop());
}
for (const descriptor of taken) closeSync(descriptor);
outcomes.push(await outcome());
process.stdout.write(JSON.stringify(outcomes));
await toolkit.close();
