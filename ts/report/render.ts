import { countChars, fitText, fitWithin, type TextCut } from '../redaction/fit.js';
import { type Excerpt, MAX_OUTPUT_CHARS } from '../redaction/text.js';
import { concernsLists, type HintFor, hintForHost, hintForModel } from './advice.js';
import { blockedNotes } from './blocked.js';
import type { Decision, Reason } from './decision.js';
import type { Failure } from './end.js';
import { liftHint } from './lift.js';
import { amountText, limitText } from './limit.js';
import type { CommandResult, DeniedCommand, Spill, TextDigest } from './result.js';
import { stagedNotes } from './staged.js';
import type { ProcessNote } from './survivors.js';

/** Most reasons of a denial that are shown; further ones are counted. */
export const MAX_SHOWN_REASONS = 4;

/** Most processes that a note names; further ones are counted. */
export const MAX_NAMED_PROCESSES = 5;

/** How a result is rendered. */
export interface Rendering {
  /** Most Unicode characters of the whole text. */
  readonly maxChars: number;
  /** A sentence that names the allowed programs; shown when they are the reason of a denial. */
  readonly lists: string;
  /** A sentence about what the kernel holds these programs to whatever the lists say. Default: none. */
  readonly held?: ((programs: readonly string[]) => string | undefined) | undefined;
  /** Lines with the next call to make, or about a limit. Default: none. */
  readonly advice?: readonly string[];
  /** Writes the hints. Default: those for a model. */
  readonly hintFor?: HintFor;
}

/** The share of the room for output that standard error gets at least when both outputs are too long. */
const STDERR_SHARE = 1 / 3;

/** Durations from this one on are shown in seconds. */
const SECONDS_FROM_MS = 10_000;

/** A part of the output that is shown. */
interface ShownOutput {
  readonly text: string;
  /** How many masks the text has. */
  readonly masks: number;
}

/**
 * A result for a model: a status line, the output, and notes in brackets about what the output does not show. Never
 * longer than `maxChars`. Counts are those of the whole output.
 */
export function renderCommand(result: CommandResult, rendering: Rendering): string {
  const { advice = [] } = rendering;
  const hasRun = result.status !== 'denied' && result.status !== 'spawn_failed';
  const before = [...headLines(result, rendering), ...(hasRun ? [] : advice)];
  if (result.excerpt !== undefined) return withExcerpt(result, result.excerpt, before, rendering);
  const output = shownOutput(result, MAX_OUTPUT_CHARS);
  const after = [...notesOf(result, output.masks, rendering), ...(hasRun ? advice : [])];
  const wholeText = joinLines(
    before,
    output.text === '' && result.status === 'exited' ? '(no output)' : output.text,
    after,
  );
  if (countChars(wholeText) <= rendering.maxChars) return wholeText;

  const counts = `[in full: ${result.bytes.stdout} bytes to stdout, ${result.bytes.stderr} bytes to stderr]`;
  const extra = result.status === 'denied' ? [] : [counts];
  const room = rendering.maxChars - countChars([...before, ...extra, ...after].join('\n')) - 1;
  const shortened = shownOutput(result, room);
  // The shortened output may have fewer masks, never more: the notes do not get longer.
  const text = joinLines(before, shortened.text, [
    ...extra,
    ...notesOf(result, shortened.masks, rendering),
    ...(hasRun ? advice : []),
  ]);
  return fitText(text, rendering.maxChars);
}

/** A result with an excerpt: the chosen lines, and where the other lines are. */
function withExcerpt(
  result: CommandResult,
  { text, shownLines, totalLines }: Excerpt,
  before: readonly string[],
  rendering: Rendering,
): string {
  const { maxChars, advice = [] } = rendering;
  const body = withoutLastLineEnd(text);
  const after = (masks: number) => [
    shownLinesNote({ shownLines, totalLines }, result.spill),
    ...notesOf(result, masks, rendering),
    ...advice,
  ];
  const unboundedText = shownText(result, body, MAX_OUTPUT_CHARS);
  const room = maxChars - countChars([...before, ...after(unboundedText.masks)].join('\n')) - 1;
  const { text: chosen, masks } = shownText(result, body, room);
  return fitText(joinLines(before, chosen, after(masks)), maxChars);
}

/** The chosen lines of a text, and where the others are. */
export function digestLines({ excerpt, spill }: TextDigest): string[] {
  return [withoutLastLineEnd(excerpt.text), shownLinesNote(excerpt, spill)];
}

/** How many of the lines of an output are shown, and where the others are. */
function shownLinesNote(
  { shownLines, totalLines }: Pick<Excerpt, 'shownLines' | 'totalLines'>,
  spill: Spill | undefined,
): string {
  return `[${linesShown({ shownLines, totalLines })}${wholeOutput(spill)}]`;
}

/** A phrase such as `20 of 1,000 lines shown`. Where no line is left out, a long one is cut. */
export function linesShown({ shownLines, totalLines }: Pick<Excerpt, 'shownLines' | 'totalLines'>): string {
  return `${withCommas(shownLines)} of ${withCommas(totalLines)} lines shown${shownLines === totalLines ? ' in part' : ''}`;
}

/** A phrase that says where the lines are that are not shown. */
function wholeOutput(spill: Spill | undefined): string {
  if (spill === undefined) return '; the others are in no file';
  const extent = spill.complete ? 'all of them' : `the first ${withCommas(spill.bytes)} bytes`;
  return `; ${extent} in ${spill.path}`;
}

/** A number such as `1,234`. */
function withCommas(count: number): string {
  return count.toLocaleString('en-US');
}

/** A result without its output, for a reader who has seen the output already. */
export function renderStatus(result: CommandResult, rendering: Rendering): string {
  const shownMasks = result.truncated ? result.redactions : shownOutput(result, MAX_OUTPUT_CHARS).masks;
  const lines = [...headLines(result, rendering), ...notesOf(result, shownMasks, rendering)];
  return fitText(lines.join('\n'), rendering.maxChars);
}

function joinLines(before: readonly string[], body: string, after: readonly string[]): string {
  return [...before, ...(body === '' ? [] : [body]), ...after].join('\n');
}

/** How a command ended; why, where it was denied. */
function headLines(result: CommandResult, rendering: Rendering): string[] {
  return result.status === 'denied' ? denialLines(result.decision, rendering) : [statusLine(result, rendering)];
}

function statusLine(result: Exclude<CommandResult, DeniedCommand>, { hintFor }: Rendering): string {
  const time = formatDuration(result.durationMs);
  switch (result.status) {
    case 'exited':
      return `exit ${result.exitCode} in ${time}`;
    case 'signaled':
      return `killed by ${result.signal} after ${time}`;
    case 'timed_out':
      return `timed out after ${time}`;
    case 'limited': {
      const hint = hintFor?.({ advice: result.limit.advice });
      const text = hint === undefined ? limitText(result.limit) : `${amountText(result.limit)}. ${hint}`;
      return `ended after ${time}: ${text}`;
    }
    case 'cancelled':
      if (result.failure !== undefined) return `cancelled after ${time}: ${failureText(result.failure)}`;
      return result.durationMs === 0 ? 'cancelled before it started' : `cancelled after ${time}`;
    case 'spawn_failed':
      return `could not run: ${failureText(result.failure)}`;
  }
}

/** A duration such as `12 ms` or `12.3 s`. */
export function formatDuration(ms: number): string {
  return ms < SECONDS_FROM_MS ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function failureText({ message, code }: Failure): string {
  return `${message} (${code})`;
}

function reasonText(reason: Reason | undefined): string {
  return reason === undefined ? 'no reason is known' : `${reason.message} (${reason.rule})`;
}

/** A denial: its reasons, their hints, and the allowed programs where they are why. */
export function denialLines(
  { reasons }: Decision,
  { lists, held, hintFor = hintForModel }: Pick<Rendering, 'lists' | 'held' | 'hintFor'>,
): string[] {
  const [first, ...others] = reasons;
  const shownReasons = others.slice(0, MAX_SHOWN_REASONS - 1);
  const lines = [`denied: ${reasonText(first)}`, ...shownReasons.map((reason) => `also: ${reasonText(reason)}`)];
  if (others.length > shownReasons.length) lines.push(`and ${others.length - shownReasons.length} more reasons`);
  const hints = [first, ...shownReasons].flatMap((reason) => {
    const hint = reason?.hint === undefined ? undefined : hintFor({ hint: reason.hint });
    return hint === undefined ? [] : [`hint: ${hint}`];
  });
  const programs = reasons.flatMap(({ program }) => (program === undefined ? [] : [program]));
  const lift = liftHint(reasons, hintFor, held?.(programs));
  if (lift !== undefined) hints.push(`hint: ${lift}`);
  return [...lines, ...new Set(hints), ...(reasons.some(concernsLists) ? [lists] : [])];
}

/** The output within `room` characters. Where both outputs have text, each has a label, and standard error comes last. */
function shownOutput(result: CommandResult, room: number): ShownOutput {
  const stdout = withoutLastLineEnd(result.stdout);
  const stderr = withoutLastLineEnd(result.stderr);
  const { cuts = {} } = result;
  if (stderr === '') return shownText(result, stdout, room, cuts.stdout);
  if (stdout === '') return shownText(result, stderr, room, cuts.stderr);
  const shared = room - countChars(withLabels('', ''));
  // Room that one output does not need goes to the other.
  const errorRoom = Math.max(Math.floor(shared * STDERR_SHARE), shared - countChars(stdout));
  const errors = shownText(result, stderr, errorRoom, cuts.stderr);
  const output = shownText(result, stdout, shared - countChars(errors.text), cuts.stdout);
  const masks = Math.min(result.redactions, output.masks + errors.masks);
  return { text: withLabels(output.text, errors.text), masks };
}

/**
 * A text within `room` characters, and how many secrets are masked in it. That is at most the count of the result,
 * because a program may write a mask itself.
 */
function shownText({ redactions }: CommandResult, text: string, room: number, cut?: TextCut): ShownOutput {
  if (redactions === 0 && text.length <= room) return { text, masks: 0 };
  const fitted = fitWithin(text, room, cut);
  return { text: fitted.text, masks: Math.min(redactions, fitted.masks) };
}

function withLabels(stdout: string, stderr: string): string {
  return `stdout:\n${stdout}\nstderr:\n${stderr}`;
}

/** The text without the end of its last line. */
export function withoutLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function notesOf(result: CommandResult, maskCount: number, { hintFor = hintForHost }: Rendering): string[] {
  const lines: string[] = blockedNotes(result.blocked, hintFor);
  if (maskCount > 0) lines.push(`[${countOf(maskCount, 'secret')} masked]`);
  const ended = result.pipesHeldBy ?? [];
  if (ended.length > 0)
    lines.push(`[${countOf(ended.length, 'process', 'es')} left behind and ended: ${processNames(ended)}]`);
  const alive = result.survivors;
  if (alive === 'unknown') lines.push('[whether all of its processes were ended is not known]');
  else if (alive.length > 0)
    lines.push(`[${countOf(alive.length, 'process', 'es')} could not be ended: ${processNames(alive)}]`);
  return [...lines, ...stagedNotes(result.staged)];
}

function countOf(count: number, noun: string, plural = 's'): string {
  return `${count} ${noun}${count === 1 ? '' : plural}`;
}

function processNames(processes: readonly ProcessNote[]): string {
  const shownNames = processes.slice(0, MAX_NAMED_PROCESSES).map(({ program }) => program);
  const unnamedCount = processes.length - shownNames.length;
  return unnamedCount > 0 ? `${shownNames.join(', ')} and ${unnamedCount} more` : shownNames.join(', ');
}
