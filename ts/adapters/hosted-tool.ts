import { HandrailError } from '../errors.js';
import type { Toolkit } from '../toolkit.js';
import type { ToolDefinition } from '../tools/definition.js';

/** What a host decides about a tool of the SDK beside the toolkit's own policy. `Ask` is the SDK's function, `Answer` its handler. */
export interface HostedToolOptions<Ask, Answer> {
  /**
   * Whether the SDK interrupts its run for a call, or a function that says so. The toolkit's policy holds as well: it judges what
   * was approved here once more. Default: it does not.
   */
  readonly needsApproval?: boolean | Ask | undefined;
  /** Answers at once where an approval is needed. Default: none, and the run is interrupted. */
  readonly onApproval?: Answer | undefined;
  /** Ends calls when it fires: the SDK tells these tools nothing of the signal of its run. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The definition of a tool that another one is made of.
 *
 * @throws HandrailError `ERR_UNKNOWN_TOOL` when the toolkit does not have it.
 */
export function definitionOf(toolkit: Toolkit, name: string): ToolDefinition {
  const found = toolkit.definitions().find((definition) => definition.name === name);
  if (found !== undefined) return found;
  throw new HandrailError('ERR_UNKNOWN_TOOL', `The toolkit has no tool \`${name}\``, { data: { name } });
}

/** The ids of calls, by what the SDK gives for one: it names the id when it asks for approval, and not when it calls. */
export class CallIds<Call extends object> {
  readonly #ids = new WeakMap<Call, string>();

  /** The SDK's question whether a call needs approval, with the host's answer. */
  asking<Context>(
    needed: boolean | ((context: Context, call: Call, callId?: string) => Promise<boolean>) = false,
  ): (context: Context, call: Call, callId?: string) => Promise<boolean> {
    return async (context, call, callId) => {
      if (callId !== undefined) this.#ids.set(call, callId);
      return typeof needed === 'boolean' ? needed : await needed(context, call, callId);
    };
  }

  /** For the toolkit. */
  contextOf(call: Call, signal: AbortSignal | undefined): { callId?: string; signal?: AbortSignal } {
    const callId = this.#ids.get(call);
    return { ...(callId === undefined ? {} : { callId }), ...(signal === undefined ? {} : { signal }) };
  }
}
