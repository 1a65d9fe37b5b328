#!/usr/bin/env node
import { HandrailError, isHandrailError } from '../errors.js';
import { VERSION } from '../version.js';
import { ownArguments, shown } from './arguments.js';
import { doctor } from './doctor.js';
import { EXIT } from './exit-code.js';
import { Outputs } from './outputs.js';
import { run } from './run.js';
import { DOCTOR_USAGE, RUN_USAGE, USAGE, UsageError } from './usage.js';

interface Command {
  readonly perform: (args: readonly string[], outputs: Outputs) => Promise<number>;
  readonly usage: string;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['run', { perform: run, usage: RUN_USAGE }],
  ['doctor', { perform: doctor, usage: DOCTOR_USAGE }],
]);

async function main(args: readonly string[], outputs: Outputs): Promise<number> {
  const [name = '', ...rest] = args;
  const own = ownArguments(args);
  const command = COMMANDS.get(name);
  if (name === 'help') return await print(COMMANDS.get(rest[0] ?? '')?.usage ?? USAGE, outputs);
  if (own.includes('--help') || own.includes('-h')) return await print(command?.usage ?? USAGE, outputs);
  if (name === '--version') return await print(`${VERSION}\n`, outputs);
  if (command !== undefined) {
    assertFolder();
    return await command.perform(rest, outputs);
  }
  const known = [...COMMANDS.keys()].join(' and ');
  throw new UsageError(
    name === '' || name.startsWith('-')
      ? `which command? There are ${known}`
      : `there is no command ${shown(name)}, only ${known}`,
  );
}

/** A shell can stand in a folder that somebody has removed; nothing can start there. */
function assertFolder(): void {
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
 * Says what went wrong without a stack: mistakes on the command line, and what Handrail says of
 * itself. With `--json` it goes where the result was expected.
 */
async function report(error: unknown, args: readonly string[], outputs: Outputs): Promise<number> {
  const isUsage = error instanceof UsageError;
  if (!isUsage && !isHandrailError(error)) throw error;
  const { message } = error;
  const code = isUsage ? 'ERR_INVALID_ARGUMENT' : error.code;
  const [name = ''] = args;
  if (ownArguments(args).includes('--json')) {
    await outputs.write('stdout', `${JSON.stringify({ error: { code, message } }, null, 2)}\n`);
  } else if (isUsage) {
    const help = COMMANDS.has(name) ? `handrail ${name} --help` : 'handrail --help';
    await outputs.remark(`handrail: ${message}\nsee ${help}\n`);
  } else {
    await outputs.remark(`handrail: ${message} (${code})\n`);
  }
  return code === 'ERR_INVALID_ARGUMENT' ? EXIT.usage : EXIT.failure;
}

/** `code`, unless the output did not reach its reader. */
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
// Only a signal leaves something unwritten: a reader who stalls must not keep alive what it has ended.
if (!outputs.settled) process.exit();
