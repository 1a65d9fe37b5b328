import type { Command, Completion, Operands, Option } from '../command.js';
import { COMMANDS, HELP_COMMAND, MAIN_OPTIONS } from '../command-table.js';

/** The completion function of zsh for a value, by its kind. */
const VALUE_FUNCTIONS: Readonly<Record<Exclude<Completion, readonly string[]>, string>> = {
  files: '_files',
  folders: '_files -/',
  programs: '_handrail_programs',
  variables: '_handrail_variables',
  nothing: ' ',
};

/** The completion script for zsh. It is read with `source`, or saved as `_handrail` in a folder of `fpath`. */
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
${[...COMMANDS, HELP_COMMAND].map(commandDescription).join('\n')}
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
${MAIN_OPTIONS.map((option) => `    ${quoted(`(- *)--${option.name}[${shortText(option.text)}]`)} \\`).join('\n')}
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

function commandDescription({ name, summary }: Pick<Command, 'name' | 'summary'>): string {
  return `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`;
}

function commandCase({ name, options, operands }: Command): string {
  const specs = [...options.map(optionSpec), ...operandSpecs(operands)].map(quoted);
  // -S: words after -- are no options of ours.
  return [`    ${name})`, '      _arguments -S \\', ...specs.map(continuedLine), '      ;;'].join('\n');
}

function continuedLine(spec: string, index: number, allSpecs: readonly string[]): string {
  return `        ${spec}${index === allSpecs.length - 1 ? '' : ' \\'}`;
}

function optionSpec(option: Option): string {
  const { name, kind, text, value } = option;
  if (kind === 'flag') return `${name === 'help' ? '(- *)' : ''}--${name}[${shortText(text)}]`;
  const repeated = kind === 'values' ? '*' : '';
  return `${repeated}--${name}=[${shortText(text)}]:${value}:${action(option)}`;
}

function action({ completes = 'nothing', list }: Option): string {
  const valueAction = typeof completes === 'string' ? VALUE_FUNCTIONS[completes] : `(${completes.join(' ')})`;
  return list === true ? `_sequence ${valueAction}` : valueAction;
}

function operandSpecs(operands: Operands | undefined): string[] {
  if (operands === undefined) return [];
  const { completes } = operands;
  if (completes === 'command') return ['(-)1:program:_handrail_programs', '*::arguments:_normal'];
  return [
    `${completes === 'files' ? '*' : '1'}:${operands.usageText.replace(/[^A-Za-z|]/g, '')}:${action({ name: '', kind: 'value', text: '', completes })}`,
  ];
}

/** The first part of a text, escaped for the brackets of an option specification. */
function shortText(text: string): string {
  const [part = ''] = text.split(/[;.(]/);
  return part.trim().replace(/[\\[\]:]/g, '\\$&');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
