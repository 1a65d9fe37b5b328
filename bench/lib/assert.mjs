// Checks of measured runs: a runner that gives a wrong result is not a fast one.

/** Throws when a measured run gave another result than `expected`. */
export function assertEqual(subject, expected, actual) {
  if (!Object.is(expected, actual)) throw new Error(`${subject}: expected ${expected}, got ${actual}`);
}
