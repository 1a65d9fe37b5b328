import path from 'node:path';
import { changesOption } from '../files/changes.js';
import type { FileGuardOptions } from '../files/options.js';
import type { TerminalOptions } from '../terminal/options.js';

/**
 * The same terminal, whose commands do not read what changes replaced. The default folder is a protected place, one that the
 * host names is none.
 */
export function withUnreadChanges<T extends Pick<TerminalOptions, 'confine' | 'sandbox'>>(
  terminal: T,
  { changes }: FileGuardOptions,
  roots: readonly string[],
): T {
  const { reads, unreadable = [] } = terminal.confine ?? {};
  const isNamed = typeof changes === 'object' && changes.folder !== undefined;
  // What is wrong in another way the terminal says.
  if (!isNamed || terminal.sandbox === 'off' || reads === 'any' || !Array.isArray(unreadable)) return terminal;
  const folder = path.normalize(changesOption(changes)?.folder ?? '');
  // A folder with a root in it cannot be taken away.
  if (roots.some((root) => root === folder || root.startsWith(`${folder}/`))) return terminal;
  return { ...terminal, confine: { ...terminal.confine, unreadable: [...unreadable, folder] } };
}
