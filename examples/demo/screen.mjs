// Prints the demonstration in 80 columns, with colours only on a terminal.
const WIDTH = 80;
const LABEL_WIDTH = 10;
const INDENT = 4;
const SHOWN_LINES = 6;

const numbers = new Intl.NumberFormat('en-US');
const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const style = { bold: paint(1), dim: paint(2), good: paint(32), bad: paint(31), warn: paint(33) };

const PAINT_BY_STATUS = {
  exited: style.good,
  done: style.good,
  sent: style.good,
  marker: style.good,
  quiet: style.good,
  denied: style.bad,
  refused: style.bad,
};

function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/** Breaks at words; a word longer than a line is cut. */
function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => (line.length > width ? `${line.slice(0, width - 3)}...` : line));
}

function field(label, lines) {
  for (const [index, line] of lines.entries()) {
    print(`${' '.repeat(INDENT)}${style.dim((index === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`);
  }
}

/** The first and last lines of the text that the model received, and its line about omitted output. */
function excerpt(text) {
  const lines = text.split('\n');
  const half = SHOWN_LINES / 2;
  const notice = lines.find((line) => line.includes('omitted'));
  const hidden = lines.length - SHOWN_LINES;
  const middle = notice ? ['(...)', notice, '(...)'] : [`(${numbers.format(hidden)} more lines)`];
  const shown = hidden > 1 ? [...lines.slice(0, half), ...middle, ...lines.slice(-half)] : lines;
  const width = WIDTH - INDENT - LABEL_WIDTH - 2;
  return shown.map((line) => `| ${line.length > width ? `${line.slice(0, width - 3)}...` : line}`);
}

function formatBytes(bytes) {
  return `${numbers.format(bytes)} bytes`;
}

/** The number of bytes that a command wrote, or the size of the file. */
function bytesOf({ detail }) {
  return detail.kind === 'command' ? detail.bytes.stdout + detail.bytes.stderr : (detail.bytes ?? 0);
}

/** The requested call as in the audit record: redacted. */
function describeCall({ tool, detail }) {
  switch (detail.kind) {
    case 'command':
      return detail.command;
    case 'file':
      return `${tool} ${detail.path}`;
    case 'session':
      return `${tool} ${detail.input ?? ''}`;
    case 'message':
      return `${tool} ${detail.recipient}`;
    default:
      return tool;
  }
}

/** The statuses of successful calls of all kinds. */
const SUCCESS_STATUSES = new Set(['exited', 'done', 'sent', 'marker', 'quiet']);

function outcome({ detail: { status }, isError }) {
  if (status === 'denied' || status === 'refused') return '';
  if (!isError && SUCCESS_STATUSES.has(status)) return ', done';
  if (status !== 'exited' && status !== 'done') return `, ${status.replaceAll('_', ' ')}`;
  return isError ? ', failed' : ', done';
}

function decisionLine(record) {
  const verdict = record.decision === 'allow' ? 'allowed' : 'denied';
  // A failed edit is not a policy decision, so it shows no rule.
  if (record.detail.kind === 'file' && record.isError) return style.warn(`${verdict}${outcome(record)}`);
  const why = record.rules.length > 0 ? ` by ${record.rules.join(', ')}` : '';
  return (PAINT_BY_STATUS[record.detail.status] ?? style.warn)(`${verdict}${why}${outcome(record)}`);
}

export function showTitle({ label, allow, features }) {
  const enforced = features.filter(({ level }) => level === 'enforced').map(({ feature }) => feature);
  print();
  print(style.bold('Handrail: an agent at work with guarded hands'));
  print(style.dim('-'.repeat(WIDTH)));
  field('model', [label === 'scripted' ? 'scripted (with OPENAI_API_KEY set, a real one)' : label]);
  field('workspace', ['a temporary git repository']);
  field('allowed', wrap(allow.join(' '), WIDTH - INDENT - LABEL_WIDTH));
  field('kernel', wrap(`enforces ${enforced.join(', ') || 'nothing'}`, WIDTH - INDENT - LABEL_WIDTH));
}

/**
 * Prints one call: the request, the decision with its rules, the text that the model received, and the cost. For a command that was
 * ended by force it also prints how many of its processes are left, counted in /proc.
 */
export function showStep(number, record, received, processesLeft) {
  const { status } = record.detail;
  print();
  print(`${style.bold(String(number).padStart(2))}  ${style.bold(describeCall(record))}`);
  field('decided', [decisionLine(record)]);
  field('received', excerpt(received));
  if (record.detail.kind === 'command' && !['exited', 'denied'].includes(status)) {
    field('left', [`${processesLeft} processes (looked up in /proc)`]);
  }
  const written = bytesOf(record);
  const sent = `${numbers.format(record.contentChars)} characters`;
  field('cost', [style.dim(`${record.durationMs.toFixed(1)} ms, ${formatBytes(written)} -> ${sent}`)]);
}

export function showAnswer(text) {
  print();
  print(style.bold('    The agent says'));
  for (const line of wrap(text, WIDTH - INDENT)) print(`${' '.repeat(INDENT)}${line}`);
}

export function showSummary(records, processesLeft) {
  const sum = (pick) => records.reduce((total, record) => total + pick(record), 0);
  const denied = records.filter(({ decision }) => decision === 'deny').length;
  const written = sum(bytesOf);
  const sent = sum(({ contentChars }) => contentChars);
  const rows = [
    ['calls', `${records.length}, of which ${denied} denied`],
    ['secrets masked', numbers.format(sum(({ redactions }) => redactions))],
    ['processes left', processesLeft === 0 ? style.good('0') : style.bad(String(processesLeft))],
    ['bytes in', numbers.format(written)],
    ['to the model', `${numbers.format(sent)} characters`],
    ['time in tools', `${(sum(({ durationMs }) => durationMs) / 1_000).toFixed(2)} s`],
  ];
  print();
  print(style.dim('-'.repeat(WIDTH)));
  for (const [label, value] of rows) print(`    ${label.padEnd(16)}${value}`);
  print();
}

export function showInterrupted() {
  print();
  print('    interrupted; the workspace is removed');
}
