import * as z from 'zod/mini';
import { Files } from '../files/files.js';
import { DEFAULT_GREP_RESULTS, MAX_GREP_CONTEXT, MAX_SEARCH_RESULTS } from '../files/limits.js';
import { callerOf } from './call-context.js';
import { withoutUndefined } from './defined.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import { MAX_GLOB_CHARS, MAX_PATTERN_CHARS } from './limits.js';
import { pathArgument } from './path-argument.js';
import { renderGrep } from './render-search.js';
import { HIDDEN_ARGUMENT, IGNORED_ARGUMENT } from './search-arguments.js';

const SCHEMA = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_PATTERN_CHARS),
      z.describe('Regular expression in the syntax of Rust; it matches within a line.'),
    ),
  path: z.optional(pathArgument('The directory or file, relative to the workspace. Default: the workspace.')),
  glob: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(MAX_GLOB_CHARS),
        z.describe('Only files that match, such as *.ts (any folder) or src/** (from path on).'),
      ),
  ),
  mode: z.optional(
    z
      .enum(['lines', 'files', 'count'])
      .check(z.describe('The lines, only the paths, or how many lines each file has. Default: lines.')),
  ),
  context: z.optional(
    z
      .int()
      .check(z.minimum(0), z.maximum(MAX_GREP_CONTEXT), z.describe('Lines to show around each match. Default: 0.')),
  ),
  ignore_case: z.optional(z.boolean().check(z.describe('Whether a and A are the same. Default: false.'))),
  limit: z.optional(
    z
      .int()
      .check(
        z.minimum(1),
        z.maximum(MAX_SEARCH_RESULTS),
        z.describe(`Most matches, or files. Default: ${DEFAULT_GREP_RESULTS}.`),
      ),
  ),
  offset: z.optional(z.int().check(z.minimum(0), z.describe('Matches, or files, to pass over. Default: 0.'))),
  hidden: HIDDEN_ARGUMENT,
  ignored: IGNORED_ARGUMENT,
});

/** The tool `file_grep`: lines of files by a regular expression. */
export const fileGrep = defineFileTool({
  name: 'file_grep',
  annotations: { title: 'Search in files', ...READ_ONLY_ANNOTATIONS },
  schema: () => SCHEMA,
  describe: () =>
    'Search the text of files of the workspace, or of the file that a shortened output names. Each line is given as ' +
    'path:line: text, those around it as path-line- text. Secrets are masked and cannot be searched for.',
  run: ({ pattern, ignore_case: ignoreCase, ...options }, call, { files }) =>
    Files.grepFor(files, callerOf(call), pattern, withoutUndefined({ ...options, ignoreCase })),
  render: renderGrep,
});
