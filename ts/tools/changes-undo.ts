import * as z from 'zod/mini';
import type { UndoneChanges } from '../files/answers.js';
import { MAX_CHANGES } from '../files/limits.js';
import { callerOf } from './call-context.js';
import { namedFiles } from './changes-list.js';
import { defineFileTool } from './file-tool.js';
import type { ToolHost } from './host.js';
import { MAX_PATH_CHARS } from './limits.js';
import { fileDiffLines } from './render-diff.js';
import { fittingRows, type TextRow } from './render-search.js';

/** Most calls that a result names. */
const MAX_NAMED_CALLS = 10;

const ID = z.string().check(z.minLength(1), z.maxLength(MAX_PATH_CHARS));

/** The tool `changes_undo`: calls of the model that changed files, taken back. */
export const changesUndo = defineFileTool({
  name: 'changes_undo',
  annotations: {
    title: 'Undo changes of files',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  schema: () =>
    z.strictObject({
      ids: z.optional(
        z
          .array(ID)
          .check(z.minLength(1), z.maxLength(MAX_CHANGES), z.describe('Ids of calls, as changes_list shows them.')),
      ),
      last: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(MAX_CHANGES),
            z.describe('Instead of ids: how many of the last calls. Default: 1.'),
          ),
      ),
      dry_run: z.optional(z.boolean().check(z.describe('Only say what would change. Default: false.'))),
    }),
  describe: ({ staged }) =>
    'Take back your own changes of files: each file gets what it had before. When somebody else has changed one of them ' +
    `since, nothing is changed.${staged ? '' : ' What commands changed is not taken back.'}`,
  run: ({ ids, last, dry_run: dryRun }, call, { files }) =>
    files.undo({ ids, last, dryRun, diff: dryRun, caller: callerOf(call), ofCaller: callerOf(call) }),
  render: rendered,
});

function rendered({ undone: ids, id, files, dryRun }: UndoneChanges, _args: unknown, host: ToolHost): string {
  const undone = [...ids.slice(0, MAX_NAMED_CALLS), ...(ids.length > MAX_NAMED_CALLS ? ['…'] : [])];
  const what = files.length === 0 ? 'every file has what it had already' : namedFiles(files);
  if (dryRun) {
    const heading = `Would take back ${undone.join(', ')}: ${what}.`;
    const rows = [heading, ...fileDiffLines(files)].map((text): TextRow => ({ text, results: 1 }));
    const { texts } = fittingRows(rows, { ...host, readTokens: host.resultTokens });
    return [...texts, ...(texts.length < rows.length ? ['[the rest does not fit]'] : [])].join('\n');
  }
  const again = id === undefined ? '' : `\n[changes_undo with ids ["${id}"] makes the changes again]`;
  return `Took back ${undone.join(', ')}: ${what}.${again}`;
}
