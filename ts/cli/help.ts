import type { Command, Option } from './command.js';
import { COMMANDS, DOCTOR, EXPLAIN, HELP_COMMAND, MAIN_OPTIONS, RUN } from './command-table.js';
import { REDACT } from './redact-options.js';
import { wrap } from './wrap.js';

const WIDTH = 80;

/** Columns between a name and its text. */
const GAP = 2;

/** What `handrail COMMAND --help` says. */
export function commandHelp(command: Command): string {
  return page([
    [`handrail ${command.name} ${usage(command)}`],
    wrap(command.about, WIDTH),
    ['Options:', ...columns(command.options.map((option) => [optionName(option), option.text]))],
    ['Examples:', ...command.examples.map(({ line, text }) => `  ${line}${text === undefined ? '' : `   # ${text}`}`)],
    ['Exit codes:', ...exitCodes(command)],
  ]);
}

/** What `handrail --help` says. */
export function mainHelp(): string {
  return page([
    ['handrail: guarded hands for AI agents'],
    job('Run a program: judged, confined, ended with everything it started, redacted.', RUN),
    job('See what a command would start, and whether it may.', EXPLAIN),
    job('Mask the secrets in a text before somebody reads it.', REDACT),
    job('See what this machine can enforce, and what to do about the rest.', DOCTOR),
    ['Commands:', ...columns([...COMMANDS, HELP_COMMAND].map(({ name, summary }) => [name, summary]))],
    ['Options:', ...columns(MAIN_OPTIONS.map((option) => [optionName(option), option.text]))],
    ['handrail COMMAND --help shows options, examples and exit codes of a command.'],
  ]);
}

/** What somebody wants, and the command for it. */
function job(text: string, { examples }: Command): string[] {
  return [text, ...examples.slice(0, 1).map(({ line }) => `  ${line}`)];
}

function page(parts: readonly (readonly string[])[]): string {
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function usage({ operands, options }: Command): string {
  const [only, help] = options.filter(({ name }) => name !== 'help');
  const named = only !== undefined && help === undefined ? `[--${only.name}]` : '[options]';
  return [...(only === undefined ? [] : [named]), ...(operands === undefined ? [] : [operands.shown])].join(' ');
}

function optionName({ name, short, value }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function exitCodes({ exitCodes }: Command): string[] {
  const numbers = exitCodes.filter(([, meaning]) => meaning !== '');
  const words = exitCodes.filter(([, meaning]) => meaning === '').map(([code]) => `  ${code}`);
  return [...words, ...columns(numbers.map(([code, meaning]) => [code.padStart(3), meaning]))];
}

/** Names, with their texts beside them. */
function columns(rows: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + GAP;
  return rows.flatMap(([name, text]) =>
    wrap(text, WIDTH - GAP - width).map(
      (line, index) => `${' '.repeat(GAP)}${(index === 0 ? name : '').padEnd(width)}${line}`,
    ),
  );
}
