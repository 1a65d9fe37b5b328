// Turns samples into the figures that are published.

/** The value below which `share` of the samples lie, by nearest rank. */
export function quantile(samples, share) {
  if (samples.length === 0) throw new Error('no samples');
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

export const median = (samples) => quantile(samples, 0.5);

/** Count, smallest, median, p99 and largest, rounded to `digits`. */
export function summary(samples, digits = 3) {
  const figure = (share) => rounded(quantile(samples, share), digits);
  return { count: samples.length, min: figure(0), median: figure(0.5), p99: figure(0.99), max: figure(1) };
}

export function rounded(value, digits) {
  return Number(value.toFixed(digits));
}

/** The same keys, each with `change(value, key)`. */
export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/** Megabytes (10^6 bytes) per second. */
export const megabytesPerSecond = (bytes, ms) => bytes / 1e3 / ms;
