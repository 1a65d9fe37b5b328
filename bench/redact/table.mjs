// The figures of `bench/results/redact.json` as the table that is published. Only rows that were measured appear.
const COLUMNS = ['', 'log', 'source', 'recall', 'changed'];
const NONE = '';
const whole = (value) => Math.round(value).toLocaleString('en-US');
const rate = (value) => (value < 10 ? value.toFixed(1) : whole(value));

/** Rows of the redactor's own: their recall is that of all of them. */
const OUR_ROW = 'Buffer to Buffer';

function speedRows({ log, source, ratios, absent = {} }, recall) {
  const quality = (name) => {
    const tool = recall?.tools[name === OUR_ROW ? 'handrail' : name];
    return tool === undefined ? [NONE, NONE] : [tool.recall.toFixed(3), whole(tool.changedLines)];
  };
  const rows = Object.keys(log).map((name) => [
    `${name}, MB/s`,
    rate(log[name].megabytesPerSecond.median),
    rate(source[name].megabytesPerSecond.median),
    ...quality(name),
  ]);
  const ratio = (label, name) =>
    name in ratios.log ? [[label, `${ratios.log[name]}x`, `${ratios.source[name]}x`, NONE, NONE]] : [];
  return [
    ...rows,
    ...Object.keys(absent).map((name) => [name, 'absent', 'absent', NONE, NONE]),
    ...ratio('Buffer to Buffer, to Rust', 'bufferToRust'),
    ...ratio('stream, to Rust', 'streamToRust'),
    ...ratio('ASCII string, to Rust', 'stringToRust'),
    ...ratio('string with one emoji, to Rust', 'wideStringToRust'),
    ...ratio('Rust, stream, to rg -c', 'rustToRipgrep'),
    ...ratio('Buffer to Buffer, to @secretlint/core', 'timesSecretlint'),
  ];
}

const one = (label, value) => [label, value, NONE, NONE, NONE];

function terminalRows({ megabytesPerSecond, toReader, threadToRust }) {
  return [
    one('1 GB through Terminal.run, MB/s', rate(megabytesPerSecond.terminal.median)),
    one('to a loop that only reads', `${toReader}x`),
    one('its redacting thread, to Rust, stream', `${threadToRust}x`),
  ];
}

function recallRows({ secrets, harmlessLines, behindEscapes, tools: { handrail } }) {
  return [
    one('secrets planted; lines that stay', `${whole(secrets)}; ${whole(harmlessLines)}`),
    one('recall, escapes resolved before', behindEscapes.recall.toFixed(3)),
    one('recall, formats nobody publishes', handrail.unnamed.toFixed(3)),
    one('recall, broken over rows of a terminal', handrail.broken.toFixed(3)),
  ];
}

function rulesRows({ megabytesPerSecond, timeOf1000To100, buildMs }) {
  const counts = Object.keys(megabytesPerSecond);
  return [
    ...counts.map((count) => one(`${whole(count)} rules of the user, MB/s`, rate(megabytesPerSecond[count].median))),
    one('time, 1,000 rules to 100', `${timeOf1000To100}x`),
    one('new Redactor(), ms', buildMs[0].median.toFixed(1)),
    one('the first in a process, ms', buildMs.first.median.toFixed(1)),
    one('with 1,000 rules of the user, ms', buildMs[1000].median.toFixed(1)),
  ];
}

function hostileRows({ cases }) {
  const slowest = cases.reduce((a, b) => (a.megabytesPerSecond < b.megabytesPerSecond ? a : b));
  const steepest = cases.reduce((a, b) => (a.timeOfTwice > b.timeOfTwice ? a : b));
  return [
    one(`hostile input, slowest (${slowest.name}), MB/s`, rate(slowest.megabytesPerSecond)),
    one(`twice of it, most time (${steepest.name})`, `${steepest.timeOfTwice}x`),
  ];
}

/** @param {Record<string, object>} measured by the names of the parts */
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
