import { readArguments } from './arguments.js';
import { COMPLETION, SHELLS } from './command-table.js';
import { bashCompletion } from './completion/bash.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { UsageError } from './usage-error.js';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Runs `handrail completion` and returns its exit code. */
export async function completion(args: readonly string[], outputs: Outputs): Promise<number> {
  const { words } = readArguments(args, COMPLETION);
  const shell = SHELLS.find((name) => name === words[0]);
  if (shell === undefined || words.length > 1) {
    throw new UsageError(`completion takes the name of a shell: ${SHELLS.join(', ')}`);
  }
  await outputs.write('stdout', SCRIPTS[shell]());
  return EXIT.ok;
}
