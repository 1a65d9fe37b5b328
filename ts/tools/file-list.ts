import * as z from 'zod/mini';
import type { FileEntry, ListedDirectory } from '../files/answers.js';
import { DEFAULT_DIRECTORY_ENTRIES, MAX_DIRECTORY_ENTRIES, MAX_LIST_DEPTH } from '../files/limits.js';
import { withoutUndefined } from './defined.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import type { ToolHost } from './host.js';
import { pathArgument } from './path-argument.js';
import { fittingRows, restOfRows, type TextRow } from './render-search.js';

/** The tool `file_list`: the entries of a directory. */
export const fileList = defineFileTool({
  name: 'file_list',
  annotations: { title: 'List a directory', ...READ_ONLY_ANNOTATIONS },
  schema: () =>
    z.strictObject({
      path: z.optional(pathArgument('The directory, relative to the workspace. Default: the workspace.')),
      depth: z.optional(
        z.int().check(z.minimum(1), z.maximum(MAX_LIST_DEPTH), z.describe('Levels to list. Default: 1.')),
      ),
      limit: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(MAX_DIRECTORY_ENTRIES),
            z.describe(`Most entries. Default: ${DEFAULT_DIRECTORY_ENTRIES}.`),
          ),
      ),
      offset: z.optional(z.int().check(z.minimum(0), z.describe('Entries to pass over. Default: 0.'))),
    }),
  describe: () => 'List a directory of the workspace: folders end with a slash, links say where they lead.',
  run: ({ path, ...options }, _call, { files }) => files.list(path, withoutUndefined(options)),
  render: rendered,
});

function rendered(
  { path, entries, total }: ListedDirectory,
  args: { offset?: number | undefined },
  host: ToolHost,
): string {
  if (total === 0) return `${path} is empty.`;
  const rows = entries.map((entry): TextRow => ({ text: line(entry), results: 1 }));
  const { texts, results } = fittingRows(rows, host);
  return [...texts, ...restOfRows('file_list', args, { results, total, one: 'entry', many: 'entries' }, host)].join(
    '\n',
  );
}

function line({ name, type, target }: FileEntry): string {
  switch (type) {
    case 'dir':
      return `${name}/`;
    case 'file':
      return name;
    case 'symlink':
      return `${name} -> (link, ${target ?? 'nowhere'})`;
    default:
      return `${name} (${type})`;
  }
}
