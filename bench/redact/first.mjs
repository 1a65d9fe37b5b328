// The first redactor of a process: prints the milliseconds that the process computes for it, the library being loaded.
import { Redactor, stripAnsi } from '../../dist/index.js';

stripAnsi('');
const before = process.cpuUsage();
new Redactor();
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1e3));
