import * as z from 'zod/mini';
import type { EditedFile } from '../files/answers.js';
import { MAX_EDITS } from '../files/limits.js';
import { defineFileTool } from './file-tool.js';
import { pathArgument } from './path-argument.js';
import { countOf, numbered, restoredNote, takenNote } from './render-file.js';

/** Most places that are shown to the model; the others are counted. */
const MAX_SHOWN_PLACES = 10;

const EDIT = z.strictObject({
  old: z
    .string()
    .check(z.minLength(1), z.describe('Text to replace, exactly as in the file; it has to be there exactly once.')),
  new: z.string().check(z.describe('Text to put in its place.')),
  all: z.optional(z.boolean().check(z.describe('Replace it wherever it is. Default: false.'))),
});

/** The tool `file_edit`: some texts of a file replaced, all or none. */
export const fileEdit = defineFileTool({
  name: 'file_edit',
  annotations: {
    title: 'Edit a file',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  schema: () =>
    z.strictObject({
      path: pathArgument('The file, relative to the workspace or absolute within it.'),
      edits: z
        .array(EDIT)
        .check(
          z.minLength(1),
          z.maxLength(MAX_EDITS),
          z.describe('The replacements; all are found in the file as it is now, and all are applied or none.'),
        ),
    }),
  describe: () =>
    'Replace texts in a file of the workspace. When an old text is not there exactly once, nothing is changed and the ' +
    'nearest place is shown.',
  run: ({ path, edits }, { caller }, { files }) =>
    files.edit(
      path,
      edits.map(({ all, ...edit }) => ({ ...edit, all: all === true })),
      { caller },
    ),
  render: rendered,
});

function rendered({ path, places, edits, restoredMasks }: EditedFile): string {
  const shown = edits.slice(0, MAX_SHOWN_PLACES);
  const rest = places - shown.length;
  const named = shown.map(({ line, added, removed }) => `line ${line} (+${added} -${removed})`).join(', ');
  return [
    `Edited ${path}: ${named}${rest > 0 ? ` and ${countOf(rest, 'more place')}` : ''}.`,
    ...shown.filter(({ snippet }) => snippet !== '').map(({ snippet, snippetLine }) => numbered(snippet, snippetLine)),
    ...takenNote(edits),
    ...restoredNote(restoredMasks),
  ].join('\n');
}
