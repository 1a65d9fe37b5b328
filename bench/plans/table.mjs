// The figures of `bench/results/plans.json` as the table that is published. Only parts that were measured appear.
import { NONE } from './plans.mjs';

const times = (value) => (value === undefined ? '' : `${value.toFixed(value < 10 ? 2 : 0)}x`);
const fine = (value) => value.toFixed(value < 10 ? 2 : 1);

function runRows({ commands }) {
  const names = Object.keys(commands[0].ms);
  const each = (label, figure) => [label, ...commands.map(({ ms }) => figure(ms))];
  const both = ({ p50, p95 }) => `${times(p50)} ${times(p95)}`;
  return [
    each('no plan: p50 ms', (ms) => fine(ms[NONE].median)),
    each('p95 ms', (ms) => fine(ms[NONE].p95)),
    each('p50 and p95 to no plan', () => ''),
    ...names.slice(1).map((name) => each(name, (ms) => both(ms[name].timesNone))),
  ];
}

function startRows({ users }, width) {
  const [first] = users;
  const cells = (name) => users.map(({ ms }) => fine(ms[name].median));
  const row = (label, filled) => [label, ...filled, ...Array.from({ length: width - filled.length }, () => '')];
  const title = users.map(({ uid }) => `as uid ${uid}`);
  const named = Object.keys(first.ms).filter((name) => name !== 'none again');
  return [row('first run, p50 ms', title), ...named.map((name) => row(name, cells(name)))];
}

/** @param {Record<string, object>} measured by the names of the parts */
export function plansTable({ runs, starts }) {
  const names = runs?.commands.map(({ command }) => command) ?? ['', ''];
  return {
    columns: ['', ...names],
    rows: [...(runs ? runRows(runs) : []), ...(starts ? startRows(starts, names.length) : [])],
  };
}
