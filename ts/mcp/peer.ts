import { HandrailError } from '../errors.js';

/** The SDK of the protocol, an optional peer dependency. */
export type McpSdk = typeof import('@modelcontextprotocol/client');

const PACKAGE = '@modelcontextprotocol/client';

/**
 * Loads the SDK. Called with the first server.
 *
 * @param load Loads the module. Default: an import.
 * @throws HandrailError `ERR_PEER_MISSING` when it is not installed.
 */
export async function loadMcpSdk(
  load: () => Promise<McpSdk> = () => import('@modelcontextprotocol/client'),
): Promise<McpSdk> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, PACKAGE)) throw error;
    throw new HandrailError('ERR_PEER_MISSING', `MCP servers need ${PACKAGE}: run \`npm install ${PACKAGE}@^2.4\``, {
      data: { package: PACKAGE },
      cause: error,
    });
  }
}

/** Whether this very package is missing. An error inside the package is something else. */
export function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && error.message.includes(name);
}
