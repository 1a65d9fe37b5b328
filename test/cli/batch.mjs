// Runs the command line once for each list of arguments on standard input, one after the other in one process: for mistakes,
// which start nothing. Prints what each has written and exited with.
import { readFileSync } from 'node:fs';

const [main] = process.argv.splice(2);
const answers = [];
const print = process.stdout.write.bind(process.stdout);
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
for (const [index, args] of JSON.parse(readFileSync(0, 'utf8')).entries()) {
  const answer = { code: null, signal: null, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text, taken) => {
      answer[name] += text;
      taken?.();
      return true;
    };
  }
  process.argv.splice(1, process.argv.length, main, ...args);
  process.exitCode = undefined;
  // A module with another address is another module, and runs anew.
  await import(`${main}?${index}`);
  answer.code = process.exitCode ?? 0;
  answers.push(answer);
}
process.exitCode = 0;
print(JSON.stringify(answers));
