import type { FileRefusal, ReadFile } from '../files/answers.js';
import { countChars, firstChars } from '../redaction/fit.js';

/** Most characters of one line of a file that a model is shown; the others are counted. */
export const MAX_SHOWN_LINE_CHARS = 2_000;

/** Characters of a result that are kept free for its heading and its notes. */
const HEADING_AND_NOTES_CHARS = 200;

/** A refusal for the model: why nothing was done, and what to do instead. */
export function renderRefusal({ message, hint }: FileRefusal): string {
  return hint === undefined ? message : `${message}\nhint: ${hint}`;
}

/**
 * A file as a model reads it: as many of its lines as fit, numbered or not. A heading names what is unusual about the file,
 * a note says how to read on.
 */
export function renderRead(data: ReadFile, withNumbers: boolean, maxChars: number): string {
  if (data.binary) return `${data.path} is binary (${data.bytes} bytes); text was not returned.`;
  if (data.bytes === 0) return `${data.path} is empty (0 bytes).`;
  const { shown, lastLine } = fittingLines(data, withNumbers, maxChars - HEADING_AND_NOTES_CHARS);
  const left = data.totalLines - lastLine;
  const notes = [
    ...(left > 0 ? [`[More: offset=${lastLine + 1} (${counted(left, 'line')} left).]`] : []),
    ...(data.redactions > 0 ? [`[${counted(data.redactions, 'secret')} masked in this file]`] : []),
  ];
  return [...heading(data, lastLine), shown, ...notes].join('\n');
}

/** Bytes of a file that a result has room for beside its heading, its notes and the line numbers. */
export function readableBytes(maxChars: number, withNumbers: boolean): number {
  const room = Math.max(1, maxChars - HEADING_AND_NOTES_CHARS);
  return Math.max(1, Math.floor(withNumbers ? room / 2 : room));
}

/** A line about what is unusual: lines left out, line ends, encoding. None for a plain file that is shown whole. */
function heading(data: ReadFile, lastLine: number): string[] {
  const traits = [
    ...(data.newline === 'crlf' ? ['CRLF'] : []),
    ...(data.newline === 'mixed' ? ['mixed line ends'] : []),
    ...(data.encoding === 'unknown' ? ['unknown encoding, only plain ASCII is editable'] : []),
    ...(data.encoding.startsWith('utf-16') ? [data.encoding.toUpperCase()] : []),
    ...(data.bom && data.encoding === 'utf-8' ? ['BOM'] : []),
  ];
  const whole = data.firstLine === 1 && lastLine === data.totalLines;
  if (whole && traits.length === 0) return [];
  const lines = `lines ${data.firstLine}-${lastLine} of ${data.totalLines}`;
  return [`${data.path}  ${[lines, ...traits].join(', ')}`];
}

/** Whole lines from the first on, at least one, within `room` characters. */
function fittingLines(data: ReadFile, withNumbers: boolean, room: number): { shown: string; lastLine: number } {
  const lines = data.text.split(/\r?\n/);
  // Long lines are cut only when the whole text does not fit.
  const shorten = data.text.length <= room ? (line: string): string => line : shortened;
  if (lines.length > data.lastLine - data.firstLine + 1) lines.pop();
  const shown: string[] = [];
  let left = Math.max(room, 1);
  for (const [index, line] of lines.entries()) {
    const text = `${withNumbers ? `${data.firstLine + index}\t` : ''}${shorten(line)}`;
    const length = countChars(text) + 1;
    if (length > left && shown.length > 0) break;
    left -= length;
    shown.push(text);
  }
  return { shown: shown.join('\n'), lastLine: data.firstLine + shown.length - 1 };
}

function shortened(line: string): string {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return line;
  const rest = countChars(line) - MAX_SHOWN_LINE_CHARS;
  return rest <= 0 ? line : `${firstChars(line, MAX_SHOWN_LINE_CHARS)}[... ${rest} characters of this line omitted]`;
}

/** The lines of a text, each with its number in front. */
export function numbered(text: string, firstLine: number): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.map((line, index) => `${firstLine + index}\t${shortened(line)}`).join('\n');
}

/** The note about masks that became secrets again. */
export function restoredNote(restoredMasks: number): string[] {
  return restoredMasks === 0 ? [] : [`[${counted(restoredMasks, 'masked secret')} kept as it was]`];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
