import { hostEnvironment } from '../config/host-environment.js';
import { isHandrailError } from '../errors.js';
import { type CheckedMcpServer, type McpServerOptions, mcpServersOption } from '../mcp/server-options.js';
import { configError, readFileOfThisUser } from './own-file.js';
import { readablePath } from './shown-path.js';

/** A variable of the environment in a value. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Objects whose values may name variables of the environment, so that no secret stands in the file. */
const WITH_VARIABLES = ['env', 'headers'] as const;

/**
 * The servers of a file in the form of other clients: `{ "mcpServers": { "name": { "command": "…" } } }`.
 *
 * @throws UsageError when it cannot be read, others can write it, or holds anything but servers.
 */
export function readServersFile(file: string): readonly McpServerOptions[] {
  const name = readablePath(file);
  const servers = Object.entries(serversOf(readFileOfThisUser(file, name), name));
  const options = servers.map(([server, value]) => serverOptions(server, value, name));
  checkedServers(options, name);
  return options;
}

/** The same, checked. The message names the file. */
export function checkedServers(options: readonly McpServerOptions[], name: string): readonly CheckedMcpServer[] {
  try {
    return mcpServersOption(options, 'mcpServers');
  } catch (error) {
    throw isHandrailError(error) ? configError(`${name}: ${error.message}`) : error;
  }
}

function serversOf(text: string, name: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw configError(`${name} is no JSON`);
  }
  const { mcpServers, ...others } = (isObject(value) ? value : {}) as Record<string, unknown>;
  if (Object.keys(others).length > 0 || !isObject(mcpServers)) {
    throw configError(`${name} has to hold {"mcpServers": {"NAME": {"command": …}}}, and no more`);
  }
  return mcpServers;
}

/** What a client writes of a server, as options. `type` says what `command` and `url` say already. */
function serverOptions(server: string, value: unknown, name: string): McpServerOptions {
  if (!isObject(value)) throw configError(`${name}: a server is no object`);
  const { type: _type, ...options } = value as Record<string, unknown>;
  for (const key of WITH_VARIABLES) {
    const texts = options[key];
    if (isObject(texts)) {
      options[key] = Object.fromEntries(
        Object.entries(texts).map(([field, text]) => [field, withVariables(text, name)]),
      );
    }
  }
  return { ...options, name: server } as unknown as McpServerOptions;
}

function withVariables(text: unknown, name: string): unknown {
  if (typeof text !== 'string') return text;
  return text.replace(VARIABLE, (_whole, variable: string) => {
    const value = hostEnvironment()[variable];
    if (value === undefined) throw configError(`${name}: the variable ${variable} is not set`);
    return value;
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
