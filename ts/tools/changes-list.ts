import * as z from 'zod/mini';
import type { ChangedFile, ChangeHistory, ChangeRecord } from '../files/answers.js';
import { MAX_CHANGES } from '../files/limits.js';
import { formatDuration } from '../report/render.js';
import { callerOf } from './call-context.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import type { ToolHost } from './host.js';
import { fileDiffLines } from './render-diff.js';
import { fittingRows, type TextRow } from './render-search.js';

/** Calls that are listed when the model says nothing. */
const DEFAULT_LISTED = 20;

/** Most files of a call that are named; the others are counted. */
const MAX_NAMED_FILES = 10;

const OPERATIONS = { add: 'created', update: 'changed', delete: 'removed' } as const;

/** The tool `changes_list`: the calls of the model that changed files. */
export const changesList = defineFileTool({
  name: 'changes_list',
  annotations: { title: 'List changes of files', ...READ_ONLY_ANNOTATIONS },
  schema: () =>
    z.strictObject({
      limit: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(MAX_CHANGES),
            z.describe(`Most calls, the newest first. Default: ${DEFAULT_LISTED}.`),
          ),
      ),
      diff: z.optional(z.boolean().check(z.describe('Show what each call changed. Default: false.'))),
    }),
  describe: ({ staged }) =>
    staged
      ? 'List your calls that changed files, newest first, each with its id and its files: file_write, file_edit, file_patch, ' +
        'changes_undo, and commands (layer_commit).'
      : 'List your calls of file_write, file_edit, file_patch and changes_undo, newest first, each with its id and its files. ' +
        'What commands changed is not among them.',
  run: ({ limit = DEFAULT_LISTED, diff }, call, { files }) => files.history({ limit, diff, caller: callerOf(call) }),
  render: rendered,
});

function rendered({ changes, truncated, failure }: ChangeHistory, _args: unknown, host: ToolHost): string {
  const rows = changes.flatMap((change): TextRow[] => [
    { text: changeLine(change), results: 1 },
    ...fileDiffLines(change.files).map((text): TextRow => ({ text, results: 0 })),
  ]);
  const { texts, results } = fittingRows(rows, { ...host, readTokens: host.resultTokens });
  const rest = results < changes.length ? '[older calls do not fit]' : '[the rest of its files does not fit]';
  const lines = [
    ...texts,
    ...(texts.length < rows.length ? [rest] : []),
    ...(truncated ? ['[older calls are left; ask with a larger limit]'] : []),
    ...(failure === undefined ? [] : [`[the last change cannot be taken back: ${failure}]`]),
  ];
  return lines.length === 0 ? '[no changes]' : lines.join('\n');
}

/** One call that changed files, for a person or a model. */
export function changeLine({ id, timeMs, tool, state, undoes, files, fileCount }: ChangeRecord): string {
  const age = formatDuration(Math.max(0, Date.now() - timeMs));
  const shownState = state === 'done' ? '' : ` [${STATES[state]}]`;
  const what = undoes.length === 0 ? tool : `${tool} of ${undoes.join(', ')}`;
  return `${id} ${age} ago ${what}${shownState}: ${namedFiles(files, fileCount)}`;
}

const STATES = {
  undone: 'taken back',
  interrupted: 'ended half way',
  unkept: 'too large to be taken back',
} as const;

/** The files of a call with what became of them. */
export function namedFiles(files: readonly ChangedFile[], count = files.length): string {
  const named = files.slice(0, MAX_NAMED_FILES).map(({ path, operation }) => `${OPERATIONS[operation]} ${path}`);
  const rest = count - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
