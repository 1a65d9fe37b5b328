import type { Redactor } from '../redaction/redactor.js';
import { renderForApproval } from '../terminal/approval.js';
import { identityOf, type PinnedServer, type Pins } from './pins.js';
import type { CheckedMcpServer } from './server-options.js';

/**
 * Which server it is, for its pins. In a lock file that is its name with its program, arguments and the directory that was
 * given, or with its address: a file that several people share means the same to each. A process also tells apart what the server is told by
 * its environment or its headers, which may decide what it offers.
 */
export function pinnedServer(
  { name, command = '', args, cwd, env, url, headers }: CheckedMcpServer,
  { redactor, pins, cwd: place }: { readonly redactor: Redactor; readonly pins: Pins; readonly cwd: string },
): PinnedServer {
  if (url !== undefined) {
    const told = pins.takesFirst ? Object.entries(headers).sort() : [];
    return { name, source: shown(redactor, url), identity: identityOf(name, 'url', url, told) };
  }
  const source = shown(redactor, [command, ...args].join(' '));
  const more = pins.takesFirst ? [place, Object.entries(env).sort()] : [cwd ?? null];
  return { name, source, identity: identityOf(name, command, args, ...more) };
}

function shown(redactor: Redactor, text: string): string {
  return renderForApproval(redactor.redact(text));
}
