import type { FileRefusal, ReadFile } from '../files/answers.js';
import { countChars, firstChars } from '../redaction/fit.js';

/** Most characters of a line of a file that are shown; further ones are counted. */
export const MAX_SHOWN_LINE_CHARS = 2_000;

/** Characters that are reserved for the heading and the notes of a result. */
const FRAME_CHARS = 200;

/** A refusal for a model: why nothing was done, and what to do instead. */
export function renderRefusal({ message, hint }: FileRefusal): string {
  return hint === undefined ? message : `${message}\nhint: ${hint}`;
}

/**
 * A file for a model: as many of its lines as fit, with or without numbers. A heading tells of unusual line ends or
 * encodings, and a note how to read on.
 */
export function renderRead(data: ReadFile, withNumbers: boolean, maxChars: number): string {
  if (data.binary) return `${data.path} is binary (${data.bytes} bytes); text was not returned.`;
  if (data.bytes === 0) return `${data.path} is empty (0 bytes).`;
  const { shown, lastLine } = fittingLines(data, withNumbers, maxChars - FRAME_CHARS);
  const remainingLines = data.totalLines - lastLine;
  const notes = [
    ...(remainingLines > 0 ? [`[More: offset=${lastLine + 1} (${countOf(remainingLines, 'line')} left).]`] : []),
    ...(data.redactions > 0 ? [`[${countOf(data.redactions, 'secret')} masked in this file]`] : []),
  ];
  return [...heading(data, lastLine), shown, ...notes].join('\n');
}

/** How many bytes of a file fit into a result, leaving room for line numbers. */
export function readableBytes(maxChars: number, withNumbers: boolean): number {
  const room = Math.max(1, maxChars - FRAME_CHARS);
  return Math.max(1, Math.floor(withNumbers ? room / 2 : room));
}

/** A heading that says which lines are shown, and unusual line ends and encodings. None for a plain file shown as a whole. */
function heading(data: ReadFile, lastLine: number): string[] {
  const traits = [
    ...(data.newline === 'crlf' ? ['CRLF'] : []),
    ...(data.newline === 'mixed' ? ['mixed line ends'] : []),
    ...(data.encoding === 'unknown' ? ['unknown encoding, only plain ASCII is editable'] : []),
    ...(data.encoding.startsWith('utf-16') ? [data.encoding.toUpperCase()] : []),
    ...(data.bom && data.encoding === 'utf-8' ? ['BOM'] : []),
  ];
  const isWholeFile = data.firstLine === 1 && lastLine === data.totalLines;
  if (isWholeFile && traits.length === 0) return [];
  const lines = `lines ${data.firstLine}-${lastLine} of ${data.totalLines}`;
  return [`${data.path}  ${[lines, ...traits].join(', ')}`];
}

/** As many whole lines as fit into `room` characters, at least one. */
function fittingLines(data: ReadFile, withNumbers: boolean, room: number): { shown: string; lastLine: number } {
  const lines = data.text.split(/\r?\n/);
  // Long lines are shortened only when the whole text does not fit.
  const shorten = data.text.length <= room ? (line: string): string => line : shortened;
  if (lines.length > data.lastLine - data.firstLine + 1) lines.pop();
  const shownLines: string[] = [];
  let remainingChars = Math.max(room, 1);
  for (const [index, line] of lines.entries()) {
    const text = `${withNumbers ? `${data.firstLine + index}\t` : ''}${shorten(line)}`;
    const length = countChars(text) + 1;
    if (length > remainingChars && shownLines.length > 0) break;
    remainingChars -= length;
    shownLines.push(text);
  }
  return { shown: shownLines.join('\n'), lastLine: data.firstLine + shownLines.length - 1 };
}

function shortened(line: string): string {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return line;
  const hiddenChars = countChars(line) - MAX_SHOWN_LINE_CHARS;
  return hiddenChars <= 0
    ? line
    : `${firstChars(line, MAX_SHOWN_LINE_CHARS)}[... ${hiddenChars} characters of this line omitted]`;
}

/** The lines with their numbers. */
export function numbered(text: string, firstLine: number): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.map((line, index) => `${firstLine + index}\t${shortened(line)}`).join('\n');
}

/** A note that says how many masks were replaced by their secrets. */
export function restoredNote(restoredMasks: number): string[] {
  return restoredMasks === 0 ? [] : [`[${countOf(restoredMasks, 'masked secret')} kept as it was]`];
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
