// Draws what a program wrote to a terminal as an SVG picture: its characters in a grid, with the colours it asked for.
const COLUMNS = 80;
const ROWS = 24;
const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const BACKGROUND = '#0d1117';
const TEXT = 'fill="#c9d1d9"';
/** What the codes of SGR turn on. */
const STYLES = {
  1: 'fill="#f0f6fc" font-weight="bold"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#56d364"',
  33: 'fill="#e3b341"',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SEQUENCE = /\u001b\[(\d*)m/;

/** The lines of `text` as stretches of one style: `[style, text]`. */
function stretchesOf(text) {
  let style = TEXT;
  return text.split('\n').map((line) =>
    line.split(new RegExp(SEQUENCE, 'g')).flatMap((part, index) => {
      if (index % 2 === 0) return part === '' ? [] : [[style, part]];
      style = STYLES[part] ?? TEXT;
      return [];
    }),
  );
}

/** Words with one space between them. SVG strips and joins other spaces, and browsers differ in how to keep them. */
const WORDS = /[^ ]+(?: [^ ]+)*/g;

const charactersOf = (text) => [...text].length;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * @param {string} written what the program wrote: text, line ends and colours, nothing else
 * @param {string} title read to those who cannot see it
 * @throws {Error} when it does not fit a terminal of 80x24, its prompt below
 */
export function terminalPicture(written, title) {
  const lines = stretchesOf(written.replace(/\n$/, ''));
  const widest = Math.max(...lines.map((line) => line.reduce((sum, [, text]) => sum + charactersOf(text), 0)));
  if (widest > COLUMNS || lines.length >= ROWS) {
    throw new Error(`${lines.length} lines of up to ${widest} characters do not fit ${COLUMNS}x${ROWS}`);
  }
  if (lines.some((line) => line.some(([, text]) => text.includes('\u001b')))) throw new Error('more than colours');
  const rows = lines.flatMap((line, row) => {
    const y = MARGIN + (row + 1) * CELL.height - 5;
    let column = 0;
    return line.flatMap(([style, text]) => {
      const start = column;
      column += charactersOf(text);
      return [...text.matchAll(WORDS)].map(({ 0: words, index }) => {
        const x = (MARGIN + (start + charactersOf(text.slice(0, index))) * CELL.width).toFixed(1);
        // Whatever the font, words take the place of their cells.
        const width = (charactersOf(words) * CELL.width).toFixed(1);
        const place = `x="${x}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
        return `<text ${place} ${style}>${escaped(words)}</text>`;
      });
    });
  });
  const width = Math.ceil(2 * MARGIN + COLUMNS * CELL.width);
  const height = 2 * MARGIN + (ROWS - 1) * CELL.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family='${FONT}' font-size="14">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** A picture without what differs from one run to the next: numbers, and the widths that follow from them. */
export function withoutNumbers(picture) {
  return picture.replaceAll(/\d[\d,.]*/g, '0');
}
