// One line per step with the time it took.
const NAME_WIDTH = 34;

/** Runs `work` and prints `name … time`; what `work` returns, when it is a string, is added as a remark. */
export async function step(name, work) {
  const label = `  ${name.padEnd(NAME_WIDTH)} `;
  // On a terminal the name is there while the step runs; in a log each step is one whole line.
  if (process.stdout.isTTY) process.stdout.write(label);
  const started = performance.now();
  const remark = await work();
  const took = `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`;
  const note = typeof remark === 'string' ? `  ${remark}` : '';
  process.stdout.write(`${process.stdout.isTTY ? '' : label}${took}${note}\n`);
}

export function heading(text) {
  process.stdout.write(`\n== ${text}\n`);
}

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Prints a message for a person, without a stack, and ends the script with 1. */
export function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}
