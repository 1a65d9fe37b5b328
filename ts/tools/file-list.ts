import * as z from 'zod/mini';
import type { FileEntry, ListedDirectory } from '../files/answers.js';
import { DEFAULT_DIRECTORY_ENTRIES, MAX_DIRECTORY_ENTRIES, MAX_LIST_DEPTH } from '../files/limits.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import type { ToolHost } from './host.js';
import { pathArgument } from './path-argument.js';
import { fittingRows, type TextRow } from './render-search.js';

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
    }),
  describe: () => 'List a directory of the workspace: folders end with a slash, links say where they lead.',
  run: ({ path, depth, limit }, _call, { files }) =>
    files.list(path, { ...(depth === undefined ? {} : { depth }), ...(limit === undefined ? {} : { limit }) }),
  render: rendered,
});

function rendered({ path, entries, total, truncated }: ListedDirectory, _args: unknown, host: ToolHost): string {
  if (entries.length === 0) return `${path} is empty.`;
  const rows = entries.map((entry): TextRow => ({ text: line(entry), results: 1 }));
  const { texts, results } = fittingRows(rows, host);
  const advice = results < entries.length ? 'list a directory below.' : 'list a directory below, or raise limit.';
  const rest = `[${results} of ${total} entries; ${advice}]`;
  return [...texts, ...(truncated || results < entries.length ? [rest] : [])].join('\n');
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
