/** The results of a search for a model: a line with the counts, and as many results as fit. */
import type { FileMatches, FoundFiles, FoundLines, LeftOutFiles } from '../files/answers.js';
import { countChars, firstChars } from '../redaction/fit.js';
import { estimateTokens } from '../redaction/tokens.js';
import { moreNote } from './answer-lines.js';
import type { ToolHost } from './host.js';
import { countOf } from './render-file.js';

/** Characters that are reserved for counts and notes. */
const FRAME_CHARS = 600;

/** The bounds of a result, and what masks its notes. */
export type SearchHost = Pick<ToolHost, 'resultChars' | 'readTokens' | 'redactor'>;

/** The arguments of the call that matter for its text. */
interface SearchArguments {
  readonly mode?: 'lines' | 'files' | 'count' | undefined;
  readonly offset?: number | undefined;
}

/** A line of the text, and whether it is a result or only context. */
export interface TextRow {
  readonly text: string;
  readonly results: 0 | 1;
  /** Where the line of a result is, for the call that reads it whole. Absent for a result that is no line of a file. */
  readonly place?: { readonly path: string; readonly line: number };
}

/** The found paths, one a line. */
export function renderGlob(data: FoundFiles, args: SearchArguments, host: SearchHost): string {
  const notes = [
    ...(data.protected > 0 ? [`${countOf(data.protected, 'protected file')} left out.`] : []),
    ...stopNotes(data.stopped),
  ];
  if (data.total === 0) return ['No files match.', ...leftOutNotes(data.leftOut), ...notes].join(' ');
  const rows = data.paths.map((text): TextRow => ({ text, results: 1 }));
  const { texts, results } = fittingRows(rows, host);
  const rest = restOfRows('file_glob', args, { results, total: data.total, one: 'file', many: 'files' }, host);
  return [...texts, ...(notes.length === 0 ? [] : [`[${notes.join(' ')}]`]), ...rest].join('\n');
}

/** What a list of rows lacks, and the call that goes on. */
export function restOfRows(
  tool: string,
  args: { readonly offset?: number | undefined },
  { results, total, one, many }: { results: number; total: number; one: string; many: string },
  host: SearchHost,
): string[] {
  const next = (args.offset ?? 0) + results;
  if (results === 0) return [`[${total} ${many} in all${shownRange(args.offset ?? 0, results, total)}.]`];
  const left = total - next;
  return left > 0 ? [moreNote(tool, args, { offset: next }, `${left} ${left === 1 ? one : many} left`, host)] : [];
}

/** The counts of matches, then the lines, files or counts per file. */
export function renderGrep(data: FoundLines, args: SearchArguments, host: SearchHost): string {
  const { mode = 'lines', offset = 0 } = args;
  const notes = [...skipNotes(data), ...stopNotes(data.stopped)];
  if (data.totalFiles === 0) return [noMatch(data), ...notes].join(' ');
  const { texts, results, cut } = fittingRows(rowsOf(data.files, mode), host);
  const [total, found] =
    mode === 'lines'
      ? [data.totalMatches, `Found ${matches(data.totalMatches)} in ${countOf(data.totalFiles, 'file')}`]
      : [data.totalFiles, `Found ${countOf(data.totalFiles, 'file')} with ${matches(data.totalMatches)}`];
  const next = offset + results;
  const rest = mode === 'lines' ? matches(total - next) : countOf(total - next, 'file');
  const more =
    results === 0 || next >= total ? [] : [moreNote('file_grep', args, { offset: next }, `${rest} left`, host)];
  return [
    [`${found}${shownRange(offset, results, total)}.`, ...notes].join(' '),
    ...texts,
    ...wholeLine(cut, host),
    ...more,
  ].join('\n');
}

/** The call that reads a line of which there was room for a part. */
function wholeLine(place: TextRow['place'], host: SearchHost): string[] {
  if (place === undefined) return [];
  return [moreNote('file_read', {}, { path: place.path, offset: place.line, limit: 1 }, 'the whole line', host)];
}

/** A phrase such as `; showing 1-250`. */
function shownRange(offset: number, results: number, total: number): string {
  if (results === 0) return `; offset ${offset} is past the last of them, give a smaller one`;
  const end = offset + results;
  if (offset === 0 && end === total) return '';
  return `; showing ${offset + 1}-${end}`;
}

function noMatch({ searched }: FoundLines): string {
  if (searched > 0) return `No matches in ${countOf(searched, 'file')}.`;
  return 'No file was searched: check path and glob; hidden: true and ignored: true look at more files.';
}

function matches(count: number): string {
  return `${count} match${count === 1 ? '' : 'es'}`;
}

function rowsOf(files: readonly FileMatches[], mode: SearchArguments['mode']): TextRow[] {
  if (mode === 'files') return files.map(({ path }): TextRow => ({ text: path, results: 1 }));
  if (mode === 'count') return files.map((file): TextRow => ({ text: `${file.path}: ${file.matches}`, results: 1 }));
  const hasContext = files.some(({ lines }) => lines.some(({ match }) => !match));
  return files.flatMap(({ path, lines }, index) =>
    lines.flatMap(({ line, text, match }, at): TextRow[] => {
      const before = lines[at - 1];
      const isApart = before === undefined ? index > 0 : before.line + 1 < line;
      const row: TextRow = match
        ? { text: `${path}:${line}: ${text}`, results: 1, place: { path, line } }
        : { text: `${path}-${line}- ${text}`, results: 0 };
      return hasContext && isApart ? [{ text: '--', results: 0 }, row] : [row];
    }),
  );
}

/** The rows of a search that fit into a result. */
interface FittingRows {
  readonly texts: readonly string[];
  readonly results: number;
  /** The line of which only the beginning is there. */
  readonly cut?: TextRow['place'];
}

/**
 * As many whole rows as fit into a result. Where there is no room for those up to the first one that counts, that one alone, or its
 * beginning: every call gets further.
 */
export function fittingRows(rows: readonly TextRow[], { resultChars, readTokens }: SearchHost): FittingRows {
  const texts: string[] = [];
  let results = 0;
  const mostChars = Math.max(resultChars - FRAME_CHARS, resultChars / 2);
  let remainingChars = mostChars;
  let remainingTokens = readTokens;
  for (const row of rows) {
    remainingChars -= countChars(row.text) + 1;
    remainingTokens -= estimateTokens(`${row.text}\n`);
    if (remainingChars < 0 || remainingTokens < 0) break;
    texts.push(row.text);
    results += row.results;
  }
  const first = rows.find((row) => row.results > 0);
  if (results > 0 || first === undefined) return { texts, results };
  const beginning = beginningWithin(first.text, mostChars, readTokens);
  return { texts: [beginning], results: 1, ...(beginning === first.text ? {} : { cut: first.place }) };
}

/** The longest beginning of a text within so many characters and about so many tokens, at least one character. */
function beginningWithin(text: string, mostChars: number, mostTokens: number): string {
  let fits = 1;
  let tooMany = Math.min(countChars(text), mostChars) + 1;
  while (fits + 1 < tooMany) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (estimateTokens(firstChars(text, middle)) <= mostTokens) fits = middle;
    else tooMany = middle;
  }
  return firstChars(text, fits);
}

function skipNotes({ skipped, redactions }: FoundLines): string[] {
  const { protected: guarded, binary, large, unreadable } = skipped;
  return [
    ...(guarded > 0 ? [`${countOf(guarded, 'protected file')} skipped.`] : []),
    ...(binary > 0 ? [`${countOf(binary, 'binary file')} skipped.`] : []),
    ...(large > 0 ? [`${countOf(large, 'file')} skipped as too large; search those with a command.`] : []),
    ...(unreadable > 0 ? [`${countOf(unreadable, 'unreadable file')} skipped.`] : []),
    ...(redactions > 0 ? [`${countOf(redactions, 'secret')} masked.`] : []),
  ];
}

function stopNotes(stopped: FoundFiles['stopped']): string[] {
  if (stopped === undefined) return [];
  const reason = stopped === 'deadline' ? 'the time was over' : 'there are too many files or levels';
  return [`Not everything was searched, ${reason}: name a folder as path.`];
}

function leftOutNotes({ ignored, hidden, both }: LeftOutFiles): string[] {
  return [
    ...(ignored > 0 ? [`${countOf(ignored, 'ignored file')} would: pass ignored: true.`] : []),
    ...(hidden > 0 ? [`${countOf(hidden, 'hidden file')} would: pass hidden: true.`] : []),
    ...(both > 0 ? [`${countOf(both, 'hidden and ignored file')} would: pass hidden: true and ignored: true.`] : []),
  ];
}
