import type { Command, Completion, Option } from '../command.js';
import { COMMANDS, HELP_COMMAND, MAIN_OPTIONS } from '../command-table.js';

/** The arguments of `complete` for a value, by its kind. */
const VALUE_ARGUMENTS: Readonly<Record<Exclude<Completion, readonly string[]>, string>> = {
  files: '-r -F',
  folders: `-x -a '(__fish_complete_directories)'`,
  programs: `-x -a '(__handrail_programs)'`,
  variables: `-x -a '(set -nx)'`,
  nothing: '-x',
};

/** The arguments of `complete` for the entries of a list with commas, by their kind. */
const LIST_ARGUMENTS: Readonly<Record<string, string>> = {
  programs: `-x -a '(__handrail_list (__handrail_programs))'`,
  variables: `-x -a '(__handrail_list (set -nx))'`,
};

/** The completion script for fish 3.5. It is read with `source`, or saved as `handrail.fish` in a folder of completions. */
export function fishCompletion(): string {
  return `# Completion of handrail for fish, printed by: handrail completion fish

# The operands of command $argv[1] so far; $argv[2] says whether the first is a program, the others take a value.
function __handrail_operands
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"; or return 1
    set -l waits 0
    set -l ended 0
    for word in $words[3..]
        if test $ended = 1
            printf '%s\\n' $word
        else if test $waits = 1
            set waits 0
        else if test "$word" = --
            set ended 1
            printf '%s\\n' --
        else if string match -q -- '-*' "$word"
            contains -- "$word" $argv[3..]; and set waits 1
        else
            printf '%s\\n' $word
            test "$argv[2]" = program; and set ended 1
        end
    end
    return 0
end

# Whether an option of ours can stand here.
function __handrail_options
    set -l operands (__handrail_operands $argv); or return 1
    contains -- -- $operands; and return 1
    test "$argv[2]" != program; or test (count $operands) -eq 0
end

# Whether the first operand, or one more with $argv[1] = more, can stand here.
function __handrail_at
    set -l operands (__handrail_operands $argv[2..]); or return 1
    test "$operands[1]" = --; and set -e operands[1]
    if test "$argv[1]" = more
        test (count $operands) -gt 0
    else
        test (count $operands) -eq 0
    end
end

# What the program itself would be offered.
function __handrail_program
    set -l operands (__handrail_operands $argv)
    test "$operands[1]" = --; and set -e operands[1]
    complete -C "$(string join ' ' -- (string escape -- $operands)) $(commandline -ct)"
end

function __handrail_programs
    path filter -f -x -- $PATH/* | path basename | sort -u
end

# Each of $argv after the entries that stand there already.
function __handrail_list
    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
    for entry in $argv
        echo $typed$entry
    end
end

complete -c handrail -f
${MAIN_OPTIONS.map((option) => `complete -c handrail -n 'test (count (commandline -opc)) -eq 1' ${nameArguments(option)} -d ${quoted(option.text)}`).join('\n')}
${[...COMMANDS, HELP_COMMAND].map(({ name, summary }) => `complete -c handrail -n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${quoted(summary)}`).join('\n')}
complete -c handrail -n '__handrail_at first ${HELP_COMMAND.name} words' -a '${COMMANDS.map(({ name }) => name).join(' ')}'
${COMMANDS.map(commandLines).join('\n')}
`;
}

function commandLines(command: Command): string {
  const { name, options, operands } = command;
  const kind = operands?.completes === 'command' ? 'program' : 'words';
  const valued = options.flatMap(({ name: option, kind: takes }) => (takes === 'flag' ? [] : [`--${option}`]));
  const call = [name, kind, ...valued].join(' ');
  return [
    ...options.map((option) => `complete -c handrail -n '__handrail_options ${call}' ${optionArguments(option)}`),
    ...operandLines(command, call),
  ].join('\n');
}

function operandLines({ operands }: Command, call: string): string[] {
  if (operands === undefined) return [];
  const line = (place: string, action: string) => `complete -c handrail -n '__handrail_at ${place} ${call}' ${action}`;
  if (operands.completes === 'command') {
    return [line('first', `-a '(__fish_complete_command)'`), line('more', `-a '(__handrail_program ${call})'`)];
  }
  if (operands.completes === 'files') return [line('first', '-F'), line('more', '-F')];
  return typeof operands.completes === 'string' ? [] : [line('first', `-a '${operands.completes.join(' ')}'`)];
}

function optionArguments(option: Option): string {
  const { kind, text, completes = 'nothing', list } = option;
  const about = `-d ${quoted(text.split(/[;(]/)[0]?.trim() ?? '')}`;
  if (kind === 'flag') return `${nameArguments(option)} ${about}`;
  if (typeof completes !== 'string') return `${nameArguments(option)} -x -a '${completes.join(' ')}' ${about}`;
  return `${nameArguments(option)} ${(list === true ? LIST_ARGUMENTS[completes] : undefined) ?? VALUE_ARGUMENTS[completes]} ${about}`;
}

function nameArguments({ name, short }: Option): string {
  return short === undefined ? `-l ${name}` : `-s ${short} -l ${name}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
