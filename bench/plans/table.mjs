// Renders the figures of `bench/results/plans.json` as the table that is published, without the parts that were not measured.
import { NO_PLAN } from './plans.mjs';

const formatRatio = (value) => (value === undefined ? '' : `${value.toFixed(value < 10 ? 2 : 0)}x`);
const formatMs = (value) => value.toFixed(value < 10 ? 2 : 1);

function runRows({ commands }) {
  const names = Object.keys(commands[0].ms);
  const row = (label, cell) => [label, ...commands.map(({ ms }) => cell(ms))];
  const bothRatios = ({ p50, p95 }) => `${formatRatio(p50)} ${formatRatio(p95)}`;
  return [
    row('no plan: p50 ms', (ms) => formatMs(ms[NO_PLAN].median)),
    row('p95 ms', (ms) => formatMs(ms[NO_PLAN].p95)),
    row('p50 and p95 to no plan', () => ''),
    ...names.slice(1).map((name) => row(name, (ms) => bothRatios(ms[name].timesNone))),
  ];
}

function startRows({ users }, width) {
  const [first] = users;
  const cells = (name) => users.map(({ ms }) => formatMs(ms[name].median));
  const row = (label, filledCells) => [
    label,
    ...filledCells,
    ...Array.from({ length: width - filledCells.length }, () => ''),
  ];
  const title = users.map(({ uid }) => `as uid ${uid}`);
  const plans = Object.keys(first.ms).filter((name) => name !== 'none again');
  return [row('first run, p50 ms', title), ...plans.map((name) => row(name, cells(name)))];
}

function connectionRows({ connections }, width) {
  const row = (label, cells) => [label, ...cells, ...Array.from({ length: width - cells.length }, () => '')];
  return [
    row('connection, to direct', ['p50 ms', 'MB/s']),
    ...Object.entries(connections).map(([name, { ms, timesDirect, megabytes, ofDirect }]) =>
      row(name, [
        `${formatMs(ms.median)} ${formatRatio(timesDirect)}`,
        `${megabytes.toFixed(0)} ${formatRatio(ofDirect)}`,
      ]),
    ),
  ];
}

/** @param {Record<string, object>} measured figures by the names of the parts */
export function plansTable({ runs, starts, connections }) {
  const names = runs?.commands.map(({ command }) => command) ?? ['', ''];
  return {
    columns: ['', ...names],
    rows: [
      ...(runs ? runRows(runs) : []),
      ...(starts ? startRows(starts, names.length) : []),
      ...(connections ? connectionRows(connections, names.length) : []),
    ],
  };
}
