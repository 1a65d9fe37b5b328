/**
 * How often a soak test repeats. `HANDRAIL_SOAK` says how many hundredths of its full count run, a whole number from
 * 1 to 100. `npm run soak -- ROW` sets it to 100; without it a test runs one hundredth, which is what `npm test` does.
 * The Rust tests read the same variable with the same meaning.
 */
const HUNDREDTHS_IN_NPM_TEST = 1;
const ALL_HUNDREDTHS = 100;

/** A reduced soak test runs at least this long, unless it reaches its full count earlier. */
export const REDUCED_MINIMUM_MS = 500;

function readHundredths(text: string | undefined): number {
  if (text === undefined || text === '') return HUNDREDTHS_IN_NPM_TEST;
  const hundredths = Number(text);
  if (Number.isInteger(hundredths) && hundredths >= 1 && hundredths <= ALL_HUNDREDTHS) return hundredths;
  throw new Error(`HANDRAIL_SOAK must be a whole number from 1 to ${ALL_HUNDREDTHS}, got '${text}'`);
}

const hundredths = readHundredths(process.env['HANDRAIL_SOAK']);

/** How many of `full` repetitions are to be run, at least one. */
export function soakCount(full: number): number {
  return Math.max(1, Math.ceil((full * hundredths) / ALL_HUNDREDTHS));
}

/** The size of a test: `full` at full count, otherwise `reduced`. */
export function soakSize(full: number, reduced: number): number {
  return hundredths === ALL_HUNDREDTHS ? full : reduced;
}

/** All entries of a list at full count; otherwise every `step`-th entry and the last one. */
export function soakSample<Entry>(all: readonly Entry[], step = 10): readonly Entry[] {
  const isWhole = hundredths === ALL_HUNDREDTHS;
  return all.filter((_, index) => isWhole || index % step === 0 || index === all.length - 1);
}

/**
 * Calls `body` until its share of `full` is done and, when reduced, until `REDUCED_MINIMUM_MS` have passed.
 *
 * @returns How often it was called.
 */
export async function soak(full: number, body: (index: number) => Promise<void>): Promise<number> {
  const count = soakCount(full);
  const started = performance.now();
  let done = 0;
  while (done < full && (done < count || performance.now() - started < REDUCED_MINIMUM_MS)) {
    await body(done);
    done += 1;
  }
  return done;
}
