import type * as z from 'zod/mini';
import { fileFacts } from '../audit/record.js';
import type { FileData } from '../files/files.js';
import type { ArgumentsSchema } from './arguments.js';
import type { ToolAnnotations } from './definition.js';
import type { ToolHost } from './host.js';
import { renderRefusal } from './render-file.js';
import { type AnyToolSpec, defineTool, type ToolSpec } from './tool-spec.js';

/** What a tool changes that only looks. */
export const LOOKS: Omit<ToolAnnotations, 'title'> = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What a tool of files says of itself; what all of them have in common is said here. */
interface FileToolSpec<Schema extends ArgumentsSchema, Data extends FileData>
  extends Omit<ToolSpec<Schema, Data>, 'explain' | 'isError' | 'render' | 'facts'> {
  /** The path that the audit has of a call. Default: its argument `path`, or `.` without one. */
  readonly path?: (args: z.output<Schema>) => string;
  /** For the model: what was done. What was not reads alike for all. */
  render(data: Extract<Data, { readonly ok: true }>, args: z.output<Schema>, host: ToolHost): string;
}

/** A tool over the file engine. */
export function defineFileTool<Schema extends ArgumentsSchema, Data extends FileData>({
  path = ({ path: named }) => (typeof named === 'string' ? named : '.'),
  render,
  ...spec
}: FileToolSpec<Schema, Data>): AnyToolSpec {
  return defineTool<Schema, Data>({
    ...spec,
    isError: ({ ok }) => !ok,
    render: (data, args, host) =>
      data.ok ? render(data as Extract<Data, { readonly ok: true }>, args, host) : renderRefusal(data.refusal),
    facts: (data, args, { redactor }) => fileFacts(redactor, path(args), data),
  });
}
