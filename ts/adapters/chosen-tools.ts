import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { Toolkit } from '../toolkit.js';
import { optionalString } from '../tools/call-context.js';
import type { ToolDefinition } from '../tools/definition.js';

/** The options of adapters: which tools a framework gets, and how calls are approved. */
export interface AdapterOptions {
  /** Names of the tools. Default: all of them. */
  readonly tools?: readonly string[] | undefined;
  /**
   * `'interrupt'`: a call that the policy leaves open interrupts the framework's run, and runs when the host has
   * approved that very call there; the toolkit's `approve` is not asked. Default: the toolkit's `approve` is asked.
   */
  readonly approval?: 'interrupt' | undefined;
  /**
   * Whose calls these are, where several agents share the toolkit: each reaches its own jobs and sessions alone, and is
   * told of the end of these jobs. The same name makes them the same agent, also for later tools and other adapters.
   * Default: one caller.
   */
  readonly caller?: string | undefined;
}

/**
 * The definitions of the chosen tools, in the order of `toolkit.definitions()`.
 *
 * @throws HandrailError `ERR_UNKNOWN_TOOL` for a name the toolkit does not have, `ERR_INVALID_ARGUMENT` for another
 * `approval` and for a `caller` that is no string.
 */
export function chosenTools(toolkit: Toolkit, { tools, approval, caller }: AdapterOptions): ToolDefinition[] {
  if (approval !== undefined && approval !== 'interrupt') {
    throw invalidArgument('approval', "'interrupt'", approval);
  }
  optionalString(caller, 'caller');
  const definitions = toolkit.definitions();
  for (const [index, name] of (tools ?? []).entries()) {
    if (definitions.some((definition) => definition.name === name)) continue;
    throw new HandrailError('ERR_UNKNOWN_TOOL', `The toolkit has no tool of the name in \`tools[${index}]\``, {
      data: { name: `tools[${index}]` },
    });
  }
  return definitions.filter(({ name }) => tools?.includes(name) ?? true);
}
