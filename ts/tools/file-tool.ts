import type * as z from 'zod/mini';
import { fileFacts } from '../audit/record.js';
import type { FileData } from '../files/results.js';
import type { ArgumentsSchema } from './arguments.js';
import type { ToolAnnotations } from './definition.js';
import type { ToolHost } from './host.js';
import { renderRefusal } from './render-file.js';
import { type AnyToolSpec, catalogueTool, type ToolSpec } from './tool-spec.js';

/** Annotations of a tool that changes nothing. */
export const READ_ONLY_ANNOTATIONS: Omit<ToolAnnotations, 'title'> = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The parts of a file tool that differ from tool to tool; `defineFileTool` adds the others. */
interface FileToolSpec<Schema extends ArgumentsSchema, Data extends FileData>
  extends Omit<ToolSpec<Schema, Data>, 'explain' | 'isError' | 'render' | 'facts'> {
  /** The path in the audit record of a call. Default: the argument `path`, or `.` without one. */
  readonly path?: (args: z.output<Schema>) => string;
  /** The text of a result for the model. Refusals are rendered by `defineFileTool`. */
  render(data: Extract<Data, { readonly ok: true }>, args: z.output<Schema>, host: ToolHost): string;
}

/** A tool that calls the file engine. */
export function defineFileTool<Schema extends ArgumentsSchema, Data extends FileData>({
  path = ({ path: named }) => (typeof named === 'string' ? named : '.'),
  render,
  ...spec
}: FileToolSpec<Schema, Data>): AnyToolSpec {
  return catalogueTool<Schema, Data>({
    ...spec,
    isError: ({ ok }) => !ok,
    render: (data, args, host) =>
      data.ok
        ? render(data as Extract<Data, { readonly ok: true }>, args, host)
        : renderRefusal(data.refusal, spec.name, path(args), host),
    facts: (data, args, { redactor }) => fileFacts(redactor, path(args), data),
  });
}
