import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type RemoteSnapshotSpec,
  type SandboxArchiveLimits,
  SandboxSnapshotNotRestorableError,
  SandboxSnapshotPersistError,
  type Snapshot,
} from '@openai/agents/sandbox';
import type { LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local';
import { hostEnvironment, hostHome, hostTemporaryFolder } from '../config/host-environment.js';
import { packWorkspace, unpackWorkspace } from './archive.js';
import { recordOf } from './record.js';
import { removeFolder, WorkspaceTree } from './tree.js';

/** The kind of fingerprint that this file makes: the hash of the packed workspace. */
export const FINGERPRINT_VERSION = 'handrail_archive_sha256_v1';

/** The name of a local snapshot is made here, so that no other is ever looked up. */
const SNAPSHOT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const OWNER_ONLY = 0o700;

/** A snapshot with the fingerprint of the workspace in it. */
export interface TakenSnapshot {
  readonly snapshot: Snapshot | null;
  readonly fingerprint: string | null;
}

/** Packs a workspace and keeps it as `spec` says. */
export async function takeSnapshot(
  workspace: string,
  excluded: ReadonlySet<string>,
  spec: LocalSandboxSnapshotSpec,
): Promise<TakenSnapshot> {
  if (spec.type === 'noop') return { snapshot: null, fingerprint: null };
  const data = await WorkspaceTree.with(workspace, (tree) => packWorkspace(tree, excluded));
  const fingerprint = hashOf(data);
  if (isRemote(spec)) {
    const { id, metadata } = await spec.store.save({
      ...(spec.id === undefined ? {} : { id: spec.id }),
      data,
      ...(spec.metadata === undefined ? {} : { metadata: spec.metadata }),
    });
    return { snapshot: { id, type: 'remote', ...(metadata === undefined ? {} : { metadata }) }, fingerprint };
  }
  if (spec.type !== 'local') throw new SandboxSnapshotPersistError('A remote snapshot needs a store');
  const id = randomUUID();
  const folder = localFolder(spec, id);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  try {
    await WorkspaceTree.with(folder, (tree) => unpackWorkspace(tree, data, null));
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
  return { snapshot: { id, type: 'local', path: folder }, fingerprint };
}

/** The packed workspace of a snapshot; undefined where it is not there any more. Only `spec` says where it lies. */
export async function loadSnapshot(
  snapshot: Snapshot,
  spec: LocalSandboxSnapshotSpec,
): Promise<Uint8Array | undefined> {
  if (snapshot.type !== spec.type) return undefined;
  if (isRemote(spec)) {
    if ((await spec.store.exists?.({ id: snapshot.id })) === false) return undefined;
    return (await spec.store.load({ id: snapshot.id })).data;
  }
  if (spec.type !== 'local' || !SNAPSHOT_ID.test(snapshot.id)) return undefined;
  try {
    return await WorkspaceTree.with(localFolder(spec, snapshot.id), (tree) => packWorkspace(tree, new Set()));
  } catch (error) {
    if (recordOf(error)['code'] === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a snapshot that another one has replaced. */
export async function dropSnapshot(snapshot: Snapshot, spec: LocalSandboxSnapshotSpec): Promise<void> {
  if (isRemote(spec) && snapshot.type === 'remote') await spec.store.delete?.({ id: snapshot.id });
  if (spec.type === 'local' && snapshot.type === 'local' && SNAPSHOT_ID.test(snapshot.id)) {
    await removeFolder(localFolder(spec, snapshot.id));
  }
}

/** Replaces a workspace by a packed one. */
export async function restoreSnapshot(
  workspace: string,
  data: Uint8Array,
  limits: SandboxArchiveLimits | null | undefined,
): Promise<void> {
  await WorkspaceTree.with(workspace, (tree) => unpackWorkspace(tree, data, limits)).catch((error: unknown) => {
    const { code } = recordOf(error) as { readonly code?: unknown };
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
    throw Object.assign(new SandboxSnapshotNotRestorableError('The workspace is a symbolic link'), { cause: error });
  });
}

/** The fingerprint of a workspace as it is now. */
export async function fingerprintOf(workspace: string, excluded: ReadonlySet<string>): Promise<string> {
  return hashOf(await WorkspaceTree.with(workspace, (tree) => packWorkspace(tree, excluded)));
}

function hashOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function isRemote(spec: LocalSandboxSnapshotSpec): spec is RemoteSnapshotSpec {
  return spec.type === 'remote' && typeof recordOf(spec)['store'] === 'object';
}

function localFolder({ baseDir }: { readonly baseDir?: unknown }, id: string): string {
  return path.join(typeof baseDir === 'string' ? baseDir : defaultBase(), `handrail-snapshot-${id}`);
}

/** Where the SDK's own clients would keep snapshots that it names no place for, else beneath the home folder. */
function defaultBase(): string {
  const { OPENAI_AGENTS_SANDBOX_SNAPSHOT_DIR: configured = '' } = hostEnvironment();
  if (path.isAbsolute(configured)) return configured;
  return path.join(hostHome() ?? hostTemporaryFolder(), ...OWN_FOLDER);
}

/** Beneath the home folder. */
const OWN_FOLDER = ['.local', 'state', 'handrail', 'sandbox-snapshots'];

/** How a workspace is kept, as a state says it: without the store, and without what a store is told. */
export function serializedSpec({ type, baseDir, id }: LocalSandboxSnapshotSpec & Record<string, unknown>): object {
  return { type, ...(baseDir === undefined ? {} : { baseDir }), ...(id === undefined ? {} : { id }) };
}

/** The one of `known` that a state names, else the first: no place and no store is taken from a state. */
export function knownSpec(named: unknown, known: readonly LocalSandboxSnapshotSpec[]): LocalSandboxSnapshotSpec {
  const { type, baseDir, id } = recordOf(named) as { type?: unknown; baseDir?: unknown; id?: unknown };
  if (type === 'noop') return { type };
  const found = known.find((spec) => {
    const own = recordOf(serializedSpec(spec));
    return own['type'] === type && own['baseDir'] === baseDir && own['id'] === id;
  });
  return found ?? known[0] ?? { type: 'local' };
}
