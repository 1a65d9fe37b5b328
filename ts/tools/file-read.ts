import * as z from 'zod/mini';
import { Files } from '../files/files.js';
import { MAX_READ_LINES } from '../files/limits.js';
import { countChars } from '../redaction/fit.js';
import { callerOf } from './call-context.js';
import { withoutUndefined } from './defined.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import { pathArgument } from './path-argument.js';
import { readableChars, renderRead } from './render-file.js';

/** Most reads of a file whose characters have several bytes. Each fills at least half of the room that is left. */
const MAX_READS = 5;

/** The share of the room from which on it is worth another read. */
const LEAST_FREE_SHARE = 0.1;

/** The tool `file_read`: lines of a text file, secrets masked. */
export const fileRead = defineFileTool({
  name: 'file_read',
  annotations: { title: 'Read a file', ...READ_ONLY_ANNOTATIONS },
  schema: () =>
    z.strictObject({
      path: pathArgument('The file, relative to the workspace or absolute within it.'),
      offset: z.optional(z.int().check(z.minimum(1), z.describe('First line to read, from 1. Default: 1.'))),
      column: z.optional(
        z.int().check(z.minimum(1), z.describe('First character of that line to read, from 1. Default: 1.')),
      ),
      limit: z.optional(
        z.int().check(z.minimum(1), z.maximum(MAX_READ_LINES), z.describe('Most lines to read. Default: 2000.')),
      ),
      numbers: z.optional(
        z.boolean().check(z.describe('Whether to put its number and a tab before each line. Default: false.')),
      ),
    }),
  describe: () =>
    'Read a text file of the workspace. Secrets are masked as [REDACTED], several as [REDACTED:1], [REDACTED:2]: in ' +
    'file_write, file_edit and file_patch each mask, copied as it is and used once, is its secret again, wherever it ' +
    'stands. A long file, or a long line, is given in parts: its last line is the call that reads on.',
  async run({ numbers, ...args }, call, { files, resultChars, readTokens }) {
    const { path, ...lines } = args;
    const chars = readableChars(resultChars, { path, numbers });
    // A text of so many bytes has no more characters. Where it has fewer, there is room for as many more bytes.
    let maxBytes = chars;
    let shownBytes = -1;
    for (let reads = 1; ; reads += 1) {
      const data = await Files.readFor(files, callerOf(call), path, {
        // No more is read than is shown: the model may not replace lines that it has not seen.
        maxBytes,
        maxTokens: readTokens,
        numbered: numbers === true,
        ...withoutUndefined(lines),
      });
      if (!data.ok || data.nextOffset === undefined || reads === MAX_READS) return data;
      const free = chars - countChars(data.text);
      const bytes = Buffer.byteLength(data.text);
      if (free < chars * LEAST_FREE_SHARE || bytes + free <= maxBytes || bytes === shownBytes) return data;
      shownBytes = bytes;
      maxBytes = bytes + free;
    }
  },
  render: renderRead,
});
