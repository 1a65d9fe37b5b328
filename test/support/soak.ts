/**
 * How often a soak test repeats. `HANDRAIL_SOAK` is the part of the full count that runs, a number above 0 up to 1.
 * `npm run soak -- ROW` sets it to 1; without it a test runs one hundredth, which is what `npm test` does.
 * The Rust tests read the same variable with the same meaning.
 */
const PART_IN_NPM_TEST = 0.01;

/** A reduced row still runs this long, unless its full count is reached before. */
export const REDUCED_MINIMUM_MS = 2_000;

function readPart(text: string | undefined): number {
  if (text === undefined || text === '') return PART_IN_NPM_TEST;
  const part = Number(text);
  if (!(part > 0 && part <= 1)) throw new Error(`HANDRAIL_SOAK must be above 0 and at most 1, got '${text}'`);
  return part;
}

const part = readPart(process.env['HANDRAIL_SOAK']);

/** How many of `full` repetitions are to be run, at least one. */
export function soakCount(full: number): number {
  return Math.max(1, Math.ceil(full * part));
}

/** Calls `body` until its share of `full` is done and, when reduced, until `REDUCED_MINIMUM_MS` have passed. */
export async function soak(full: number, body: (index: number) => Promise<void> | void): Promise<number> {
  const count = soakCount(full);
  const started = performance.now();
  let done = 0;
  while (done < full && (done < count || performance.now() - started < REDUCED_MINIMUM_MS)) {
    await body(done);
    done += 1;
  }
  return done;
}
