import * as z from 'zod/mini';
import { DEFAULT_GLOB_PATHS, MAX_SEARCH_RESULTS } from '../files/limits.js';
import { withoutUndefined } from './defined.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import { MAX_GLOB_CHARS } from './limits.js';
import { pathArgument } from './path-argument.js';
import { renderGlob } from './render-search.js';
import { HIDDEN_ARGUMENT, IGNORED_ARGUMENT } from './search-arguments.js';

/** The tool `file_glob`: files by their names. */
export const fileGlob = defineFileTool({
  name: 'file_glob',
  annotations: { title: 'Find files', ...READ_ONLY_ANNOTATIONS },
  schema: () =>
    z.strictObject({
      pattern: z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(MAX_GLOB_CHARS),
          z.describe('Pattern relative to path, such as **/*.ts or src/{a,b}/*.md.'),
        ),
      path: z.optional(pathArgument('The directory, relative to the workspace. Default: the workspace.')),
      limit: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(MAX_SEARCH_RESULTS),
            z.describe(`Most paths. Default: ${DEFAULT_GLOB_PATHS}.`),
          ),
      ),
      offset: z.optional(z.int().check(z.minimum(0), z.describe('Paths to pass over. Default: 0.'))),
      hidden: HIDDEN_ARGUMENT,
      ignored: IGNORED_ARGUMENT,
    }),
  describe: () => 'Find files of the workspace by a pattern of their paths, those changed last first.',
  run: ({ pattern, ...options }, _call, { files }) => files.glob(pattern, withoutUndefined(options)),
  render: renderGlob,
});
