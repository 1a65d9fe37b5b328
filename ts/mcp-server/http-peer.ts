import { HandrailError } from '../errors.js';
import { isMissing } from '../mcp/peer.js';

/** The server of the protocol's SDK, an optional peer dependency. */
export type McpServerSdk = typeof import('@modelcontextprotocol/server');

const PACKAGE = '@modelcontextprotocol/server';

/**
 * Loads the SDK. Called with the first server over HTTP; the standard streams need none.
 *
 * @param load Loads the module. Default: an import.
 * @throws HandrailError `ERR_PEER_MISSING` when it is not installed.
 */
export async function loadMcpServerSdk(
  load: () => Promise<McpServerSdk> = () => import('@modelcontextprotocol/server'),
): Promise<McpServerSdk> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, PACKAGE)) throw error;
    throw new HandrailError(
      'ERR_PEER_MISSING',
      `Serving MCP over HTTP needs ${PACKAGE}: run \`npm install ${PACKAGE}@^2.4\``,
      { data: { package: PACKAGE }, cause: error },
    );
  }
}
