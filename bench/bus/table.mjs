// The figures of `bench/results/bus.json` as the table that is published. Only parts that were measured appear.
import { NAMES } from './rivals.mjs';

const us = (value) => value.toFixed(value < 100 ? 1 : 0);

function part(label, { us: figures, timesClient }) {
  const row = (name, figure) => [name, ...NAMES.map(figure)];
  return [
    row(`${label}: p50 µs`, (name) => us(figures[name].median)),
    row('p99 µs', (name) => us(figures[name].p99)),
    row('p50 to ioredis', (name) => `${timesClient[name].toFixed(2)}x`),
  ];
}

/** @param {Record<string, object>} measured by the names of the parts */
export function busTable({ publishing, delivering }) {
  const rows = [
    ...(publishing ? part('publish', publishing) : []),
    ...(delivering ? part('publish to handler', delivering) : []),
  ];
  return { columns: ['', ...NAMES], rows };
}
