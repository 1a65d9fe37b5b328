// Renders the figures of `bench/results/run.json` as the table that is published, without the parts that were not measured.
import { formatWhole } from '../lib/table.mjs';
import { RUNNERS } from './latency.mjs';

/** The floor program calls only `posix_spawn` and `waitpid`; to measure output, it only reads a pipe. */
const COLUMNS = ['', ...RUNNERS.map((name) => (name === 'posix_spawn' ? 'floor' : name))];
const EMPTY_CELL = '';
const formatRatio = (value) => `${value.toFixed(2)}x`;
const twoDecimals = (value) => value.toFixed(2);
/** Tenths only below 100. */
const atMostTenths = (value) => value.toFixed(value < 100 ? 1 : 0);

const medianAndLongest = ({ median, max }) => `${atMostTenths(median)} / ${atMostTenths(max)}`;

function latencyRows({ hosts, largeOverSmall, command }) {
  const row = (label, cell) => [label, ...RUNNERS.map(cell)];
  return [
    ...hosts.flatMap(({ host, ms: runners }) => [
      row(`${command}, ${host} host: p50 ms`, (name) => twoDecimals(runners[name].median)),
      row('p99 ms', (name) => twoDecimals(runners[name].p99)),
      row('p50 to floor', (name) => formatRatio(runners[name].timesFloor)),
    ]),
    row(`p50, ${hosts[1].host} to ${hosts[0].host} host`, (name) => formatRatio(largeOverSmall[name])),
  ];
}

function eventLoopRows({ commands }) {
  return commands.flatMap(({ command, atOnce, handrail, child_process: childProcess }) => {
    const row = (label, figure) => [label, figure(handrail), figure(childProcess), EMPTY_CELL, EMPTY_CELL];
    return [
      row(`${atOnce} x ${command}: loop held, ms`, ({ longestHeldMs }) => medianAndLongest(longestHeldMs)),
      row('with waits for a processor, ms', ({ longestTurnMs }) => medianAndLongest(longestTurnMs)),
      row('loop delay p99 ms', ({ delayP99Ms }) => atMostTenths(delayP99Ms)),
    ];
  });
}

function throughputRows({ bytes, reader, noRules, defaultRules, assignments }) {
  const size = `${bytes / 1e9} GB`;
  const row = (label, figures) => [
    `${size}, ${label}: MB/s`,
    formatWhole(figures.megabytesPerSecond.median),
    EMPTY_CELL,
    EMPTY_CELL,
    formatWhole(reader.megabytesPerSecond.median),
  ];
  const growth = (figures) => [
    'host memory grows by MiB',
    atMostTenths(figures.grownMiB.max),
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
  ];
  const shareOfFloor = (label, figures) => [
    `part of the floor, ${label}`,
    twoDecimals(figures.partOfFloor),
    EMPTY_CELL,
    EMPTY_CELL,
    twoDecimals(1),
  ];
  const assignmentRow = [
    'names of secrets: MB/s',
    formatWhole(assignments.megabytesPerSecond.median),
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
  ];
  return [
    ...[row('no rules', noRules), shareOfFloor('no rules', noRules), growth(noRules)],
    ...[
      row('default rules', defaultRules),
      shareOfFloor('default rules', defaultRules),
      growth(defaultRules),
      assignmentRow,
    ],
  ];
}

/** Counts before and after the runs. The pool keeps a few workers for the next burst, so their number may differ. */
function leakRows({ runs, before, after }) {
  const row = (name) => [
    `${formatWhole(runs)} runs: ${name}`,
    `${before[name]} to ${after[name]}`,
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
  ];
  return Object.keys(before).map(row);
}

function killRows({ escapes }) {
  return escapes.map(({ name, lateMs }) => [
    `late: ${name}, ms`,
    medianAndLongest(lateMs),
    EMPTY_CELL,
    EMPTY_CELL,
    EMPTY_CELL,
  ]);
}

const ROWS_OF_PART = {
  latency: latencyRows,
  'event-loop': eventLoopRows,
  throughput: throughputRows,
  leaks: leakRows,
  'kill-lateness': killRows,
};

/** @param {Record<string, object>} measured figures by the names of the parts */
export function runTable(measured) {
  const rows = Object.entries(ROWS_OF_PART).flatMap(([name, render]) => (measured[name] ? render(measured[name]) : []));
  return { columns: COLUMNS, rows };
}
