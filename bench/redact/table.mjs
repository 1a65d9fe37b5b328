// Renders the figures of `bench/results/redact.json` as the table that is published, without the parts that were not measured.
import { formatSpeed, formatWhole } from '../lib/table.mjs';

const COLUMNS = ['', 'log', 'source', 'recall', 'changed'];
const EMPTY_CELL = '';

/** The row of Handrail that shows its recall, which is the same for all its rows. */
const RECALL_ROW = 'Buffer to Buffer';

function speedRows({ log, source, ratios, absent = {} }, recall) {
  const quality = (name) => {
    const tool = recall?.tools[name === RECALL_ROW ? 'handrail' : name];
    return tool === undefined ? [EMPTY_CELL, EMPTY_CELL] : [tool.recall.toFixed(3), formatWhole(tool.changedLines)];
  };
  const rows = Object.keys(log).map((name) => [
    `${name}, MB/s`,
    formatSpeed(log[name].megabytesPerSecond.median),
    formatSpeed(source[name].megabytesPerSecond.median),
    ...quality(name),
  ]);
  const ratio = (label, name) =>
    name in ratios.log ? [[label, `${ratios.log[name]}x`, `${ratios.source[name]}x`, EMPTY_CELL, EMPTY_CELL]] : [];
  return [
    ...rows,
    ...Object.keys(absent).map((name) => [name, 'absent', 'absent', EMPTY_CELL, EMPTY_CELL]),
    ...ratio('Buffer to Buffer, to Rust', 'bufferToRust'),
    ...ratio('stream, to Rust', 'streamToRust'),
    ...ratio('ASCII string, to Rust', 'stringToRust'),
    ...ratio('string with one emoji, to Rust', 'wideStringToRust'),
    ...ratio('Rust, stream, to rg -c', 'rustToRipgrep'),
    ...ratio('Buffer to Buffer, to @secretlint/core', 'timesSecretlint'),
  ];
}

const singleValueRow = (label, value) => [label, value, EMPTY_CELL, EMPTY_CELL, EMPTY_CELL];

function terminalRows({ megabytesPerSecond, toReader, threadToRust }) {
  return [
    singleValueRow('1 GB through Terminal.run, MB/s', formatSpeed(megabytesPerSecond.terminal.median)),
    singleValueRow('to a loop that only reads', `${toReader}x`),
    singleValueRow('its redacting thread, to Rust, stream', `${threadToRust}x`),
  ];
}

function recallRows({ secrets, harmlessLines, behindEscapes, tools: { handrail } }) {
  return [
    singleValueRow('secrets planted; lines that stay', `${formatWhole(secrets)}; ${formatWhole(harmlessLines)}`),
    singleValueRow('recall, escapes resolved before', behindEscapes.recall.toFixed(3)),
    singleValueRow('recall, formats nobody publishes', handrail.unnamed.toFixed(3)),
    singleValueRow('recall, broken over rows of a terminal', handrail.broken.toFixed(3)),
  ];
}

function rulesRows({ megabytesPerSecond, timeOf1000To100, buildMs }) {
  const counts = Object.keys(megabytesPerSecond);
  return [
    ...counts.map((count) =>
      singleValueRow(`${formatWhole(count)} rules of the user, MB/s`, formatSpeed(megabytesPerSecond[count].median)),
    ),
    singleValueRow('time, 1,000 rules to 100', `${timeOf1000To100}x`),
    singleValueRow('new Redactor(), ms', buildMs[0].median.toFixed(1)),
    singleValueRow('the first in a process, ms', buildMs.first.median.toFixed(1)),
    singleValueRow('with 1,000 rules of the user, ms', buildMs[1000].median.toFixed(1)),
  ];
}

function hostileRows({ cases }) {
  const slowest = cases.reduce((a, b) => (a.megabytesPerSecond < b.megabytesPerSecond ? a : b));
  const steepest = cases.reduce((a, b) => (a.timeOfTwice > b.timeOfTwice ? a : b));
  return [
    singleValueRow(`hostile input, slowest (${slowest.name}), MB/s`, formatSpeed(slowest.megabytesPerSecond)),
    singleValueRow(`twice of it, most time (${steepest.name})`, `${steepest.timeOfTwice}x`),
  ];
}

/** @param {Record<string, object>} measured figures by the names of the parts */
export function redactTable({ speed, terminal, recall, rules, hostile }) {
  return {
    columns: COLUMNS,
    rows: [
      ...(speed ? speedRows(speed, recall) : []),
      ...(terminal ? terminalRows(terminal) : []),
      ...(recall ? recallRows(recall) : []),
      ...(rules ? rulesRows(rules) : []),
      ...(hostile ? hostileRows(hostile) : []),
    ],
  };
}
