import { posix } from 'node:path';
import { toUSVString } from 'node:util';
import {
  DEFAULT_SANDBOX_ARCHIVE_LIMITS,
  resolveSandboxArchiveLimits,
  SandboxArchiveError,
  type SandboxArchiveLimits,
  type WorkspaceArchiveData,
} from '@openai/agents/sandbox';
import { isGone, MAX_TREE_DEPTH, type WorkspaceTree } from './tree.js';

/** Longest part of a path and longest target of a link, in bytes: those of Linux. */
const MAX_NAME_BYTES = 255;
const MAX_TARGET_BYTES = 4_095;

/** The archive is one string of JSON, and V8's longest string has half a gigabyte. */
const MAX_ARCHIVE_BYTES = 384 * 1024 * 1024;

const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;

/**
 * A workspace as one text: version 1 of the SDK's local client, which has no links and no modes and passes over both
 * keys.
 */
interface ArchivedWorkspace {
  readonly version: 1;
  readonly directories: readonly string[];
  readonly files: readonly { readonly path: string; readonly data: string; readonly executable?: true }[];
  readonly links?: readonly { readonly path: string; readonly target: string }[];
}

/**
 * Packs a workspace. Links that lead out of it, FIFOs, sockets, devices and names that are not UTF-8 are left out, and what
 * a command removes meanwhile.
 *
 * @throws SandboxArchiveError For a workspace that is too large, or whose folders are nested too deep.
 */
export async function packWorkspace(tree: WorkspaceTree, excluded: ReadonlySet<string>): Promise<Uint8Array> {
  const directories: string[] = [];
  const files: ArchivedWorkspace['files'][number][] = [];
  const links: NonNullable<ArchivedWorkspace['links']>[number][] = [];
  let bytes = 0;
  for await (const { path, type, size, executable, target } of tree.entries(excluded)) {
    assertDepth(path);
    if (type === 'dir') directories.push(path);
    if (type === 'link' && target !== undefined && staysInside(path, target)) links.push({ path, target });
    if (type !== 'file') continue;
    bytes += size;
    const content = await contentOf(tree, path, bytes <= MAX_ARCHIVE_BYTES);
    if (content === undefined) continue;
    files.push({ path, data: Buffer.from(content).toString('base64'), ...(executable ? { executable } : {}) });
  }
  const archive: ArchivedWorkspace = { version: 1, directories, files, ...(links.length === 0 ? {} : { links }) };
  return Buffer.from(JSON.stringify(archive));
}

function assertDepth(path: string): void {
  if (path.split('/').length <= MAX_TREE_DEPTH) return;
  throw refusal('The folders of the workspace are nested too deep', { limit: MAX_TREE_DEPTH, member: path });
}

/** The content of a file; undefined where that is gone. */
async function contentOf(tree: WorkspaceTree, path: string, hasSpace: boolean): Promise<Uint8Array | undefined> {
  try {
    const content = hasSpace ? await tree.read(path, MAX_ARCHIVE_BYTES) : undefined;
    if (content !== undefined) return content;
  } catch (error) {
    if (isGone(error)) return;
    throw error;
  }
  throw refusal('The workspace is too large for an archive', { limit: MAX_ARCHIVE_BYTES, member: path });
}

/**
 * Replaces a workspace by what an archive holds. The archive is checked whole before anything is removed: a bad one
 * changes nothing.
 *
 * @param limits Default: those of the SDK. `null`: none but those of this format.
 * @throws SandboxArchiveError For an archive that is damaged, too large, or names anything outside of the workspace.
 */
export async function unpackWorkspace(
  tree: WorkspaceTree,
  data: WorkspaceArchiveData,
  limits: SandboxArchiveLimits | null | undefined,
): Promise<void> {
  const { directories, files, links = [] } = checkedArchive(data, limits);
  await tree.clear();
  for (const path of directories) await tree.makeFolder(path);
  for (const { path, data: content, executable } of files) {
    await tree.write(path, Buffer.from(content, 'base64'), executable === true ? EXECUTABLE_MODE : FILE_MODE);
  }
  // After the files, so that none is written through a link.
  for (const { path, target } of links) await tree.link(path, target);
}

function checkedArchive(data: WorkspaceArchiveData, given: SandboxArchiveLimits | null | undefined): ArchivedWorkspace {
  const limits = given === undefined ? DEFAULT_SANDBOX_ARCHIVE_LIMITS : resolveSandboxArchiveLimits(given);
  const bytes = typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data);
  assertWithin('input size', bytes.byteLength, limits?.maxInputBytes);
  const archive = parsedArchive(bytes);
  const { directories, files, links = [] } = archive;
  const members = [...directories, ...[...files, ...links].map(({ path }) => path)];
  assertWithin('member count', members.length, limits?.maxMembers, members[limits?.maxMembers ?? 0]);
  let extracted = 0;
  for (const { path, data: content } of files) {
    extracted += Buffer.byteLength(content, 'base64');
    assertWithin('extracted size', extracted, limits?.maxExtractedBytes, path);
  }
  checkNames(archive);
  return archive;
}

function assertWithin(what: string, actual: number, limit: number | null | undefined, member?: string): void {
  if (limit === undefined || limit === null || actual <= limit) return;
  throw refusal(`The ${what} exceeds its limit`, {
    reason: `archive ${what} exceeds limit`,
    ...{ limit, actual },
    ...(member === undefined ? {} : { member }),
  });
}

function parsedArchive(bytes: Uint8Array): ArchivedWorkspace {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw Object.assign(refusal('It is no JSON'), { cause });
  }
  if (!hasKeys(value, ['version', 'directories', 'files'], ['links'])) throw refusal('Its keys are not known');
  const { version, directories, files, links = [] } = value;
  if (version !== 1) throw refusal('Its version is not supported');
  const isArchive =
    isListOf(directories, (path) => typeof path === 'string') &&
    isListOf(files, (file) => hasKeys(file, ['path', 'data'], ['executable']) && isArchivedFile(file)) &&
    isListOf(links, (link) => hasKeys(link, ['path', 'target'], []) && isText(link['path']) && isText(link['target']));
  if (!isArchive) throw refusal('A member is no folder, file or link');
  return value as unknown as ArchivedWorkspace;
}

function isArchivedFile({ path, data, executable }: Record<string, unknown>): boolean {
  return isText(path) && isText(data) && /^[A-Za-z0-9+/]*={0,2}$/.test(data) && (executable ?? true) === true;
}

/** No name leads out of the workspace or stands there twice, and nothing lies beneath a file or a link. */
function checkNames({ directories, files, links = [] }: ArchivedWorkspace): void {
  const seen = new Set<string>();
  const leaves = new Set([...files, ...links].map(({ path }) => path));
  for (const path of [...directories, ...leaves]) assertName(path);
  for (const path of [...directories, ...[...files, ...links].map((member) => member.path)]) {
    if (seen.has(path)) throw refusal('A name stands in it twice', { member: path });
    seen.add(path);
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      if (leaves.has(above)) throw refusal('A member lies beneath a file or a link', { member: path });
    }
  }
  for (const { path, target } of links) {
    if (!staysInside(path, target)) throw refusal('A link leads out of the workspace', { member: path });
    if (!isUnicode(target) || Buffer.byteLength(target) > MAX_TARGET_BYTES) {
      throw refusal('The target of a link is too long, or no Unicode', { member: path });
    }
  }
}

function assertName(path: string): void {
  const parts = path.split('/');
  const isName = (part: string): boolean =>
    part !== '' && part !== '.' && part !== '..' && !part.includes('\0') && Buffer.byteLength(part) <= MAX_NAME_BYTES;
  if (parts.length <= MAX_TREE_DEPTH && isUnicode(path) && parts.every(isName)) return;
  throw refusal('A path escapes the workspace, or is none', { member: path });
}

/**
 * Whether a link leads to a place inside of the workspace: up at first, as far as there are folders above it, and then
 * only down. `a/..` could lead elsewhere, since `a` may be a link itself.
 */
function staysInside(path: string, target: string): boolean {
  const parts = target.split('/');
  const ups = parts.findIndex((part) => part !== '..');
  const upCount = ups === -1 ? parts.length : ups;
  const isPlain = (part: string): boolean => part !== '' && part !== '..' && !part.includes('\0');
  return upCount <= path.split('/').length - 1 && parts.slice(upCount).every(isPlain);
}

/** Half a surrogate pair has no form in UTF-8: names that differ in halves alone would be one name on disk. */
function isUnicode(text: string): boolean {
  return toUSVString(text) === text;
}

function hasKeys(
  value: unknown,
  required: readonly string[],
  optional: readonly string[],
): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  return required.every((key) => keys.includes(key)) && keys.every((key) => [...required, ...optional].includes(key));
}

function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isMember);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function refusal(problem: string, details: Record<string, unknown> = {}): SandboxArchiveError {
  return new SandboxArchiveError(`The workspace archive was not unpacked or packed. ${problem}`, details);
}
