import type { Command, Completes, Operands, Option } from '../command.js';
import { COMMANDS, HELP_COMMAND, MAIN_OPTIONS } from '../command-table.js';

/** What completes a value, by its kind. */
const ACTIONS: Readonly<Record<Exclude<Completes, readonly string[]>, string>> = {
  files: '_files',
  folders: '_files -/',
  programs: '_handrail_programs',
  variables: '_handrail_variables',
  nothing: ' ',
};

/** The script for zsh: to be read with `source`, or to stand in a folder of `fpath` as `_handrail`. */
export function zshCompletion(): string {
  return `#compdef handrail
# Completion of handrail for zsh, printed by: handrail completion zsh

_handrail_programs() {
  _command_names -e "$@"
}

_handrail_variables() {
  _parameters -g '*-export(|-*)' "$@"
}

_handrail_commands() {
  local -a commands=(
${[...COMMANDS, HELP_COMMAND].map(described).join('\n')}
  )
  _describe -t commands command commands "$@"
}

_handrail_arguments() {
  case $words[1] in
${COMMANDS.map(commandCase).join('\n')}
    ${HELP_COMMAND.name})
      _arguments '1:command:_handrail_commands'
      ;;
  esac
}

_handrail() {
  _arguments \\
${MAIN_OPTIONS.map((option) => `    ${quoted(`(- *)--${option.name}[${explained(option.text)}]`)} \\`).join('\n')}
    '1:command:_handrail_commands' \\
    '*::arguments:_handrail_arguments'
}

if [[ $funcstack[1] == _handrail ]]; then
  _handrail "$@"
else
  compdef _handrail handrail
fi
`;
}

function described({ name, summary }: Pick<Command, 'name' | 'summary'>): string {
  return `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`;
}

function commandCase({ name, options, operands }: Command): string {
  const specs = [...options.map(optionSpec), ...operandSpecs(operands)].map(quoted);
  // -S: nothing behind -- is an option of ours.
  return [`    ${name})`, '      _arguments -S \\', ...specs.map(continued), '      ;;'].join('\n');
}

function continued(spec: string, index: number, all: readonly string[]): string {
  return `        ${spec}${index === all.length - 1 ? '' : ' \\'}`;
}

function optionSpec(option: Option): string {
  const { name, kind, text, value } = option;
  if (kind === 'flag') return `${name === 'help' ? '(- *)' : ''}--${name}[${explained(text)}]`;
  const repeated = kind === 'values' ? '*' : '';
  return `${repeated}--${name}=[${explained(text)}]:${value}:${action(option)}`;
}

function action({ completes = 'nothing', list }: Option): string {
  const one = typeof completes === 'string' ? ACTIONS[completes] : `(${completes.join(' ')})`;
  return list === true ? `_sequence ${one}` : one;
}

function operandSpecs(operands: Operands | undefined): string[] {
  if (operands === undefined) return [];
  const { completes } = operands;
  if (completes === 'command') return ['(-)1:program:_handrail_programs', '*::arguments:_normal'];
  return [
    `${completes === 'files' ? '*' : '1'}:${operands.shown.replace(/[^A-Za-z|]/g, '')}:${action({ name: '', kind: 'value', text: '', completes })}`,
  ];
}

/** The first part of a text, as it may stand between the brackets of a specification. */
function explained(text: string): string {
  const [part = ''] = text.split(/[;.(]/);
  return part.trim().replace(/[\\[\]:]/g, '\\$&');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
