// Runs the command line once for each message from its parent, which holds arguments, a directory and an environment, one after
// the other in one process. Answers each with what was written, and with the exit code.
const [main] = process.argv.splice(2);
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

/** In place: native code reads the same variables. */
function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Gathers what is written to a stream from now on. */
function capture(name) {
  const chunks = [];
  process[name].write = (text, taken) => {
    chunks.push(Buffer.from(text));
    taken?.();
    return true;
  };
  return () => Buffer.concat(chunks).toString('utf8');
}

let runs = 0;
async function run({ args, cwd, env }) {
  process.chdir(cwd);
  setEnvironment(env);
  process.argv.splice(1, process.argv.length, main, ...args);
  process.exitCode = undefined;
  const [stdout, stderr] = ['stdout', 'stderr'].map(capture);
  // A module with another address is another module, and runs anew.
  runs += 1;
  await import(`${main}?${runs}`);
  process.send({ code: process.exitCode ?? 0, signal: null, stdout: stdout(), stderr: stderr() });
}

let last = Promise.resolve();
process.on('message', (request) => {
  last = last.then(() => run(request));
});
process.on('disconnect', () => process.exit(0));
