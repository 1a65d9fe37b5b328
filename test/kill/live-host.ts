// A host with a session, a service and a run, each with programs that try to outlive it. Says so, and waits to be killed.

import { Launcher } from '../../ts/live/launcher.js';
import { LaunchedServices } from '../../ts/service/service.js';
import { Sessions } from '../../ts/session/sessions.js';
import { Engine } from '../../ts/terminal/engine.js';
import { checkTerminalOptions } from '../../ts/terminal/options.js';
import { Runner } from '../../ts/terminal/runner.js';
import { Terminal } from '../../ts/terminal/terminal.js';

const [, , script = '', guard] = process.argv;
const engine = new Engine(guard === 'off' ? { killing: false, confine: false } : {});
const sandbox = guard === 'off' ? { sandbox: 'off' as const } : {};
const launcher = Launcher.of(new Runner(checkTerminalOptions({ cwd: '/' }), { engine }));
const command = { command: 'bash', args: ['-c', script] };
const session = await new Sessions(launcher).open('bash', { args: ['-c', script] });
const service = await new LaunchedServices(launcher).start({ ...command, onOutput: () => undefined });
const terminal = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'], ...sandbox }, { engine });
void terminal.run(['bash', '-c', script]);
process.stdout.write('started\n');
await Promise.all([session.ended, service.ended]);
