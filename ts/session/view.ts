/** Shows the updates of a session on a terminal. */
import type { SessionScreen } from './output.js';
import type { SessionUpdate } from './watch.js';

/** A terminal, or a file in its place. */
export interface ViewTarget {
  readonly isTerminal: boolean;
  /** Its width in characters. */
  readonly cols: () => number;
  /** Its height in rows. */
  readonly rows: () => number;
  /** What leads to the start of the next line: a terminal that is played back to adds no carriage return. */
  readonly lineEnd: '\n' | '\r\n';
}

const ESC = '\u001b[';
const ENTER_PICTURE = `${ESC}?1049h`;
const LEAVE_PICTURE = `${ESC}?1049l${ESC}?25h`;

/** What has to be written for each update. */
export class View {
  readonly #target: ViewTarget;
  #isPicture = false;
  /** The last line so far. */
  #line = '';
  #cursorBack = 0;

  constructor(target: ViewTarget) {
    this.#target = target;
  }

  show(update: SessionUpdate): string {
    if (update.kind === 'screen') return this.#picture(update.screen);
    const { text, replacesLine, cursorBack, skippedBytes } = update;
    const left = this.end();
    const { isTerminal, lineEnd } = this.#target;
    const gap = skippedBytes === 0 ? '' : `${lineEnd}[${skippedBytes} bytes were not shown]${lineEnd}`;
    if (!isTerminal) return `${gap}${replacesLine ? lineEnd : ''}${text}`;
    const start = replacesLine ? this.#backToStart() : this.#right(this.#cursorBack);
    this.#line = `${replacesLine || gap !== '' ? '' : this.#line}${text}`.split('\n').at(-1) ?? '';
    this.#cursorBack = cursorBack;
    return `${left}${gap}${start}${text.replaceAll('\n', lineEnd)}${cursorBack === 0 ? '' : `${ESC}${cursorBack}D`}`;
  }

  /** What brings the terminal back to lines. */
  end(): string {
    if (!this.#isPicture) return '';
    this.#isPicture = false;
    return LEAVE_PICTURE;
  }

  #backToStart(): string {
    const width = Math.max(1, this.#target.cols());
    const up = Math.floor(Math.max(0, [...this.#line].length - 1 - this.#cursorBack) / width);
    return `${up === 0 ? '' : `${ESC}${up}A`}\r${ESC}J`;
  }

  #right(count: number): string {
    return count === 0 ? '' : `${ESC}${count}C`;
  }

  #picture({ text, cursor }: SessionScreen): string {
    if (!this.#target.isTerminal) return `${text}\n`;
    const [cols, height] = [this.#target.cols(), this.#target.rows()];
    const rows = text.split('\n').slice(0, height);
    const clipped = rows.map((row) => `${[...row].slice(0, cols).join('')}${ESC}K`).join('\r\n');
    const start = this.#isPicture ? '' : ENTER_PICTURE;
    this.#isPicture = true;
    const place = `${ESC}${Math.min(cursor.row, height)};${Math.min(cursor.column, cols)}H`;
    return `${start}${ESC}?25l${ESC}H${clipped}${ESC}J${place}${cursor.visible ? `${ESC}?25h` : ''}`;
  }
}
