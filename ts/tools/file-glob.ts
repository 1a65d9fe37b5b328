import * as z from 'zod/mini';
import { fileFacts } from '../audit/record.js';
import { DEFAULT_GLOB_PATHS, MAX_SEARCH_RESULTS } from '../files/limits.js';
import { defined } from './defined.js';
import { MAX_GLOB_CHARS } from './limits.js';
import { pathArgument } from './path-argument.js';
import { renderRefusal } from './render-file.js';
import { renderGlob } from './render-search.js';
import { HIDDEN_ARGUMENT, IGNORED_ARGUMENT } from './search-arguments.js';
import { defineTool } from './tool-spec.js';

/** The tool `file_glob`: files by their names. */
export const fileGlob = defineTool({
  name: 'file_glob',
  annotations: {
    title: 'Find files',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
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
      hidden: HIDDEN_ARGUMENT,
      ignored: IGNORED_ARGUMENT,
    }),
  describe: () => 'Find files of the workspace by a pattern of their paths, those changed last first.',
  run: ({ pattern, ...options }, _call, { files }) => files.glob(pattern, defined(options)),
  isError: ({ ok }) => !ok,
  render: (data, _args, { resultChars }) => (data.ok ? renderGlob(data, resultChars) : renderRefusal(data.refusal)),
  facts: (data, { path = '.' }, { redactor }) => fileFacts(redactor, 'glob', path, data),
});
