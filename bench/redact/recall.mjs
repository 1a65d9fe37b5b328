// Measures recall (the share of planted secrets that are found) and false positives (harmless lines that are changed).
import { Redactor, sanitize } from '../../dist/index.js';
import { rounded } from '../lib/statistics.mjs';
import { lineChunks } from './chunks.mjs';
import { recordBuildLogs } from './generator/build-logs.mjs';
import { sampleHarmless } from './generator/harmless.mjs';
import { recallBy, recallOf } from './scoring.mjs';
import { recallText } from './texts.mjs';

const BYTES = { full: 4_000_000, quick: 200_000 };
const SECRETS_PER_MEGABYTE = 500;
const HARMLESS_LINES = { full: 10_000, quick: 500 };
const CHUNK_BYTES = 64 << 10;
/** The context in which a terminal has wrapped a secret. Recall without it is given, too: only a session's screen joins the rows. */
const WRAPPED_CONTEXT = 'wrapped';
/** The most changed lines that the result lists for inspection. */
const MAX_LISTED_LINES = 50;

const roundedAll = (shares) =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, rounded(share, 3)]));

/** Recall of the secrets that are not wrapped, and recall by context. */
function recallFigures(plantedSecrets, missed) {
  const isUnwrapped = ({ context }) => context !== WRAPPED_CONTEXT;
  const [unwrapped, missedUnwrapped] = [plantedSecrets.filter(isUnwrapped), missed.filter(isUnwrapped)];
  return {
    recall: rounded(1 - missedUnwrapped.length / unwrapped.length, 3),
    byContext: roundedAll(recallBy('context', plantedSecrets, missed)),
    unnamed: rounded(recallBy('named', unwrapped, missedUnwrapped).false, 3),
    broken: rounded(recallBy('context', plantedSecrets, missed)[WRAPPED_CONTEXT], 3),
  };
}

/** The spans that a tool finds in `text`, chunk by chunk, as offsets in the whole text. */
async function spansOf(tool, text) {
  const spans = [];
  let start = 0;
  for (const piece of lineChunks(text, CHUNK_BYTES)) {
    for (const [from, to] of await tool.spans(piece.toString('latin1'))) spans.push([start + from, start + to]);
    start += piece.length;
  }
  return spans;
}

/** Lines in which the tool finds something, as `file:line`. */
async function changedLines(tool, runs) {
  const changed = [];
  for (const { file, firstLine, text } of runs) {
    const lines = new Set();
    for (const [start] of await tool.spans(text)) lines.add(text.slice(0, start).split('\n').length - 1);
    for (const line of lines) changed.push(`${file}:${firstLine + line}`);
  }
  return changed;
}

/** The number of lines by origin. */
function countLinesByOrigin(runs) {
  const counts = {};
  for (const { origin, text } of runs) counts[origin] = (counts[origin] ?? 0) + text.split('\n').length - 1;
  return counts;
}

function handrail() {
  const redactor = new Redactor();
  return { name: 'handrail', spans: (text) => redactor.scan(text).map(({ start, end }) => [start, end]) };
}

/**
 * Secrets that stay visible when the text is first cleaned of escape sequences and then masked, as `Terminal` does. Cleaning
 * changes offsets, so a secret counts as visible when its longest part occurs in the result.
 */
function missedAfterCleaning(text, plantedSecrets) {
  const redactor = new Redactor();
  const missed = [];
  let start = 0;
  for (const piece of lineChunks(text, CHUNK_BYTES)) {
    const end = start + piece.length;
    const masked = redactor.redact(sanitize(piece));
    for (const plantedSecret of plantedSecrets.filter(({ ranges }) => ranges[0][0] >= start && ranges[0][0] < end)) {
      const parts = plantedSecret.ranges.map(([from, to]) => text.toString('latin1', from, to));
      const longest = parts.reduce((a, b) => (b.length > a.length ? b : a));
      if (masked.includes(longest)) missed.push(plantedSecret);
    }
    start = end;
  }
  return missed;
}

/** @param {{quick: boolean, rivals: import('./rivals.mjs').Rival[]}} context */
export async function recall({ quick, rivals }) {
  const { text, plantedSecrets } = recallText(quick ? BYTES.quick : BYTES.full, SECRETS_PER_MEGABYTE);
  if (!quick) recordBuildLogs();
  const runs = sampleHarmless({ seed: 1, count: quick ? HARMLESS_LINES.quick : HARMLESS_LINES.full });
  const harmlessByOrigin = countLinesByOrigin(runs);
  const lines = Object.values(harmlessByOrigin).reduce((sum, count) => sum + count, 0);
  const tools = {};
  for (const tool of [handrail(), ...rivals]) {
    const { missed } = recallOf(await spansOf(tool, text), plantedSecrets);
    const changed = await changedLines(tool, runs);
    tools[tool.name] = {
      ...recallFigures(plantedSecrets, missed),
      changedLines: changed.length,
      changed: changed.slice(0, MAX_LISTED_LINES),
    };
  }
  const missed = missedAfterCleaning(text, plantedSecrets);
  const behindEscapes = recallFigures(plantedSecrets, missed);
  return {
    behindEscapes,
    secrets: plantedSecrets.length,
    bytes: text.length,
    harmlessLines: lines,
    harmlessByOrigin,
    tools,
  };
}
