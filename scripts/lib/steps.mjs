// One line per step with the time it took.
const NAME_WIDTH = 34;
/** Back to the start of a line that has no end yet, and nothing on it. */
const CLEAR = '\r\u001b[K';

/** Runs `work` and prints `name … time`; what `work` returns, when it is a string, is added as a remark. */
export async function step(name, work) {
  const label = `  ${name.padEnd(NAME_WIDTH)} `;
  // On a terminal the name of what began last is there while it runs; in a log each step is one whole line.
  const clear = process.stdout.isTTY ? CLEAR : '';
  if (process.stdout.isTTY) process.stdout.write(clear + label);
  const started = performance.now();
  const remark = await work();
  const took = `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`;
  const note = typeof remark === 'string' ? `  ${remark}` : '';
  process.stdout.write(`${clear}${label}${took}${note}\n`);
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
