import path from 'node:path';
import { namedStateFolder } from '../config/own-folder.js';
import { changesOption } from '../files/changes.js';
import type { FileGuardOptions } from '../files/options.js';
import type { TerminalOptions } from '../terminal/options.js';

/**
 * The same terminal, whose commands do not read what changes replaced, nor the files of transactions. `~/.local/state/handrail`
 * is a protected place; one that the host names, by `changes.folder` or by `XDG_STATE_HOME`, is none.
 */
export function withUnreadChanges<T extends Pick<TerminalOptions, 'confine' | 'sandbox'>>(
  terminal: T,
  { changes }: FileGuardOptions,
  roots: readonly string[],
): T {
  const { reads, unreadable = [] } = terminal.confine ?? {};
  // What is wrong in another way the terminal says.
  if (terminal.sandbox === 'off' || reads === 'any' || !Array.isArray(unreadable)) return terminal;
  const isNamed = typeof changes === 'object' && changes.folder !== undefined;
  const named = isNamed ? changesOption(changes)?.folder : undefined;
  const folders = [named, namedStateFolder('handrail')].flatMap((folder) => folder ?? []).map(path.normalize);
  // A folder with a root in it cannot be taken away.
  const hasRoot = (folder: string): boolean => roots.some((root) => root === folder || root.startsWith(`${folder}/`));
  const unread = folders.filter((folder) => !hasRoot(folder));
  if (unread.length === 0) return terminal;
  return { ...terminal, confine: { ...terminal.confine, unreadable: [...unreadable, ...unread] } };
}
