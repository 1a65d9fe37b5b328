// The figures of `bench/results/files.json` as the table that is published. Only parts that were measured appear.
const NAMES = ['handrail', 'fs/promises', 'realpath first', 'fdatasync'];
const us = (value) => value.toFixed(value < 100 ? 1 : 0);

function part(label, { us: figures, timesBare }) {
  const row = (name, figure) => [name, ...NAMES.map((rival) => (Object.hasOwn(figures, rival) ? figure(rival) : ''))];
  return [
    row(`${label}: p50 µs`, (name) => us(figures[name].median)),
    row('p99 µs', (name) => us(figures[name].p99)),
    row('p50 to bare', (name) => `${timesBare[name].toFixed(2)}x`),
  ];
}

/** @param {Record<string, object>} measured by the names of the parts */
export function filesTable({ reads, edits, syncedEdits, explaining }) {
  const rows = [
    ...(reads ? part('read 4 kB', reads) : []),
    ...(edits ? part('edit of 4 kB', edits) : []),
    ...(syncedEdits ? part('synced edit of 4 kB', syncedEdits) : []),
    ...(explaining
      ? [
          [`explain, ${explaining.commands} commands: p50 µs`, us(explaining.us.median), '', '', ''],
          ['p99 µs', us(explaining.us.p99), '', '', ''],
        ]
      : []),
  ];
  return { columns: ['', ...NAMES], rows };
}
