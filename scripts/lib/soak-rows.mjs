// The soak table: what is repeated, how often at full count, and which tests do it. One row is one line here.

/**
 * @typedef {object} SoakRow
 * @property {string} name
 * @property {string} description
 * @property {string} full what the full count is, in words
 * @property {'vitest' | 'cargo'} runner
 * @property {string[]} args vitest file filters, or arguments of `cargo test --release`
 * @property {number} ci the part of the full count that the `ci` row runs; 0 leaves it out
 */

/** @type {SoakRow[]} */
export const SOAK_ROWS = [];
