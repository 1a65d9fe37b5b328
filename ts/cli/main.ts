#!/usr/bin/env node
import { nearest } from '../config/nearest.js';
import { HandrailError, isHandrailError } from '../errors.js';
import { VERSION } from '../version.js';
import { ownArguments, showableName } from './arguments.js';
import type { Command } from './command.js';
import { COMMANDS, type CommandName, findCommand, HELP_COMMAND } from './command-table.js';
import { EXIT } from './exit-code.js';
import { Outputs } from './outputs.js';
import { UsageError } from './usage-error.js';

/** Runs a command and returns its exit code. */
type RunCommand = (args: readonly string[], outputs: Outputs) => Promise<number>;

/** Loads the code of each command when it is called, so that help and completion start fast. */
const COMMAND_LOADERS: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  run: async () => {
    assertWorkingDirectory();
    return (await import('./run.js')).run;
  },
  explain: async () => {
    assertWorkingDirectory();
    return (await import('./explain.js')).explain;
  },
  redact: async () => (await import('./redact.js')).redact,
  mcp: async () => {
    assertWorkingDirectory();
    return (await import('./mcp.js')).mcp;
  },
  serve: async () => {
    assertWorkingDirectory();
    return (await import('./serve.js')).serve;
  },
  audit: async () => (await import('./audit.js')).audit,
  session: async () => (await import('./session.js')).session,
  bus: async () => (await import('./bus.js')).bus,
  doctor: async () => {
    assertWorkingDirectory();
    return (await import('./doctor.js')).doctor;
  },
  undo: async () => {
    assertWorkingDirectory();
    return (await import('./undo.js')).undo;
  },
  trust: async () => {
    assertWorkingDirectory();
    return (await import('./trust.js')).trust;
  },
  demo: async () => (await import('./demo.js')).demo,
  completion: async () => (await import('./completion.js')).completion,
};

async function main(args: readonly string[], outputs: Outputs): Promise<number> {
  const [name = '', ...rest] = args;
  const ownArgs = ownArguments(rest, findCommand(name));
  if (name === HELP_COMMAND.name) return await showHelp(rest[0], outputs);
  if (args.length === 0 || name === '--help' || name === '-h') return await showHelp(undefined, outputs);
  if (ownArgs.includes('--help') || ownArgs.includes('-h')) {
    return await showHelp(name.startsWith('-') ? undefined : name, outputs);
  }
  if (name === '--version' || name === '-v' || name === '-V') return await print(`${VERSION}\n`, outputs);
  if (name === '' || name.startsWith('-')) throw new UsageError(`which command? There are ${commandNames()}`);
  const command = knownCommand(name);
  const perform = await COMMAND_LOADERS[command.name]();
  return await perform(rest, outputs);
}

/** Prints the help of the command `name`, or the general help. */
async function showHelp(name: string | undefined, outputs: Outputs): Promise<number> {
  const command = name === undefined ? undefined : knownCommand(name);
  const { commandHelp, mainHelp } = await import('./help.js');
  return await print(command === undefined ? mainHelp() : commandHelp(command), outputs);
}

function knownCommand(name: string): Command & { readonly name: CommandName } {
  const command = findCommand(name);
  if (command !== undefined) return command;
  const probableName = nearest(
    name,
    COMMANDS.map((known) => known.name),
  );
  throw new UsageError(
    probableName === undefined
      ? `there is no command ${showableName(name)}; there are ${commandNames()}`
      : `there is no command ${showableName(name)}; did you mean ${probableName}?`,
  );
}

function commandNames(): string {
  const names: readonly string[] = COMMANDS.map(({ name }) => name);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Fails when the working directory was removed: no command can start in it. */
function assertWorkingDirectory(): void {
  try {
    process.cwd();
  } catch (cause) {
    throw new HandrailError('ERR_SYSTEM', 'The working directory does not exist any more', { cause });
  }
}

async function print(text: string, outputs: Outputs): Promise<number> {
  await outputs.write('stdout', text);
  return EXIT.ok;
}

/**
 * Reports an error without its stack: a mistake on the command line, or an error of Handrail. With `--json` the report
 * goes to the stream on which the result was expected.
 */
async function report(error: unknown, args: readonly string[], outputs: Outputs): Promise<number> {
  const isUsage = error instanceof UsageError;
  if (!isUsage && !isHandrailError(error)) return await reportBug(error, outputs);
  const { message, code } = error;
  const command = findCommand(args[0] ?? '');
  if (ownArguments(command === undefined ? args : args.slice(1), command).includes('--json')) {
    await outputs.write(command?.errorsTo ?? 'stdout', `${JSON.stringify({ error: { code, message } }, null, 2)}\n`);
  } else if (isUsage) {
    await outputs.remark(
      `handrail: ${message}\nsee handrail ${command === undefined ? '' : `${command.name} `}--help\n`,
    );
  } else {
    await outputs.remark(`handrail: ${message} (${code})\n`);
  }
  return EXIT.failure;
}

/** Reports a bug with its stack, for its report and repair. */
async function reportBug(error: unknown, outputs: Outputs): Promise<number> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await outputs.remark(`handrail: this is a bug in Handrail\n${text}\n`);
  return EXIT.failure;
}

/** The exit code: `code`, or another one when the output could not be written. */
async function finalCode(code: number, outputs: Outputs): Promise<number> {
  const { failure } = outputs;
  if (failure === undefined) return code;
  if (failure.code === 'EPIPE') return EXIT.unread;
  await outputs.remark(`handrail: the output could not be written (${failure.stream}: ${failure.code})\n`);
  return EXIT.failure;
}

const args = process.argv.slice(2);
const outputs = new Outputs(process.stdout, process.stderr);
const code = await main(args, outputs).catch((error: unknown) => report(error, args, outputs));
process.exitCode = await finalCode(code, outputs);
// The work is over. Output that a stalled reader has not taken must not keep the process alive.
if (!outputs.settled) process.exit();
