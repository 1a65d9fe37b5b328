import * as z from 'zod/mini';
import type { WrittenFile } from '../files/answers.js';
import { defineFileTool } from './file-tool.js';
import { pathArgument } from './path-argument.js';
import { countOf, restoredNote } from './render-file.js';

/** The tool `file_write`: a whole file, created or replaced. */
export const fileWrite = defineFileTool({
  name: 'file_write',
  annotations: {
    title: 'Write a file',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  schema: () =>
    z.strictObject({
      path: pathArgument('The file, relative to the workspace or absolute within it. Folders above it are made.'),
      content: z.string().check(z.describe('The whole new text of the file.')),
      overwrite: z.optional(
        z.boolean().check(z.describe('Replace a file whose current content you have not read. Default: false.')),
      ),
    }),
  describe: () =>
    'Create a text file in the workspace, or replace one whose current content you have read. To change a part of a ' +
    'file, use file_edit.',
  run: ({ path, content, overwrite }, { caller }, { files }) =>
    files.write(path, content, { overwrite: overwrite === true ? 'always' : 'known', caller }),
  render: rendered,
});

function rendered(data: WrittenFile): string {
  const what = data.created
    ? `Created ${data.path} (${countOf(data.totalLines, 'line')}).`
    : `Replaced ${data.path} (+${data.added} -${data.removed})${data.keptCrlf ? ', kept CRLF' : ''}.`;
  return [what, ...restoredNote(data.restoredMasks)].join('\n');
}
