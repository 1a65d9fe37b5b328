import type { Excerpt } from '../redaction/text.js';
import { blockedNotes } from '../report/blocked.js';
import type { Reason } from '../report/decision.js';
import type { Failure } from '../report/end.js';
import type { CommandResult } from '../report/result.js';
import type { ProcessNote } from '../report/survivors.js';
import { boundToChars, countChars } from '../terminal/bounding.js';
import { MAX_NAMED_PROCESSES, MAX_SHOWN_REASONS } from './limits.js';

/** How a result is shown. */
export interface Rendering {
  /** Unicode characters of the whole text. */
  readonly maxChars: number;
  /** What may run, as a sentence; shown when the lists were the reason of a denial. */
  readonly lists: string;
  /** What to ask instead, or what a limit was. Default: nothing. */
  readonly advice?: readonly string[];
}

/** Of the room for output, the least that standard error gets when both outputs are too long. */
const STDERR_SHARE = 1 / 3;

/** Durations from here on are shown in seconds. */
const SECONDS_FROM_MS = 10_000;

/** Rules about which programs may run; for these it helps to know which ones may. */
const LIST_RULE = /^list\./;

/** What stands in the place of a secret, with or without its rule. */
const MASKS = /\[REDACTED(?::[^\]\s]*)?\]/g;

/** The line that `boundToChars` writes into a text it cuts. */
const CUT_NOTICE = /\[\.\.\. \d+ characters, \d+ lines omitted \.\.\.\]/;

/** In its place: a text may have been cut before, and then those counts are not of the whole output. */
const CUT_MARK = '[... omitted ...]';

/**
 * A result as a model reads it: a status line, the output, and notes in brackets about what cannot
 * be seen in the output. Never longer than `maxChars`. Counts are of the whole output, or not there.
 */
export function renderCommand(result: CommandResult, rendering: Rendering): string {
  const { advice = [] } = rendering;
  const hasRun = result.status !== 'denied' && result.status !== 'spawn_failed';
  const before = [statusLine(result), ...denialLines(result, rendering), ...(hasRun ? [] : advice)];
  if (result.excerpt !== undefined) return withExcerpt(result, result.excerpt, before, rendering);
  const output = outputText(result);
  const after = [...notes(result, masksIn(output, result)), ...(hasRun ? advice : [])];
  const whole = joined(before, output, after);
  if (countChars(whole) <= rendering.maxChars) return whole;

  const counts = `[in full: ${result.bytes.stdout} bytes to stdout, ${result.bytes.stderr} bytes to stderr]`;
  const extra = result.status === 'denied' ? [] : [counts];
  const room = rendering.maxChars - countChars([...before, ...extra, ...after].join('\n')) - 1;
  const shortened = shortenedOutput(result, Math.max(0, room));
  // Fewer secrets may be in it: the notes do not get longer.
  const text = joined(before, shortened, [
    ...extra,
    ...notes(result, masksIn(shortened, result)),
    ...(hasRun ? advice : []),
  ]);
  return boundToChars(text, rendering.maxChars).text;
}

/** Lines that were chosen, and where the others are. */
function withExcerpt(
  result: CommandResult,
  { text, shownLines, totalLines }: Excerpt,
  before: readonly string[],
  { maxChars, advice = [] }: Rendering,
): string {
  const body = withoutLastLineEnd(text);
  const shown = `[${grouped(shownLines)} of ${grouped(totalLines)} lines shown${wholeOutput(result)}]`;
  const after = [shown, ...notes(result, masksIn(body, result)), ...advice];
  const room = maxChars - countChars([...before, ...after].join('\n')) - 1;
  return boundToChars(joined(before, cut(body, room), after), maxChars).text;
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
  const shown = result.truncated ? result.redactions : masksIn(result.stdout + result.stderr, result);
  const lines = [statusLine(result), ...denialLines(result, rendering), ...notes(result, shown)];
  return boundToChars(lines.join('\n'), rendering.maxChars).text;
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
function denialLines({ status, decision }: CommandResult, { lists }: Rendering): string[] {
  if (status !== 'denied') return [];
  const [first, ...others] = decision.reasons;
  const shown = others.slice(0, MAX_SHOWN_REASONS - 1);
  const lines = shown.map((reason) => `also: ${reasonText(reason)}`);
  if (others.length > shown.length) lines.push(`and ${others.length - shown.length} more reasons`);
  const hints = [first, ...shown].flatMap((reason) => (reason?.hint === undefined ? [] : [`hint: ${reason.hint}`]));
  const concernsLists = decision.reasons.some(({ rule }) => LIST_RULE.test(rule));
  return [...lines, ...new Set(hints), ...(concernsLists ? [lists] : [])];
}

/** One output as it is; both with labels, standard error last. */
function outputText(result: CommandResult): string {
  const { stdout, stderr } = outputs(result);
  if (stdout !== '' && stderr !== '') return labelled(stdout, stderr);
  const only = stdout + stderr;
  return only === '' && result.status === 'exited' ? '(no output)' : only;
}

/** The same within `room` characters. */
function shortenedOutput(result: CommandResult, room: number): string {
  const { stdout, stderr } = outputs(result);
  if (stdout === '' || stderr === '') return cut(stdout + stderr, room);
  const shared = Math.max(0, room - countChars(labelled('', '')));
  // What one output does not need, the other gets.
  const errors = cut(stderr, Math.max(Math.floor(shared * STDERR_SHARE), shared - countChars(stdout)));
  return labelled(cut(stdout, shared - countChars(errors)), errors);
}

function outputs(result: CommandResult): { stdout: string; stderr: string } {
  return { stdout: withoutLastLineEnd(result.stdout), stderr: withoutLastLineEnd(result.stderr) };
}

function labelled(stdout: string, stderr: string): string {
  return `stdout:\n${stdout}\nstderr:\n${stderr}`;
}

function cut(text: string, room: number): string {
  const bounded = boundToChars(text, Math.max(0, room));
  return bounded.truncated ? bounded.text.replace(CUT_NOTICE, CUT_MARK) : text;
}

function withoutLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function notes(result: CommandResult, masked: number): string[] {
  const lines: string[] = blockedNotes(result.blocked);
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

/**
 * Secrets masked in what is shown. Others were left out, or are masked in `output` alone, where the
 * halves of one stand side by side. A program may write a mask itself.
 */
function masksIn(shown: string, { redactions }: CommandResult): number {
  return redactions === 0 ? 0 : Math.min(redactions, shown.match(MASKS)?.length ?? 0);
}

function counted(count: number, noun: string, plural = 's'): string {
  return `${count} ${noun}${count === 1 ? '' : plural}`;
}

function names(processes: readonly ProcessNote[]): string {
  const shown = processes.slice(0, MAX_NAMED_PROCESSES).map(({ program }) => program);
  const rest = processes.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
