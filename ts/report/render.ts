import { countChars, fitText, fitWithin, type TextCut } from '../redaction/fit.js';
import { type Excerpt, MAX_OUTPUT_CHARS } from '../redaction/text.js';
import { concernsLists, type HintFor, hintForModel } from './advice.js';
import { blockedNotes } from './blocked.js';
import type { Reason } from './decision.js';
import type { Failure } from './end.js';
import type { CommandResult } from './result.js';
import type { ProcessNote } from './survivors.js';

/** Reasons of a denial shown to the model; the rest is counted. */
export const MAX_SHOWN_REASONS = 4;

/** Processes named in a note; the rest is counted. */
export const MAX_NAMED_PROCESSES = 5;

/** How a result is shown. */
export interface Rendering {
  /** Unicode characters of the whole text. */
  readonly maxChars: number;
  /** What may run, as a sentence; shown when the lists were the reason of a denial. */
  readonly lists: string;
  /** What to ask instead, or what a limit was. Default: nothing. */
  readonly advice?: readonly string[];
  /** Writes the hints. Default: for a model. */
  readonly hintFor?: HintFor;
}

/** Of the room for output, the least that standard error gets when both outputs are too long. */
const STDERR_SHARE = 1 / 3;

/** Durations from here on are shown in seconds. */
const SECONDS_FROM_MS = 10_000;

/** What is shown of the outputs. */
interface Shown {
  readonly text: string;
  /** How many masks are in it. */
  readonly masks: number;
}

/**
 * A result as a model reads it: a status line, the output, and notes in brackets about what cannot
 * be seen in the output. Never longer than `maxChars`. Counts are of the whole output.
 */
export function renderCommand(result: CommandResult, rendering: Rendering): string {
  const { advice = [] } = rendering;
  const hasRun = result.status !== 'denied' && result.status !== 'spawn_failed';
  const before = [statusLine(result), ...denialLines(result, rendering), ...(hasRun ? [] : advice)];
  if (result.excerpt !== undefined) return withExcerpt(result, result.excerpt, before, rendering);
  const output = shownOutput(result, MAX_OUTPUT_CHARS);
  const after = [...notes(result, output.masks, rendering), ...(hasRun ? advice : [])];
  const whole = joined(before, output.text === '' && result.status === 'exited' ? '(no output)' : output.text, after);
  if (countChars(whole) <= rendering.maxChars) return whole;

  const counts = `[in full: ${result.bytes.stdout} bytes to stdout, ${result.bytes.stderr} bytes to stderr]`;
  const extra = result.status === 'denied' ? [] : [counts];
  const room = rendering.maxChars - countChars([...before, ...extra, ...after].join('\n')) - 1;
  const shortened = shownOutput(result, room);
  // Fewer secrets may be in it: the notes do not get longer.
  const text = joined(before, shortened.text, [
    ...extra,
    ...notes(result, shortened.masks, rendering),
    ...(hasRun ? advice : []),
  ]);
  return fitText(text, rendering.maxChars);
}

/** Lines that were chosen, and where the others are. */
function withExcerpt(
  result: CommandResult,
  { text, shownLines, totalLines }: Excerpt,
  before: readonly string[],
  rendering: Rendering,
): string {
  const { maxChars, advice = [] } = rendering;
  const body = withoutLastLineEnd(text);
  const shown = `[${grouped(shownLines)} of ${grouped(totalLines)} lines shown${wholeOutput(result)}]`;
  const after = (masks: number) => [shown, ...notes(result, masks, rendering), ...advice];
  const whole = shownText(result, body, MAX_OUTPUT_CHARS);
  const room = maxChars - countChars([...before, ...after(whole.masks)].join('\n')) - 1;
  const { text: chosen, masks } = shownText(result, body, room);
  return fitText(joined(before, chosen, after(masks)), maxChars);
}

/** Where a model finds what is not shown. */
function wholeOutput({ spill }: CommandResult): string {
  if (spill === undefined) return '; the others are not kept';
  const extent = spill.complete ? 'all of them' : `the first ${grouped(spill.bytes)} bytes`;
  return `; ${extent} in ${spill.path}`;
}

/** `1,234`. */
function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** The same without the output, which was shown already, and whole. */
export function renderStatus(result: CommandResult, rendering: Rendering): string {
  const shown = result.truncated ? result.redactions : shownOutput(result, MAX_OUTPUT_CHARS).masks;
  const lines = [statusLine(result), ...denialLines(result, rendering), ...notes(result, shown, rendering)];
  return fitText(lines.join('\n'), rendering.maxChars);
}

function joined(before: readonly string[], body: string, after: readonly string[]): string {
  return [...before, ...(body === '' ? [] : [body]), ...after].join('\n');
}

function statusLine(result: CommandResult): string {
  const time = formatDuration(result.durationMs);
  switch (result.status) {
    case 'exited':
      return `exit ${result.exitCode} in ${time}`;
    case 'signaled':
      return `killed by ${result.signal} after ${time}`;
    case 'timed_out':
      return `timed out after ${time}`;
    case 'cancelled':
      if (result.failure !== undefined) return `cancelled after ${time}: ${failureText(result.failure)}`;
      return result.durationMs === 0 ? 'cancelled before it started' : `cancelled after ${time}`;
    case 'spawn_failed':
      return `could not run: ${failureText(result.failure)}`;
    case 'denied':
      return `denied: ${reasonText(result.decision.reasons[0])}`;
  }
}

/** `12 ms`, `12.3 s`. */
export function formatDuration(ms: number): string {
  return ms < SECONDS_FROM_MS ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function failureText({ message, code }: Failure): string {
  return `${message} (${code})`;
}

function reasonText(reason: Reason | undefined): string {
  return reason === undefined ? 'no reason is known' : `${reason.message} (${reason.rule})`;
}

/** What follows the first reason: its hint, further reasons, and what would be allowed. */
function denialLines({ status, decision }: CommandResult, { lists, hintFor = hintForModel }: Rendering): string[] {
  if (status !== 'denied') return [];
  const [first, ...others] = decision.reasons;
  const shown = others.slice(0, MAX_SHOWN_REASONS - 1);
  const lines = shown.map((reason) => `also: ${reasonText(reason)}`);
  if (others.length > shown.length) lines.push(`and ${others.length - shown.length} more reasons`);
  const hints = [first, ...shown].flatMap((reason) => {
    const hint = reason === undefined ? undefined : hintFor(reason);
    return hint === undefined ? [] : [`hint: ${hint}`];
  });
  return [...lines, ...new Set(hints), ...(decision.reasons.some(concernsLists) ? [lists] : [])];
}

/** One output as it is; both with labels, standard error last; within `room` characters. */
function shownOutput(result: CommandResult, room: number): Shown {
  const stdout = withoutLastLineEnd(result.stdout);
  const stderr = withoutLastLineEnd(result.stderr);
  const { cuts = {} } = result;
  if (stderr === '') return shownText(result, stdout, room, cuts.stdout);
  if (stdout === '') return shownText(result, stderr, room, cuts.stderr);
  const shared = room - countChars(labelled('', ''));
  // What one output does not need, the other gets.
  const errorRoom = Math.max(Math.floor(shared * STDERR_SHARE), shared - countChars(stdout));
  const errors = shownText(result, stderr, errorRoom, cuts.stderr);
  const output = shownText(result, stdout, shared - countChars(errors.text), cuts.stdout);
  const masks = Math.min(result.redactions, output.masks + errors.masks);
  return { text: labelled(output.text, errors.text), masks };
}

/**
 * A text within `room` characters, and the secrets masked in it. Others were left out, or are masked in `output` alone, where
 * the halves of one stand side by side. A program may write a mask itself.
 */
function shownText({ redactions }: CommandResult, text: string, room: number, cut?: TextCut): Shown {
  if (redactions === 0 && text.length <= room) return { text, masks: 0 };
  const fitted = fitWithin(text, room, cut);
  return { text: fitted.text, masks: Math.min(redactions, fitted.masks) };
}

function labelled(stdout: string, stderr: string): string {
  return `stdout:\n${stdout}\nstderr:\n${stderr}`;
}

function withoutLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function notes(result: CommandResult, masked: number, { hintFor = hintForModel }: Rendering): string[] {
  const lines: string[] = blockedNotes(result.blocked, hintFor);
  if (masked > 0) lines.push(`[${counted(masked, 'secret')} masked]`);
  const ended = result.pipesHeldBy ?? [];
  if (ended.length > 0)
    lines.push(`[${counted(ended.length, 'process', 'es')} left behind and ended: ${names(ended)}]`);
  const alive = result.survivors;
  if (alive === 'unknown') lines.push('[whether all of its processes were ended is not known]');
  else if (alive.length > 0)
    lines.push(`[${counted(alive.length, 'process', 'es')} could not be ended: ${names(alive)}]`);
  return lines;
}

function counted(count: number, noun: string, plural = 's'): string {
  return `${count} ${noun}${count === 1 ? '' : plural}`;
}

function names(processes: readonly ProcessNote[]): string {
  const shown = processes.slice(0, MAX_NAMED_PROCESSES).map(({ program }) => program);
  const rest = processes.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
