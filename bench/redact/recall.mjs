// What is found of what was planted, and what is changed that nobody has to hide.
import { Redactor, sanitize } from '../../dist/index.js';
import { rounded } from '../lib/statistics.mjs';
import { recallBy, recallOf } from './answer.mjs';
import { recordBuildLogs } from './generator/build-logs.mjs';
import { sampleHarmless } from './generator/harmless.mjs';
import { linePieces } from './pieces.mjs';
import { recallText } from './texts.mjs';

const BYTES = { full: 4_000_000, quick: 200_000 };
const SECRETS_PER_MEGABYTE = 500;
const LINES = { full: 10_000, quick: 500 };
const PIECE_BYTES = 64 << 10;
/** Where a terminal broke a secret over its rows: nobody here puts it together, a session's screen does. */
const BROKEN = 'wrapped';
/** Changed places that the result names, to be looked at. */
const MAX_NAMED = 50;

const roundedAll = (shares) =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, rounded(share, 3)]));

/** What is found of the truths, without those that are broken over rows; and of each context. */
function shares(truths, missed) {
  const isWhole = ({ context }) => context !== BROKEN;
  const [whole, missedOfWhole] = [truths.filter(isWhole), missed.filter(isWhole)];
  return {
    recall: rounded(1 - missedOfWhole.length / whole.length, 3),
    byContext: roundedAll(recallBy('context', truths, missed)),
    unnamed: rounded(recallBy('named', whole, missedOfWhole).false, 3),
    broken: rounded(recallBy('context', truths, missed)[BROKEN], 3),
  };
}

async function spansOf(tool, text) {
  const spans = [];
  let start = 0;
  for (const piece of linePieces(text, PIECE_BYTES)) {
    for (const [from, to] of await tool.spans(piece.toString('latin1'))) spans.push([start + from, start + to]);
    start += piece.length;
  }
  return spans;
}

/** Lines of the runs with a span in them, as `file:line`. */
async function changedLines(tool, runs) {
  const changed = [];
  for (const { file, firstLine, text } of runs) {
    const lines = new Set();
    for (const [start] of await tool.spans(text)) lines.add(text.slice(0, start).split('\n').length - 1);
    for (const line of lines) changed.push(`${file}:${firstLine + line}`);
  }
  return changed;
}

/** How many lines are from where. */
function linesByOrigin(runs) {
  const counts = {};
  for (const { origin, text } of runs) counts[origin] = (counts[origin] ?? 0) + text.split('\n').length - 1;
  return counts;
}

function handrail() {
  const redactor = new Redactor();
  return { name: 'handrail', spans: (text) => redactor.scan(text).map(({ start, end }) => [start, end]) };
}

/**
 * Truths that show in a text as a terminal's user gets it: escapes resolved, then masked. Its places are not those of the
 * raw text, so a secret counts as shown when the longest of its parts is there.
 */
function missedBehindEscapes(text, truths) {
  const redactor = new Redactor();
  const missed = [];
  let start = 0;
  for (const piece of linePieces(text, PIECE_BYTES)) {
    const end = start + piece.length;
    const shown = redactor.redact(sanitize(piece));
    for (const truth of truths.filter(({ ranges }) => ranges[0][0] >= start && ranges[0][0] < end)) {
      const parts = truth.ranges.map(([from, to]) => text.toString('latin1', from, to));
      const longest = parts.reduce((a, b) => (b.length > a.length ? b : a));
      if (shown.includes(longest)) missed.push(truth);
    }
    start = end;
  }
  return missed;
}

/** @param {{quick: boolean, rivals: import('./rivals.mjs').Rival[]}} context */
export async function recall({ quick, rivals }) {
  const { text, truths } = recallText(quick ? BYTES.quick : BYTES.full, SECRETS_PER_MEGABYTE);
  if (!quick) recordBuildLogs();
  const runs = sampleHarmless({ seed: 1, count: quick ? LINES.quick : LINES.full });
  const harmlessByOrigin = linesByOrigin(runs);
  const lines = Object.values(harmlessByOrigin).reduce((sum, count) => sum + count, 0);
  const tools = {};
  for (const tool of [handrail(), ...rivals]) {
    const { missed } = recallOf(await spansOf(tool, text), truths);
    const changed = await changedLines(tool, runs);
    tools[tool.name] = {
      ...shares(truths, missed),
      changedLines: changed.length,
      changed: changed.slice(0, MAX_NAMED),
    };
  }
  const missed = missedBehindEscapes(text, truths);
  const behindEscapes = shares(truths, missed);
  return { behindEscapes, secrets: truths.length, bytes: text.length, harmlessLines: lines, harmlessByOrigin, tools };
}
