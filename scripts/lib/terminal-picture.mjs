// Draws the output of a program as an SVG picture of a terminal: characters in a grid, with their colours.
const COLUMNS = 80;
const ROWS = 24;
const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const BACKGROUND = '#0d1117';
const DEFAULT_STYLE = 'fill="#c9d1d9"';
/** SVG attributes by SGR code (bold, dim, red, green, yellow). */
const STYLE_OF_SGR = {
  1: 'fill="#f0f6fc" font-weight="bold"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#56d364"',
  33: 'fill="#e3b341"',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for escape sequences
const SEQUENCE = /\u001b\[(\d*)m/;

/** The lines of `text`, each as a list of `[style, text]`. */
function styledLines(text) {
  let style = DEFAULT_STYLE;
  return text.split('\n').map((line) =>
    line.split(new RegExp(SEQUENCE, 'g')).flatMap((part, index) => {
      if (index % 2 === 0) return part === '' ? [] : [[style, part]];
      style = STYLE_OF_SGR[part] ?? DEFAULT_STYLE;
      return [];
    }),
  );
}

/** Words with single spaces between them. SVG collapses longer runs of spaces, so they are not drawn. */
const WORDS = /[^ ]+(?: [^ ]+)*/g;

const countCharacters = (text) => [...text].length;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * @param {string} written output of the program: only text, line ends and colours
 * @param {string} title for screen readers
 * @throws {Error} when the output and a prompt do not fit a terminal of 80x24
 */
export function terminalPicture(written, title) {
  const lines = styledLines(written.replace(/\n$/, ''));
  const widest = Math.max(...lines.map((line) => line.reduce((sum, [, text]) => sum + countCharacters(text), 0)));
  if (widest > COLUMNS || lines.length >= ROWS) {
    throw new Error(`${lines.length} lines of up to ${widest} characters do not fit ${COLUMNS}x${ROWS}`);
  }
  if (lines.some((line) => line.some(([, text]) => text.includes('\u001b')))) throw new Error('more than colours');
  const rows = lines.flatMap((line, row) => {
    const y = MARGIN + (row + 1) * CELL.height - 5;
    let column = 0;
    return line.flatMap(([style, text]) => {
      const start = column;
      column += countCharacters(text);
      return [...text.matchAll(WORDS)].map(({ 0: words, index }) => {
        const x = (MARGIN + (start + countCharacters(text.slice(0, index))) * CELL.width).toFixed(1);
        // In any font, words get the width of their cells.
        const width = (countCharacters(words) * CELL.width).toFixed(1);
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

/** Replaces all numbers of a picture, which differ between runs, and with them the widths of words. */
export function withoutNumbers(picture) {
  return picture.replaceAll(/\d[\d,.]*/g, '0');
}
