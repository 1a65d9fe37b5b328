import type { Command, Option } from './command.js';
import { COMMANDS, DOCTOR, EXPLAIN, HELP_COMMAND, MAIN_OPTIONS, RUN } from './command-table.js';
import { REDACT } from './redact-options.js';
import { wrap } from './wrap.js';

const LINE_WIDTH = 80;

/** Spaces between a name and its text. */
const COLUMN_GAP = 2;

/** The text of `handrail COMMAND --help`. */
export function commandHelp(command: Command): string {
  return joinParts([
    [`handrail ${command.name} ${usage(command)}`],
    wrap(command.about, LINE_WIDTH),
    ['Options:', ...columns(optionRows(command))],
    ['Examples:', ...command.examples.map(({ line, text }) => `  ${line}${text === undefined ? '' : `   # ${text}`}`)],
    ['Exit codes:', ...exitCodes(command)],
  ]);
}

/** The text of `handrail --help`. */
export function mainHelp(): string {
  return joinParts([
    ['handrail: guarded hands for AI agents'],
    taskLines('Run a program: judged, confined, ended with everything it started, redacted.', RUN),
    taskLines('See what a command would start, and whether it may.', EXPLAIN),
    taskLines('Mask the secrets in a text before somebody reads it.', REDACT),
    taskLines('See what this machine can enforce, and what to do about the rest.', DOCTOR),
    ['Commands:', ...columns([...COMMANDS, HELP_COMMAND].map(({ name, summary }) => [name, summary]))],
    ['Options:', ...columns(MAIN_OPTIONS.map((option) => [optionName(option), option.text]))],
    ['handrail COMMAND --help shows options, examples and exit codes of a command.'],
  ]);
}

/** A task, and the command for it. */
function taskLines(text: string, { examples }: Command): string[] {
  return [text, ...examples.slice(0, 1).map(({ line }) => `  ${line}`)];
}

function joinParts(parts: readonly (readonly string[])[]): string {
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function usage({ operands, options }: Command): string {
  const [only, help] = options.filter(({ name }) => name !== 'help');
  const optionsText = only !== undefined && help === undefined ? `[--${only.name}]` : '[options]';
  return [...(only === undefined ? [] : [optionsText]), ...(operands === undefined ? [] : [operands.usageText])].join(
    ' ',
  );
}

function optionName({ name, short, value }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function optionRows({ options }: Command): (readonly [name: string, text: string])[] {
  const shown = options.filter(({ hasRow = true }) => hasRow);
  return shown.map((option) => [optionName(option), option.text]);
}

function exitCodes({ exitCodes }: Command): string[] {
  const numbers = exitCodes.filter(([, meaning]) => meaning !== '');
  const words = exitCodes.filter(([, meaning]) => meaning === '').map(([code]) => `  ${code}`);
  return [...words, ...columns(numbers.map(([code, meaning]) => [code.padStart(3), meaning]))];
}

/** Rows of a name and its text in two columns. */
function columns(rows: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + COLUMN_GAP;
  return rows.flatMap(([name, text]) =>
    wrap(text, LINE_WIDTH - COLUMN_GAP - width).map(
      (line, index) => `${' '.repeat(COLUMN_GAP)}${(index === 0 ? name : '').padEnd(width)}${line}`,
    ),
  );
}
