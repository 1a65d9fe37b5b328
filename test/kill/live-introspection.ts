// Runs as a host of its own, perhaps as another user: what can a session's program read of this process through /proc, and
// can it signal it? Prints a JSON list of what it could; cmdline alone is what is wanted.

import { Launcher } from '../../ts/live/launcher.js';
import { Sessions } from '../../ts/session/sessions.js';
import { Engine } from '../../ts/terminal/engine.js';
import { checkTerminalOptions } from '../../ts/terminal/options.js';
import { Runner } from '../../ts/terminal/runner.js';

const engine = new Engine(process.argv[2] === 'off' ? { confine: false } : {});
const launcher = Launcher.of(new Runner(checkTerminalOptions({ cwd: '/' }), { engine }));
const KINDS = new Set(['environ', 'maps', 'root', 'cwd', 'exe', 'fd', 'mem', 'signal', 'worker', 'cmdline']);
const { pid } = process;
const script = `for f in environ maps; do v=$(tr -d '\\0' 2>/dev/null <"/proc/${pid}/$f") && [ -n "$v" ] && echo $f; done
  for f in root cwd exe; do readlink "/proc/${pid}/$f" >/dev/null 2>&1 && echo $f; done
  for f in /proc/${pid}/fd/*; do readlink "$f" >/dev/null 2>&1 && echo fd; done
  (exec 3<"/proc/${pid}/mem") 2>/dev/null && echo mem
  kill -0 ${pid} 2>/dev/null && echo signal
  kill -0 $PPID 2>/dev/null && echo worker
  tr -d '\\0' <"/proc/${pid}/cmdline" | grep -q . && echo cmdline`;
const session = await new Sessions(launcher).open('bash', { args: ['-c', script] });
// Not what it wrote until it was quiet, but all of it.
const release = engine.keepAlive();
await session.ended;
release();
const { text } = await session.read();
await engine.close();
process.stdout.write(JSON.stringify([...new Set(text.trim().split('\n'))].filter((line) => KINDS.has(line)).sort()));
