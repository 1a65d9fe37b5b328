import { isHandrailError } from '../errors.js';
import { mcpArguments } from '../mcp/arguments.js';
import type { McpRouter } from '../mcp/router.js';
import type { McpServerInfo } from '../mcp/server-info.js';
import type { McpServerOptions } from '../mcp/server-options.js';
import type { McpTool } from '../mcp/tool.js';
import { fitText } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Services } from '../service/service.js';
import type { ExecutorResult, ToolDef } from './executor-tools.js';

/** Most Unicode characters of the result of a server's tool. */
const MAX_MCP_OUTPUT = 30_000;

/** The parts of an executor that its MCP servers need. */
export interface ExecutorMcpParts {
  readonly services: Services;
  readonly redactor: Redactor;
  readonly workspacePath: string;
}

const NO_CLIENTS: ReadonlyMap<string, McpServerInfo> = new Map();
const NO_TOOLS: ReadonlyMap<string, string> = new Map();

/** The MCP servers of an executor. The code for them is loaded with the first server. */
export class ExecutorMcp {
  readonly #parts: ExecutorMcpParts;
  #router: McpRouter | undefined;
  /** Settles when all shutdowns are done. A router that was shut down is not used again. */
  #ending: Promise<unknown> = Promise.resolve();

  constructor(parts: ExecutorMcpParts) {
    this.#parts = parts;
  }

  get clients(): ReadonlyMap<string, McpServerInfo> {
    return this.#router?.clients ?? NO_CLIENTS;
  }

  get toolMap(): ReadonlyMap<string, string> {
    return this.#router?.toolMap ?? NO_TOOLS;
  }

  /** The tools of all servers, sorted by name. */
  get tools(): readonly McpTool[] {
    return this.#router?.tools ?? [];
  }

  async connect(servers: readonly McpServerOptions[]): Promise<void> {
    const [{ McpRouter }, { mcpServersOption }] = await Promise.all([
      import('../mcp/router.js'),
      import('../mcp/server-options.js'),
    ]);
    const { services, redactor, workspacePath } = this.#parts;
    this.#router ??= new McpRouter(services, { redactor, cwd: workspacePath });
    const router = this.#router;
    await router.connect(mcpServersOption(servers, 'servers', (name) => router.hasServer(name)));
  }

  /**
   * Calls a tool by its published name, or by the server's own name where only one server has it.
   *
   * @param isAllowed Whether a tool may be called, by its published name.
   * @returns Undefined when there is no such tool.
   */
  async call(
    name: string,
    args: unknown,
    isAllowed: (publishedName: string) => boolean,
  ): Promise<ExecutorResult | undefined> {
    const router = this.#router;
    const foundTool = router?.find(name);
    if (router === undefined || foundTool === undefined) return undefined;
    if (foundTool.tool === undefined) {
      const owners = foundTool.candidates.filter((owner) => isAllowed(owner.name));
      if (owners.length === 0) return undefined;
      return failed(`Error: several servers have this tool: call ${owners.map((owner) => owner.name).join(' or ')}`);
    }
    if (!isAllowed(foundTool.tool.name)) return undefined;
    const checkedArguments = mcpArguments(foundTool.tool.parameters, args ?? {});
    if (!checkedArguments.ok) return failed(`Error: ${checkedArguments.problem}`);
    const { decision, reasons } = router.judge(foundTool.tool);
    // Nobody can be asked here.
    if (decision !== 'allow') return failed(`Error: denied: ${reasons.map(({ message }) => message).join('; ')}`);
    try {
      const { text, ok } = await router.call(foundTool.tool, checkedArguments.value);
      return { content: fitText(text, MAX_MCP_OUTPUT), isError: !ok };
    } catch (error) {
      if (isHandrailError(error) && error.code === 'ERR_BUSY') return failed(`Error: ${error.message}`);
      throw error;
    }
  }

  async shutDown(): Promise<void> {
    const router = this.#router;
    this.#router = undefined;
    if (router !== undefined) this.#ending = Promise.all([this.#ending, router.close()]);
    await this.#ending;
  }
}

/** The definition of a server's tool for providers. */
export function mcpToolDef({ name, description, parameters }: McpTool): ToolDef {
  return { name, description, parameters: { ...parameters } };
}

function failed(content: string): ExecutorResult {
  return { content, isError: true };
}
