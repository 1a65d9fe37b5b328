import type { Command, Completion, Option } from '../command.js';
import { COMMANDS, HELP_COMMAND, MAIN_OPTIONS } from '../command-table.js';

/**
 * The completion script for bash 4. It does not use the package `bash-completion`, which is not installed everywhere.
 */
export function bashCompletion(): string {
  return `# Completion of handrail for bash, printed by: handrail completion bash

# Completes $word as $1: files, folders, programs, variables, or one of the words that follow.
_handrail_values() {
  local name
  case $1 in
    files)
      compopt -o filenames 2> /dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      ;;
    folders)
      compopt -o filenames 2> /dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      ;;
    programs)
      if [[ $word == */* ]]; then
        _handrail_values files
        return
      fi
      # Functions and builtins of the shell are no programs.
      while IFS= read -r name; do
        # Nothing quotes what is offered here: a name that a shell would read otherwise is left to be typed.
        [[ $name == *[^A-Za-z0-9._+@%-]* ]] && continue
        type -P "$name" > /dev/null && COMPREPLY+=("$name")
      done < <(compgen -c -- "$word")
      ;;
    variables) mapfile -t COMPREPLY < <(compgen -e -- "$word") ;;
    words) mapfile -t COMPREPLY < <(compgen -W "\${*:2}" -- "$word") ;;
  esac
}

_handrail() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} prefix= option= operands=0 ended= index
  local options= values= operand= list= IFS=$' \\t\\n'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _handrail_values words ${[...COMMANDS.map(({ name }) => name), HELP_COMMAND.name].join(' ')} ${optionNames(MAIN_OPTIONS)}
    return
  fi
  case $command in
${COMMANDS.map(commandCase).join('\n')}
    ${HELP_COMMAND.name}) operand='words ${COMMANDS.map(({ name }) => name).join(' ')}' ;;
    *) return ;;
  esac

  # What stands before: an option that waits for its value, and how many operands there are.
  for ((index = 2; index < COMP_CWORD; index++)); do
    if [[ -n $ended ]]; then
      operands=$((operands + 1))
    elif [[ -n $option ]]; then
      # Bash takes --option=value apart.
      [[ \${COMP_WORDS[index]} == = ]] || option=
    else
      case \${COMP_WORDS[index]} in
        --) ended=1 ;;
        -*) [[ " $values " == *" \${COMP_WORDS[index]} "* ]] && option=\${COMP_WORDS[index]} ;;
        *)
          operands=$((operands + 1))
          [[ $operand == command ]] && ended=1
          ;;
      esac
    fi
  done

  if [[ -z $option && -z $ended && $word == --*=* ]]; then
    option=\${word%%=*} prefix=$option= word=\${word#*=}
  elif [[ -n $option && $word == = ]]; then
    word=
  fi
  if [[ -n $option ]]; then
    if [[ " $list " == *" $option "* && $word == *,* ]]; then
      prefix+=\${word%,*}, word=\${word##*,}
    fi
    case "$command $option" in
${COMMANDS.flatMap(valueCases).join('\n')}
    esac
    for index in "\${!COMPREPLY[@]}"; do
      COMPREPLY[index]=$prefix\${COMPREPLY[index]}
    done
  elif [[ -z $ended && ($word == -* || -z $operand) ]]; then
    _handrail_values words "$options"
  elif [[ $operand == command ]]; then
    ((operands == 0)) && _handrail_values programs || _handrail_values files
  elif ((operands == 0)) || [[ $operand == files ]]; then
    # shellcheck disable=SC2086 # the kind, and words
    _handrail_values $operand
  fi
}

complete -F _handrail handrail
`;
}

/** The case of a command in the script: its options, those with values, and the kind of its operands. */
function commandCase({ name, options, operands }: Command): string {
  const valued = options.filter(({ kind }) => kind !== 'flag');
  const lists = valued.filter(({ list }) => list === true);
  const parts = [
    `options='${optionNames(options)}${operands?.completes === 'command' ? ' --' : ''}'`,
    ...(valued.length > 0 ? [`values='${optionNames(valued)}'`] : []),
    ...(lists.length > 0 ? [`list='${optionNames(lists)}'`] : []),
    ...(operands === undefined ? [] : [`operand='${operandKind(operands.completes)}'`]),
  ];
  return [`    ${name})`, ...parts.map((part) => `      ${part}`), '      ;;'].join('\n');
}

function valueCases({ name, options }: Command): string[] {
  return options.flatMap(({ name: option, completes }) =>
    completes === undefined || completes === 'nothing'
      ? []
      : [`      '${name} --${option}') _handrail_values ${operandKind(completes)} ;;`],
  );
}

function operandKind(completes: Completion | 'command'): string {
  return typeof completes === 'string' ? completes : `words ${completes.join(' ')}`;
}

function optionNames(options: readonly Option[]): string {
  return options.map(({ name }) => `--${name}`).join(' ');
}
