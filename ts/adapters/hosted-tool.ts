import { HandrailError } from '../errors.js';
import type { Toolkit } from '../toolkit.js';
import type { ToolDefinition } from '../tools/definition.js';

/**
 * Options of a tool of the SDK, which apply in addition to the toolkit's policy. `Ask` is the SDK's type of a function
 * that decides whether to ask, `Answer` its type of a handler that answers.
 */
export interface HostedToolOptions<Ask, Answer> {
  /**
   * Whether the SDK interrupts its run for a call, or a function that decides it. The toolkit's policy still judges an
   * approved call. Default: false.
   */
  readonly needsApproval?: boolean | Ask | undefined;
  /** Answers when an approval is needed. Default: none, and the run is interrupted. */
  readonly onApproval?: Answer | undefined;
  /** Ends calls when it fires. The SDK does not pass the signal of its run to these tools. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Whose calls these are, as in `agentTools`. Default: one caller. */
  readonly caller?: string | undefined;
}

/**
 * The definition of the toolkit's tool on which a tool of the SDK is built.
 *
 * @throws HandrailError `ERR_UNKNOWN_TOOL` when the toolkit does not have it.
 */
export function definitionOf(toolkit: Toolkit, name: string): ToolDefinition {
  const definition = toolkit.definitions().find((definition) => definition.name === name);
  if (definition !== undefined) return definition;
  throw new HandrailError('ERR_UNKNOWN_TOOL', `The toolkit has no tool \`${name}\``, { data: { name } });
}

/** Remembers the ids of calls. The SDK gives the id when it asks for approval, and only the call itself when it runs it. */
export class CallIds<Call extends object> {
  readonly #ids = new WeakMap<Call, string>();

  /** A function for `needsApproval` that remembers the id, and returns the host's answer. */
  rememberIds<Context>(
    needsApproval: boolean | ((context: Context, call: Call, callId?: string) => Promise<boolean>) = false,
  ): (context: Context, call: Call, callId?: string) => Promise<boolean> {
    return async (context, call, callId) => {
      if (callId !== undefined) this.#ids.set(call, callId);
      return typeof needsApproval === 'boolean' ? needsApproval : await needsApproval(context, call, callId);
    };
  }

  /** The context of a call for the toolkit. */
  contextOf(
    call: Call,
    { signal, caller }: Pick<HostedToolOptions<never, never>, 'signal' | 'caller'>,
  ): { callId?: string; signal?: AbortSignal; caller?: string } {
    const callId = this.#ids.get(call);
    return {
      ...(callId === undefined ? {} : { callId }),
      ...(signal === undefined ? {} : { signal }),
      ...(caller === undefined ? {} : { caller }),
    };
  }
}
