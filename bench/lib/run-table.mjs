// The figures of `bench/results/run.json` as the table that is published. Only rows that were measured appear.
import { RIVALS } from '../run/latency.mjs';

/** The floor is `posix_spawn` with `waitpid` alone or, for output, a loop that only reads. */
const COLUMNS = ['', ...RIVALS.map((name) => (name === 'posix_spawn' ? 'floor' : name))];
const NONE = '';
const times = (value) => `${value.toFixed(2)}x`;
const fine = (value) => value.toFixed(2);
/** Of what is long, tenths say nothing. */
const rough = (value) => value.toFixed(value < 100 ? 1 : 0);
const whole = (value) => value.toLocaleString('en-US');

const medianAndLongest = ({ median, max }) => `${rough(median)} / ${rough(max)}`;

function latencyRows({ hosts, largeOverSmall, command }) {
  const each = (label, figure) => [label, ...RIVALS.map(figure)];
  return [
    ...hosts.flatMap(({ host, ms: rivals }) => [
      each(`${command}, ${host} host: p50 ms`, (name) => fine(rivals[name].median)),
      each('p99 ms', (name) => fine(rivals[name].p99)),
      each('p50 to floor', (name) => times(rivals[name].timesFloor)),
    ]),
    each(`p50, ${hosts[1].host} to ${hosts[0].host} host`, (name) => times(largeOverSmall[name])),
  ];
}

function eventLoopRows({ commands }) {
  return commands.flatMap(({ command, atOnce, handrail, child_process: rival }) => {
    const both = (label, figure) => [label, figure(handrail), figure(rival), NONE, NONE];
    return [
      both(`${atOnce} x ${command}: loop held, ms`, ({ longestHeldMs }) => medianAndLongest(longestHeldMs)),
      both('with waits for a processor, ms', ({ longestTurnMs }) => medianAndLongest(longestTurnMs)),
      both('loop delay p99 ms', ({ delayP99Ms }) => rough(delayP99Ms)),
    ];
  });
}

function throughputRows({ bytes, reader, noRules, defaultRules, assignments }) {
  const size = `${bytes / 1e9} GB`;
  const row = (label, figures) => [
    `${size}, ${label}: MB/s`,
    whole(figures.megabytesPerSecond.median),
    NONE,
    NONE,
    whole(reader.megabytesPerSecond.median),
  ];
  const growth = (figures) => ['host memory grows by MiB', rough(figures.grownMiB.max), NONE, NONE, NONE];
  const part = (label, figures) => [`part of the floor, ${label}`, fine(figures.partOfFloor), NONE, NONE, fine(1)];
  const slow = ['names of secrets: MB/s', whole(assignments.megabytesPerSecond.median), NONE, NONE, NONE];
  return [
    ...[row('no rules', noRules), part('no rules', noRules), growth(noRules)],
    ...[row('default rules', defaultRules), part('default rules', defaultRules), growth(defaultRules), slow],
  ];
}

/** Before and after; a pool keeps a few workers ready for the next burst. */
function leakRows({ runs, before, after }) {
  const row = (name) => [`${whole(runs)} runs: ${name}`, `${before[name]} to ${after[name]}`, NONE, NONE, NONE];
  return Object.keys(before).map(row);
}

function killRows({ escapes }) {
  return escapes.map(({ name, lateMs }) => [`late: ${name}, ms`, medianAndLongest(lateMs), NONE, NONE, NONE]);
}

const PARTS = {
  latency: latencyRows,
  'event-loop': eventLoopRows,
  throughput: throughputRows,
  leaks: leakRows,
  'kill-lateness': killRows,
};

/** @param {Record<string, object>} measured by the names of the parts */
export function runTable(measured) {
  const rows = Object.entries(PARTS).flatMap(([name, render]) => (measured[name] ? render(measured[name]) : []));
  return { columns: COLUMNS, rows };
}
