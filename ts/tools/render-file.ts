import type { FileRefusal, ReadFile, ReplacedPlace, TakenFor } from '../files/answers.js';
import { countChars, firstChars } from '../redaction/fit.js';
import { withoutLastLineEnd } from '../report/render.js';
import { moreNote } from './answer-lines.js';
import { commandHint } from './file-commands.js';
import type { ToolHost } from './host.js';

/** Most characters of a line that are shown around a change; further ones are counted. */
export const MAX_SHOWN_LINE_CHARS = 2_000;

/** Characters that are reserved for the heading and the notes of a result, beside those of the path. */
const FRAME_CHARS = 400;

/** The arguments of a call that read a file. */
export interface ReadArguments {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly column?: number | undefined;
  readonly limit?: number | undefined;
  readonly numbers?: boolean | undefined;
}

/**
 * A refusal for a model: why nothing was done, and what to do instead.
 *
 * @param tool Name of the tool that was called.
 */
export function renderRefusal(
  { message, hint, code }: FileRefusal,
  tool: string,
  path: string,
  host: ToolHost,
): string {
  const other =
    code === 'is_a_directory' && tool === 'file_read' && host.tools.has('file_list')
      ? 'file_list lists a folder.'
      : commandHint(code, path, host);
  const sentences = [hint, other].filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? message : `${message}\nhint: ${sentences.join(' ')}`;
}

/**
 * A file for a model, with or without numbers: what was read of it, all of it. A heading tells of unusual line ends or encodings, and
 * the last note has the call that reads on.
 */
export function renderRead(data: ReadFile, args: ReadArguments, host: Pick<ToolHost, 'redactor'>): string {
  if (data.bytes === 0) return `${data.path} is empty (0 bytes).`;
  const text = withoutLastLineEnd(data.text.replaceAll('\r\n', '\n'));
  const shown = args.numbers === true ? withNumbers(text, data.firstLine) : text;
  const notes = [
    ...(data.redactions > 0 ? [`[${countOf(data.redactions, 'secret')} masked in this file]`] : []),
    ...(data.nextOffset === undefined ? [] : [readOn(data, args, data.nextOffset, host)]),
  ];
  return [...heading(data, args), shown, ...notes].join('\n');
}

function readOn(
  { nextColumn, totalLines, lastLine }: ReadFile,
  { column: _column, ...args }: ReadArguments,
  offset: number,
  host: Pick<ToolHost, 'redactor'>,
): string {
  const next = { offset, ...(nextColumn === undefined ? {} : { column: nextColumn }) };
  const lines = totalLines - lastLine;
  const rest = [
    ...(nextColumn === undefined ? [] : [`the rest of line ${offset}`]),
    ...(nextColumn === undefined || lines > 0 ? [countOf(lines, 'line')] : []),
  ];
  return moreNote('file_read', args, next, `${rest.join(' and ')} left`, host);
}

/** How many characters of a file fit into a result, leaving room for the path, for notes and for line numbers. */
export function readableChars(maxChars: number, { path, numbers }: ReadArguments): number {
  const room = Math.max(maxChars - FRAME_CHARS - 2 * path.length, maxChars / 2);
  return Math.max(1, Math.floor(numbers === true ? room / 2 : room));
}

/** A heading that says which lines are shown, and unusual line ends and encodings. None for a plain file shown as a whole. */
function heading(data: ReadFile, { column = 1 }: ReadArguments): string[] {
  const traits = [
    ...(data.newline === 'crlf' ? ['CRLF'] : []),
    ...(data.newline === 'mixed' ? ['mixed line ends'] : []),
    ...(data.encoding === 'unknown' ? ['unknown encoding, only plain ASCII is editable'] : []),
    ...(data.encoding.startsWith('utf-16') ? [data.encoding.toUpperCase()] : []),
    ...(data.bom && data.encoding === 'utf-8' ? ['BOM'] : []),
  ];
  const isWholeFile = data.firstLine === 1 && data.nextOffset === undefined && column === 1;
  // A result of nothing but line ends would look like none.
  const isSeen = data.text.trim() !== '';
  if (isWholeFile && isSeen && traits.length === 0) return [];
  const { firstLine, lastLine, totalLines, nextColumn } = data;
  const from = column === 1 ? '' : ` from column ${column}`;
  const to = nextColumn === undefined ? '' : ` to column ${nextColumn - 1}`;
  const lines =
    firstLine === lastLine
      ? `line ${firstLine}${from}${to} of ${totalLines}`
      : `lines ${firstLine}${from}-${lastLine}${to} of ${totalLines}`;
  return [`${data.path}  ${[lines, ...traits].join(', ')}`];
}

function shortened(line: string): string {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return line;
  const hiddenChars = countChars(line) - MAX_SHOWN_LINE_CHARS;
  return hiddenChars <= 0
    ? line
    : `${firstChars(line, MAX_SHOWN_LINE_CHARS)}[... ${hiddenChars} characters of this line omitted]`;
}

/** The lines around a change with their numbers. */
export function numbered(text: string, firstLine: number): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return withNumbers(lines.map(shortened).join('\n'), firstLine);
}

function withNumbers(text: string, firstLine: number): string {
  const lines = text.split('\n');
  return lines.map((line, index) => `${firstLine + index}\t${line}`).join('\n');
}

/** A note that says how many masks were replaced by their secrets. */
export function restoredNote(restoredMasks: number): string[] {
  return restoredMasks === 0 ? [] : [`[${countOf(restoredMasks, 'masked secret')} kept as it was]`];
}

/** A note that says in what the old texts differed from those of the file that they were taken for. */
export function takenNote(places: readonly ReplacedPlace[]): string[] {
  const differences = places.flatMap(({ taken }) => taken);
  const first = differences.filter(
    ({ kind }, index) => differences.findIndex((other) => other.kind === kind) === index,
  );
  return first.length === 0 ? [] : [`[not exactly your old text; taken ${first.map(TAKEN_AS).join(', ')}]`];
}

const TAKEN: Readonly<Record<TakenFor['kind'], (taken: TakenFor) => string>> = {
  trailing_blanks: () => 'without regard to blanks at line ends',
  indentation: ({ yours, file }) => `with the file's indentation (${blanksOf(file)} for your ${blanksOf(yours)})`,
  typography: (taken) => `with the file's letters (${inPlaceOf(taken)})`,
  entities: (taken) => `with HTML entities read (${inPlaceOf(taken)})`,
  escapes: (taken) => `with escapes read (${inPlaceOf(taken)})`,
  line_numbers: () => 'without the numbers before your lines',
  diff_signs: () => 'without the signs of a diff before your lines',
  final_newline: () => 'without a line end after the last line, as the file is',
};

const TAKEN_AS = (taken: TakenFor): string => TAKEN[taken.kind](taken);

const inPlaceOf = ({ yours, file }: TakenFor): string => `${JSON.stringify(file)} for your ${JSON.stringify(yours)}`;

function blanksOf(indentation: string): string {
  const tabs = indentation.split('\t').length - 1;
  if (tabs === 0) return indentation === '' ? 'none' : countOf(indentation.length, 'blank');
  return tabs === indentation.length ? countOf(tabs, 'tab') : `${countOf(tabs, 'tab')} and blanks`;
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
