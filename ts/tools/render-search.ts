/** Renders the result of a search for a model: a line that says how much was found, and as many results as fit. */
import type { FileMatches, FoundFiles, FoundLines, LeftOutFiles } from '../files/answers.js';
import { countChars } from '../redaction/fit.js';
import { counted } from './render-file.js';

/** Characters of a result that are kept free for the line about it. */
const SUMMARY_CHARS = 400;

/** The arguments of the call that its rendering depends on. */
interface GrepArguments {
  readonly mode?: 'lines' | 'files' | 'count' | undefined;
  readonly offset?: number | undefined;
}

/** A line of the rendering. `results` is 1 for a line that is one of the results, and 0 for any other. */
interface ResultRow {
  readonly text: string;
  readonly results: 0 | 1;
}

/** Paths that were found, a line each. */
export function renderGlob(data: FoundFiles, maxChars: number): string {
  const notes = [
    ...(data.protected > 0 ? [`${counted(data.protected, 'protected file')} left out.`] : []),
    ...stopNotes(data.stopped),
  ];
  if (data.total === 0) return ['No files match.', ...leftOutNotes(data.leftOut), ...notes].join(' ');
  const rows = data.paths.map((text): ResultRow => ({ text, results: 1 }));
  const { texts, results } = fitting(rows, maxChars - SUMMARY_CHARS);
  const isWhole = results === data.total;
  const cut = `${results} of ${counted(data.total, 'file')}, those changed last; narrow the pattern, or raise limit.`;
  const all = isWhole ? notes : [cut, ...notes];
  return [...texts, ...(all.length === 0 ? [] : [`[${all.join(' ')}]`])].join('\n');
}

/** A line that says how much was found, then the lines, files or counts. */
export function renderGrep(data: FoundLines, { mode = 'lines', offset = 0 }: GrepArguments, maxChars: number): string {
  const notes = [...skipNotes(data), ...stopNotes(data.stopped)];
  if (data.totalFiles === 0) return [noMatch(data), ...notes].join(' ');
  const { texts, results } = fitting(rowsOf(data.files, mode), maxChars - SUMMARY_CHARS);
  const [total, found] =
    mode === 'lines'
      ? [data.totalMatches, `Found ${matches(data.totalMatches)} in ${counted(data.totalFiles, 'file')}`]
      : [data.totalFiles, `Found ${counted(data.totalFiles, 'file')} with ${matches(data.totalMatches)}`];
  return [[`${found}${extent(offset, results, total)}.`, ...notes].join(' '), ...texts].join('\n');
}

/** `; showing 250 (offset=250 for more)`. */
function extent(offset: number, results: number, total: number): string {
  if (results === 0) return `; offset ${offset} is past the last of them, give a smaller one`;
  const end = offset + results;
  if (offset === 0 && end === total) return '';
  const shown = offset === 0 ? String(results) : `${offset + 1}-${end}`;
  return `; showing ${shown}${end < total ? ` (offset=${end} for more)` : ''}`;
}

function noMatch({ searched }: FoundLines): string {
  if (searched > 0) return `No matches in ${counted(searched, 'file')}.`;
  return 'No file was searched: check path and glob; hidden: true and ignored: true look at more files.';
}

function matches(count: number): string {
  return `${count} match${count === 1 ? '' : 'es'}`;
}

function rowsOf(files: readonly FileMatches[], mode: GrepArguments['mode']): ResultRow[] {
  if (mode === 'files') return files.map(({ path }): ResultRow => ({ text: path, results: 1 }));
  if (mode === 'count') return files.map((file): ResultRow => ({ text: `${file.path}: ${file.matches}`, results: 1 }));
  const hasContext = files.some(({ lines }) => lines.some(({ match }) => !match));
  return files.flatMap(({ path, lines }, index) =>
    lines.flatMap(({ line, text, match }, at): ResultRow[] => {
      const before = lines[at - 1];
      const isApart = before === undefined ? index > 0 : before.line + 1 < line;
      const row: ResultRow = match
        ? { text: `${path}:${line}: ${text}`, results: 1 }
        : { text: `${path}-${line}- ${text}`, results: 0 };
      return hasContext && isApart ? [{ text: '--', results: 0 }, row] : [row];
    }),
  );
}

/** As many rows as there is room for, but at least the first result. */
function fitting(rows: readonly ResultRow[], room: number): { texts: readonly string[]; results: number } {
  const texts: string[] = [];
  let results = 0;
  let left = room;
  for (const row of rows) {
    left -= countChars(row.text) + 1;
    if (left < 0 && results > 0) break;
    texts.push(row.text);
    results += row.results;
  }
  return { texts, results };
}

function skipNotes({ skipped, redactions }: FoundLines): string[] {
  const { protected: guarded, binary, large, unreadable } = skipped;
  return [
    ...(guarded > 0 ? [`${counted(guarded, 'protected file')} skipped.`] : []),
    ...(binary > 0 ? [`${counted(binary, 'binary file')} skipped.`] : []),
    ...(large > 0 ? [`${counted(large, 'file')} skipped as too large; search those with a command.`] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, 'unreadable file')} skipped.`] : []),
    ...(redactions > 0 ? [`${counted(redactions, 'secret')} masked.`] : []),
  ];
}

function stopNotes(stopped: FoundFiles['stopped']): string[] {
  if (stopped === undefined) return [];
  const why = stopped === 'deadline' ? 'the time was over' : 'there are too many files or levels';
  return [`Not everything was searched, ${why}: name a folder as path.`];
}

function leftOutNotes({ ignored, hidden, both }: LeftOutFiles): string[] {
  return [
    ...(ignored > 0 ? [`${counted(ignored, 'ignored file')} would: pass ignored: true.`] : []),
    ...(hidden > 0 ? [`${counted(hidden, 'hidden file')} would: pass hidden: true.`] : []),
    ...(both > 0 ? [`${counted(both, 'hidden and ignored file')} would: pass hidden: true and ignored: true.`] : []),
  ];
}
