// From samples to the figures that are published.

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
