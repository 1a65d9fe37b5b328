import * as z from 'zod/mini';
import type { PatchedFile, PatchedFiles } from '../files/answers.js';
import { MAX_PATCH_CHARS } from '../files/limits.js';
import { pathsOfPatch } from '../files/results.js';
import { defineFileTool } from './file-tool.js';
import { countOf, numbered, restoredNote, takenNote } from './render-file.js';

/** Most files that are named to the model; the others are counted. */
const MAX_NAMED_FILES = 30;

const PATCH_FORM =
  'Begins with `*** Begin Patch` and ends with `*** End Patch`. Between them, for each file, `*** Add File: path` with ' +
  'lines that begin with +, `*** Delete File: path`, or `*** Update File: path`, perhaps `*** Move to: path`, and hunks: ' +
  '`@@`, or `@@ ` and the line of the function that the change is in, then unchanged lines that begin with a blank, ' +
  'removed ones with -, new ones with +. `*** End of File` after a hunk says that it ends there. A unified diff is taken ' +
  'as well.';

/** The tool `file_patch`: many files changed, all or none. */
export const filePatch = defineFileTool({
  name: 'file_patch',
  annotations: {
    title: 'Patch files',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  schema: () =>
    z.strictObject({
      patch: z.string().check(z.minLength(1), z.maxLength(MAX_PATCH_CHARS), z.describe(PATCH_FORM)),
    }),
  describe: () =>
    'Change many files of the workspace at once: all of the patch is applied, or nothing. The unchanged and removed ' +
    'lines of a hunk have to be in the file exactly once, as file_read shows them. Keep hunks short, with two or three ' +
    'unchanged lines around each change.',
  run: ({ patch }, { caller }, { files }) => files.patch(patch, { overwrite: 'known', caller }),
  render: rendered,
  path: ({ patch }) => pathsOfPatch(patch),
});

function rendered({ files }: PatchedFiles): string {
  const rest = files.length - MAX_NAMED_FILES;
  const snippets = files.flatMap(({ path, edits }) =>
    edits
      .filter(({ snippet }) => snippet !== '')
      .map(({ snippet, snippetLine }) => `${path}:\n${numbered(snippet, snippetLine)}`),
  );
  return [
    `Patched ${countOf(files.length, 'file')}.`,
    ...files.slice(0, MAX_NAMED_FILES).map(line),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...snippets,
    ...takenNote(files.flatMap(({ edits }) => edits)),
    ...restoredNote(files.reduce((sum, { restoredMasks }) => sum + restoredMasks, 0)),
  ].join('\n');
}

function line({ path, operation, from, added, removed }: PatchedFile): string {
  return `${operation} ${from === undefined ? path : `${from} -> ${path}`} (+${added} -${removed})`;
}
