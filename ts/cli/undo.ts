import path from 'node:path';

import type { ChangeRecord } from '../files/answers.js';
import type { UndoOptions } from '../files/call.js';
import { Files } from '../files/files.js';
import { MAX_CHANGES } from '../files/limits.js';
import { changeLine, namedFiles } from '../tools/changes-list.js';
import { fileDiffLines } from '../tools/render-diff.js';
import { type CommandLine, lastValue, optionLabel, readArguments } from './arguments.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { assertDirectory } from './policy-options.js';
import { readablePath } from './shown-path.js';
import { UNDO } from './undo-options.js';
import { UsageError } from './usage-error.js';

/** Runs `handrail undo` and returns its exit code. */
export async function undo(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readArguments(args, UNDO);
  const dryRun = line.flags.has('dry-run');
  const options = { ...chosen(line), all: true, dryRun, diff: dryRun };
  const given = lastValue(line, 'root');
  if (given !== undefined) assertDirectory(given, `${optionLabel(line, 'root')} ${readablePath(given)}`);
  const root = path.resolve(given ?? '.');
  await using files = new Files({ roots: [{ path: root, mode: 'rw' }], changes: {} });
  const show = async (data: object, text: string): Promise<void> =>
    await outputs.write('stdout', line.flags.has('json') ? `${JSON.stringify(data, null, 2)}\n` : `${text}\n`);
  if (line.flags.has('list')) {
    const listed = await files.history({ all: true, limit: MAX_CHANGES, diff: line.flags.has('diff') });
    await show(listed, listed.ok ? listText(listed.changes) : listed.refusal.message);
    return listed.ok ? EXIT.ok : EXIT.found;
  }
  const undone = await files.undo(options);
  if (!undone.ok) {
    const { message, hint } = undone.refusal;
    await show(undone, hint === undefined ? message : `${message}. ${hint}`);
    return EXIT.found;
  }
  const what = undone.files.length === 0 ? 'every file has what it had already' : namedFiles(undone.files);
  const again = undone.id === undefined ? '' : `\nhandrail undo ${undone.id} makes the changes again`;
  const heading = `${undone.dryRun ? 'would take back' : 'took back'} ${undone.undone.join(', ')}: ${what}${again}`;
  await show(undone, [heading, ...fileDiffLines(undone.files)].join('\n'));
  return EXIT.ok;
}

function listText(changes: readonly ChangeRecord[]): string {
  if (changes.length === 0) return 'no changes';
  return changes.flatMap((change) => [changeLine(change), ...fileDiffLines(change.files)]).join('\n');
}

/** The calls that the command line names. */
function chosen(line: CommandLine): UndoOptions {
  const { words } = line;
  const last = lastValue(line, 'last');
  const since = lastValue(line, 'since');
  if (line.flags.has('diff') && !line.flags.has('list')) {
    throw new UsageError('--diff goes with --list; --dry-run shows what differs by itself');
  }
  if ([words.length > 0, last !== undefined, since !== undefined].filter(Boolean).length > 1) {
    throw new UsageError('give IDs, --last or --since, one of them');
  }
  if (since !== undefined) return { since };
  if (last === undefined) return words.length === 0 ? {} : { ids: words };
  const count = Number(last);
  if (!Number.isInteger(count) || count < 1 || count > MAX_CHANGES) {
    throw new UsageError(`--last takes a number from 1 to ${MAX_CHANGES}`);
  }
  return { last: count };
}
