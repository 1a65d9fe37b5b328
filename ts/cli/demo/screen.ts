import type { Style } from '../style.js';
import { wrap } from '../wrap.js';
import type { Outcome, Scene } from './scenes.js';

/** Width of the text of a side, in columns. */
const SIDE_WIDTH = 38;

const TITLE = 'The same four calls of a model: what it reads, and what it leaves behind.';

/** The model's text on one side, and the outcome. */
export interface SideOutcome {
  readonly modelText: string;
  readonly outcome: Outcome;
}

/** The title, and the names of the sides above their columns. */
export function headLines(names: readonly string[], style: Style): string[] {
  const line = '─'.repeat(SIDE_WIDTH + 1);
  return [style.dim(` ${TITLE}`), join(names.map((name) => cell(name, style.bold))), names.map(() => line).join('┼')];
}

/** The lines of a scene: the command, the model's text on each side, and the outcomes. */
export function sceneLines(scene: Scene, sideOutcomes: readonly SideOutcome[], style: Style): string[] {
  const command = sideOutcomes.map((_half, index) => cell(index === 0 ? `$ ${scene.command}` : '', style.bold));
  const chosenLines = sideOutcomes.map((half) => chooseLines(half.modelText, scene));
  const shownRows = Array.from({ length: scene.lines }, (_, index) =>
    join(chosenLines.map((lines) => cell(lines[index]))),
  );
  const verdicts = sideOutcomes.map(({ outcome }) => cell(outcome.text, outcome.good ? style.good : style.bad));
  return [join(command), ...shownRows, join(verdicts)];
}

function join(cells: readonly string[]): string {
  return cells.join('│').trimEnd();
}

/** A text, cut or padded to the width of a side. */
function cell(text = '', paint = (plain: string): string => plain): string {
  const cut = text.length > SIDE_WIDTH ? `${text.slice(0, SIDE_WIDTH - 1)}…` : text;
  return ` ${cut === '' ? '' : paint(cut)}${' '.repeat(SIDE_WIDTH - cut.length)}`;
}

/** The lines that the scene shows, broken at the width of a side. */
function chooseLines(modelText: string, { lines, from, before = 0 }: Scene): string[] {
  const allLines = modelText.split('\n').filter((line) => line !== '');
  const firstIndex = from === undefined ? 0 : allLines.findIndex((line) => from.test(line));
  const shownLines = allLines.slice(Math.max(0, firstIndex - before)).flatMap((line) => wrap(line, SIDE_WIDTH));
  return allLines.length === 0 ? ['(nothing)'] : shownLines.slice(0, lines);
}

/** The empty line between two scenes. */
export function gapLine(names: readonly unknown[]): string {
  return join(names.map(() => cell()));
}
