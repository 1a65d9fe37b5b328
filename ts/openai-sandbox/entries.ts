import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type Entry,
  type Manifest,
  normalizeRelativePath,
  permissionsForSandboxEntry,
  SandboxInvalidManifestPathError,
  SandboxLocalDirReadError,
  SandboxLocalFileReadError,
  SandboxUnsupportedFeatureError,
} from '@openai/agents/sandbox';
import { recordOf } from './record.js';
import { WorkspaceTree } from './tree.js';

/** Most bytes of one file that a manifest copies into a workspace. */
const MAX_COPIED_FILE_BYTES = 1024 * 1024 * 1024;

const MODE_BITS = 0o777;

/**
 * Writes what a manifest says into a workspace. The manifest is the host's word: protected places are written too. Files
 * of the host are copied from beneath `process.cwd()` or a path grant, and through no link.
 *
 * @throws SandboxUnsupportedFeatureError For mounts, git repositories and groups.
 */
export async function writeEntries(
  tree: WorkspaceTree,
  entries: Readonly<Record<string, Entry>>,
  manifest: Manifest,
): Promise<void> {
  const sources = [process.cwd(), ...manifest.extraPathGrants.map((grant) => grant.path)];
  for (const [name, entry] of Object.entries(entries)) {
    try {
      const path = normalizeRelativePath(name);
      if (path !== '' && (await tree.isLink(path))) {
        throw new SandboxInvalidManifestPathError(`The entry ${name} was not written: it is a symbolic link by now`);
      }
      await writeEntry(tree, path, entry, sources);
    } catch (cause) {
      const { code } = recordOf(cause);
      if (code !== 'ENOTDIR' && code !== 'ELOOP') throw cause;
      const problem = `The entry ${name} escapes the workspace root, or lies beneath a file: a part of it is no folder`;
      throw Object.assign(new SandboxInvalidManifestPathError(problem), { cause });
    }
  }
}

/** Checks a manifest before anything is made for it. */
export function assertSupported(manifest: Manifest): void {
  const { users, groups, extraPathGrants } = manifest;
  if (users.length > 0 || groups.length > 0) throw unsupported('manifest users yet, nor groups');
  const grant = extraPathGrants.find(({ hostPath }) => hostPath !== undefined);
  if (grant !== undefined) {
    const details = { feature: 'manifest.extraPathGrants.hostPath', path: grant.path };
    throw unsupported('path grant hostPath', details);
  }
  for (const { entry } of manifest.iterEntries()) assertKind(entry);
}

function assertKind({ type, group }: Entry): void {
  if (group !== undefined) throw unsupported('sandbox entry group ownership yet');
  if (!['dir', 'file', 'local_file', 'local_dir'].includes(type)) throw unsupported(`an entry of type ${type}`);
}

export function unsupported(feature: string, details: object = { feature }): SandboxUnsupportedFeatureError {
  return new SandboxUnsupportedFeatureError(`handrailSandbox does not support ${feature}`, {
    ...{ provider: 'HandrailSandboxClient' },
    ...details,
  });
}

async function writeEntry(tree: WorkspaceTree, name: string, entry: Entry, sources: readonly string[]): Promise<void> {
  assertKind(entry);
  const mode = permissionsForSandboxEntry(entry.permissions).toMode() & MODE_BITS;
  switch (entry.type) {
    case 'dir':
      // The root of the workspace has no name, and keeps its mode.
      if (name !== '') await tree.makeFolder(name, mode);
      for (const [child, childEntry] of Object.entries(entry.children ?? {})) {
        await writeEntry(tree, joined(name, normalizeRelativePath(child)), childEntry, sources);
      }
      return;
    case 'file':
      return await tree.write(name, Buffer.from(entry.content as Uint8Array), mode);
    case 'local_file': {
      const source = await localSource(entry.type, entry.src, sources, readFailure);
      const content = await WorkspaceTree.with(path.dirname(source), (folder) =>
        folder.read(path.basename(source), MAX_COPIED_FILE_BYTES),
      ).catch((cause: unknown) => {
        throw readFailure(
          entry.src,
          'local_file entries do not support symbolic links, and it has to be readable',
          cause,
        );
      });
      if (content === undefined) throw readFailure(entry.src, 'it is too large');
      return await tree.write(name, content, mode);
    }
    case 'local_dir': {
      const source = await localSource(entry.type, entry.src, sources, folderFailure);
      if (name !== '') await tree.makeFolder(name, mode);
      await WorkspaceTree.with(source, (folder) => copyFolder(folder, tree, name, entry.src)).catch(
        (cause: unknown) => {
          if (cause instanceof SandboxLocalDirReadError) throw cause;
          throw folderFailure(entry.src, 'it cannot be read', cause);
        },
      );
    }
  }
}

async function copyFolder(from: WorkspaceTree, to: WorkspaceTree, name: string, source: string): Promise<void> {
  for await (const { path: inner, type, executable } of from.entries()) {
    if (type === 'link') throw folderFailure(source, `local_dir entries do not support symbolic links, here ${inner}`);
    if (type === 'dir') await to.makeFolder(joined(name, inner));
    if (type !== 'file') continue;
    const content = await from.read(inner, MAX_COPIED_FILE_BYTES);
    if (content === undefined) throw folderFailure(source, `${inner} is too large`);
    await to.write(joined(name, inner), content, executable ? 0o755 : 0o644);
  }
}

/** The absolute path of a file of the host that may be copied. No part of it is a link. */
async function localSource(
  kind: string,
  source: string,
  allowed: readonly string[],
  fail: typeof readFailure,
): Promise<string> {
  const absolute = path.resolve(source);
  const resolved = await realpath(absolute).catch((cause: unknown) => {
    throw fail(source, 'it cannot be found', cause);
  });
  for (const folder of allowed) {
    const beneath = path.relative(folder, absolute);
    if (beneath === '..' || beneath.startsWith('../') || path.isAbsolute(beneath)) continue;
    // Links above an allowed folder are the host's own.
    if (resolved === path.join(await realpath(folder), beneath)) return resolved;
    const kindOfLink = (await lstat(absolute)).isSymbolicLink() ? 'symbolic links' : 'symbolic link ancestors';
    throw fail(source, `${kind} entries do not support ${kindOfLink}`);
  }
  throw fail(source, 'it lies neither beneath the working directory nor beneath a path grant');
}

function readFailure(source: string, problem: string, cause?: unknown): SandboxLocalFileReadError {
  return Object.assign(new SandboxLocalFileReadError(`${source} was not copied: ${problem}`), { cause });
}

function folderFailure(source: string, problem: string, cause?: unknown): SandboxLocalDirReadError {
  return Object.assign(new SandboxLocalDirReadError(`${source} was not copied: ${problem}`), { cause });
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
