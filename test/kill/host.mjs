// A host that starts 20 commands that try to outlive it, says so, and waits to be killed.
import { Terminal } from '../../dist/index.js';

const terminal = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'] });
for (const script of JSON.parse(process.argv[2])) void terminal.run(['bash', '-c', script]);
const first = await terminal.run(['bash', '-c', 'dirname "$(dirname "$HOME")"']);
process.stdout.write(`${first.stdout.trim()}\n`);
