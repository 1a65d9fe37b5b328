import { AsyncLocalStorage } from 'node:async_hooks';
import type { FunctionTool, Tool } from '@openai/agents';
import { Capability, compaction, filesystem, type Manifest, shell } from '@openai/agents/sandbox';
import { recordOf } from './record.js';

/** What a session learns of the call of a tool in which it was asked. */
export interface SurroundingCall {
  /** Fires when the run is aborted. */
  readonly signal?: AbortSignal;
  /** The framework's id of the call, for the audit record. */
  readonly callId?: string;
}

/** The command of a call: spans and events of the SDK get it masked. */
interface MaskedCommand {
  readonly written: string;
  readonly masked: string;
  /** The SDK has run it. What the host runs later in the same asynchronous call, from `approve` or `audit`, is its own. */
  isTaken: boolean;
}

/** The SDK's tools pass no signal to a session, so it travels with the asynchronous call. */
const surroundingCalls = new AsyncLocalStorage<SurroundingCall & { readonly command?: MaskedCommand }>();

/** The call of a tool that is going on. Empty outside of the tools of `capabilities()`. */
export function surroundingCall(): SurroundingCall {
  return surroundingCalls.getStore() ?? {};
}

/** The command as the model wrote it, once, where `command` is its masked form; else `command` itself. */
export function takeWrittenCommand(command: string): string {
  const known = surroundingCalls.getStore()?.command;
  if (known === undefined || known.isTaken || known.masked !== command) return command;
  known.isTaken = true;
  return known.written;
}

/** The SDK's default capabilities with tools that tell a session of their call, and spans and events no secret. */
export function guardedCapabilities(mask: (text: string) => string): Capability[] {
  const configureTools = <AnyTool extends Tool>(tools: AnyTool[]): AnyTool[] => {
    for (const tool of tools) if (tool.type === 'function') surround(tool as FunctionTool, mask);
    return tools;
  };
  return [new WorkspacePath(), filesystem({ configureTools }), shell({ configureTools }), compaction()];
}

/**
 * Tells the model the path of the workspace that commands know. The SDK asks the capabilities for their
 * instructions, one after the other, before it describes the manifest, of which it has made a copy for both.
 */
class WorkspacePath extends Capability {
  readonly type = 'handrail_workspace_path';

  override instructions(manifest: Manifest): null {
    const { commandRootPath } = recordOf(this._session?.state);
    if (typeof commandRootPath === 'string') Object.assign(manifest, { root: commandRootPath });
    return null;
  }
}

/** Wraps `invoke` in place: the SDK knows its tools by identity. */
function surround(tool: FunctionTool, mask: (text: string) => string): void {
  const { invoke } = tool;
  tool.invoke = async (context, input, details) => {
    const written = commandIn(input);
    const command = written === undefined ? undefined : { written, masked: mask(written), isTaken: false };
    const call = {
      ...(details?.signal === undefined ? {} : { signal: details.signal }),
      ...(details?.toolCall === undefined ? {} : { callId: details.toolCall.callId }),
      ...(command === undefined ? {} : { command }),
    };
    const shown = command === undefined ? input : JSON.stringify({ ...JSON.parse(input), cmd: command.masked });
    return await surroundingCalls.run(call, () => invoke(context, shown, details));
  };
}

/** The argument `cmd` of `exec_command`. */
function commandIn(input: string): string | undefined {
  try {
    const { cmd } = recordOf(JSON.parse(input)) as { readonly cmd?: unknown };
    return typeof cmd === 'string' ? cmd : undefined;
  } catch {
    return undefined; // The SDK says what is wrong with the input.
  }
}
