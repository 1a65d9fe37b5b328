// Prints the CPU milliseconds that a process needs to create its first redactor, after the library is loaded.
import { Redactor, stripAnsi } from '../../dist/index.js';

stripAnsi('');
const before = process.cpuUsage();
new Redactor();
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1e3));
