#!/usr/bin/env node
import { isHandrailError } from '../errors.js';
import { VERSION } from '../version.js';
import { doctor } from './doctor.js';
import { EXIT } from './exit-code.js';
import { run } from './run.js';
import { USAGE, UsageError } from './usage.js';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { run, doctor };

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--version') return print(`${VERSION}\n`);
  if (name === '--help' || name === '-h' || args[0] === '--help') return print(USAGE);
  const command = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (command === undefined) throw new UsageError(name === undefined ? 'what should be done?' : 'no such command');
  return await command(args);
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.ok;
}

/** A message for a person, without a stack: mistakes on the command line, and what Handrail says of itself. */
function report(error: unknown): number {
  if (isUsageError(error)) {
    process.stderr.write(`handrail: ${error.message}\n\n${USAGE}`);
    return EXIT.usage;
  }
  if (!isHandrailError(error)) throw error;
  process.stderr.write(`handrail: ${error.message} (${error.code})\n`);
  return error.code === 'ERR_INVALID_ARGUMENT' ? EXIT.usage : EXIT.failure;
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

// The exit code is set, not forced: what was written still has to reach its reader.
process.exitCode = await main(process.argv.slice(2)).catch(report);
