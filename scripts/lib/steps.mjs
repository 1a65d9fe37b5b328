// Prints the progress of a script: one line per step with its duration.
const NAME_WIDTH = 34;
/** Moves the cursor to the start of the line and clears the line. */
const CLEAR_LINE = '\r\u001b[K';

/** Runs `work` and prints `name … time`. A string that `work` returns is added as a remark. */
export async function step(name, work) {
  const label = `  ${name.padEnd(NAME_WIDTH)} `;
  // A terminal shows the name of a step while the step runs; a log gets one complete line per step.
  const clear = process.stdout.isTTY ? CLEAR_LINE : '';
  if (process.stdout.isTTY) process.stdout.write(clear + label);
  const started = performance.now();
  const remark = await work();
  const duration = `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`;
  const note = typeof remark === 'string' ? `  ${remark}` : '';
  process.stdout.write(`${clear}${label}${duration}${note}\n`);
}

export function heading(text) {
  process.stdout.write(`\n== ${text}\n`);
}

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Prints a message without a stack trace, and ends the script with exit code 1. */
export function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}
