import { HandrailError } from '../errors.js';

/** The SDK that speaks the protocol, an optional peer. */
export type McpSdk = typeof import('@modelcontextprotocol/client');

const PACKAGE = '@modelcontextprotocol/client';

/**
 * Loads the SDK, with the first server and not before.
 *
 * @param load Gives the module. Default: imports it.
 * @throws HandrailError `ERR_PEER_MISSING` when it is not installed.
 */
export async function loadMcpSdk(
  load: () => Promise<McpSdk> = () => import('@modelcontextprotocol/client'),
): Promise<McpSdk> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new HandrailError('ERR_PEER_MISSING', `MCP servers need ${PACKAGE}: run \`npm install ${PACKAGE}@^2.4\``, {
      data: { package: PACKAGE },
      cause: error,
    });
  }
}

/** Whether it is this package that is not there; what fails inside of it is another mistake. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && error.message.includes(PACKAGE);
}
