import { lstat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Entry,
  isEnvValueReference,
  Manifest,
  type ManifestInit,
  SandboxConfigurationError,
  type SandboxSessionState,
  type Snapshot,
  serializeEnvValueReference,
} from '@openai/agents/sandbox';
import type { LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local';
import { explain } from '../terminal/explain.js';
import type { CheckedSandboxOptions } from './options.js';
import { recordOf } from './record.js';
import { knownSpec, serializedSpec } from './snapshots.js';
import { shellWord } from './text.js';

/** The state of a session. The SDK keeps it in the state of a run, and gives it back to `resume`. */
export interface HandrailSandboxState extends SandboxSessionState {
  /** The workspace on this machine. `manifest.root` is a name for it: the SDK compares that with the root of an agent. */
  workspaceRootPath: string;
  /**
   * The path by which commands know the workspace: `manifest.root` where they have a mount namespace and this machine has
   * nothing of that name, else `workspaceRootPath`. Set when the session is made; not a part of a state that is kept.
   */
  commandRootPath?: string | undefined;
  /** Why it is not `manifest.root`, in words for people. Undefined where it is. */
  commandRootReason?: string | undefined;
  /** The variables of the manifest with their values. */
  environment: Record<string, string>;
  /** How the workspace is kept. */
  snapshotSpec: LocalSandboxSnapshotSpec;
}

/** The name of a workspace that was made for a session: 128 random bits. */
const WORKSPACE_NAME = /^handrail-sandbox-[0-9a-f]{32}$/;

const MAX_STATE_ENTRIES = 10_000;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a path can be the workspace of a session of this client. */
export function isOwnWorkspace(folder: string, { workspaceBaseDir }: CheckedSandboxOptions): boolean {
  return path.dirname(folder) === workspaceBaseDir && WORKSPACE_NAME.test(path.basename(folder));
}

/** A manifest of a session's own, since the SDK changes that of a state. */
export function copiedManifest(manifest: Manifest): Manifest {
  return new Manifest(initOf(manifest));
}

/** A manifest with what another adds to it. */
export function mergedManifest(manifest: Manifest, added: Manifest): Manifest {
  const base = initOf(manifest);
  const more = initOf(added);
  return new Manifest({
    ...base,
    entries: { ...base.entries, ...more.entries },
    environment: { ...base.environment, ...more.environment },
    extraPathGrants: [
      ...manifest.extraPathGrants.filter((grant) => added.extraPathGrants.every((newer) => newer.path !== grant.path)),
      ...added.extraPathGrants,
    ],
  });
}

function initOf(manifest: Manifest): ManifestInit {
  const { version, root, entries, users, groups, extraPathGrants, remoteMountCommandAllowlist } = manifest;
  const environment = Object.fromEntries(
    Object.entries(manifest.environment).map(([name, value]) => [name, value.init()]),
  );
  return { version, root, entries, environment, users, groups, extraPathGrants, remoteMountCommandAllowlist };
}

/** The state as JSON. Ephemeral entries and variables are left out, and the values of references. */
export function serializedState(state: HandrailSandboxState): Record<string, unknown> {
  const { manifest, workspaceRootPath, snapshotFingerprint, snapshotFingerprintVersion } = state;
  const variables = Object.entries(manifest.environment).filter(([, { ephemeral }]) => !ephemeral);
  const { entries, environment: _, ...init } = initOf(manifest);
  return {
    manifest: {
      ...init,
      entries: persistentEntries(entries ?? {}),
      environment: Object.fromEntries(
        variables.map(([name, value]) => [
          name,
          isEnvValueReference(value) ? serializeEnvValueReference(value) : value.normalized(),
        ]),
      ),
    },
    workspaceRootPath,
    environment: Object.fromEntries(
      variables
        .filter(([, value]) => !isEnvValueReference(value))
        .map(([name, { value }]) => [name, state.environment[name] ?? value]),
    ),
    snapshotSpec: serializedSpec(state.snapshotSpec),
    snapshot: state.snapshot ?? null,
    snapshotFingerprint: snapshotFingerprint ?? null,
    snapshotFingerprintVersion: snapshotFingerprintVersion ?? null,
    ...(state['configuredExposedPorts'] === undefined
      ? {}
      : { configuredExposedPorts: state['configuredExposedPorts'] }),
  };
}

function persistentEntries(entries: Readonly<Record<string, Entry>>): Record<string, unknown> {
  const kept = Object.entries(entries).filter(([, { ephemeral }]) => ephemeral !== true);
  return Object.fromEntries(
    kept.map(([name, entry]) => {
      if (entry.type === 'file' && typeof entry.content !== 'string') {
        return [name, { ...entry, content: { type: 'base64', data: Buffer.from(entry.content).toString('base64') } }];
      }
      if (entry.type !== 'dir' || entry.children === undefined) return [name, entry];
      return [name, { ...entry, children: persistentEntries(entry.children) }];
    }),
  );
}

/** The ports of the options, as the SDK names them in a state. */
export function exposedPortsOf({ exposedPorts }: CheckedSandboxOptions): { configuredExposedPorts?: number[] } {
  return exposedPorts === undefined ? {} : { configuredExposedPorts: [...new Set(exposedPorts)] };
}

/**
 * A state that came back, from wherever it was kept meanwhile: every part is checked, and none names a place, a store, a
 * port or a program.
 *
 * @param knownSpecs How this client keeps workspaces: of the options, or of runs.
 * @throws SandboxConfigurationError For a state that is damaged, or was not made by a client with these options.
 */
export async function restoredState(
  value: Readonly<Record<string, unknown>>,
  options: CheckedSandboxOptions,
  knownSpecs: readonly LocalSandboxSnapshotSpec[],
): Promise<HandrailSandboxState> {
  const workspaceRootPath = workspaceOf(value, options);
  const { snapshot, snapshotFingerprint, snapshotFingerprintVersion } = value;
  const manifest = manifestOf(value['manifest']);
  return {
    ...{ manifest, workspaceRootPath },
    environment: await environmentOf(manifest, value['environment']),
    snapshotSpec: knownSpec(value['snapshotSpec'], knownSpecs),
    ...exposedPortsOf(options),
    snapshot: snapshotOf(snapshot),
    snapshotFingerprint: typeof snapshotFingerprint === 'string' ? snapshotFingerprint : null,
    snapshotFingerprintVersion: typeof snapshotFingerprintVersion === 'string' ? snapshotFingerprintVersion : null,
  };
}

/** The workspace of a state: that of the options, or a folder that this client names for a session. */
export function workspaceOf(value: Readonly<Record<string, unknown>>, options: CheckedSandboxOptions): string {
  const { workspaceRootPath: folder } = value;
  const isKnown =
    typeof folder === 'string' &&
    (options.workspace === undefined ? isOwnWorkspace(folder, options) : folder === options.workspace);
  if (isKnown) return folder;
  throw rejected('its `workspaceRootPath` is not the workspace of a session of this client');
}

/** Whether the workspace is there: a folder of this user, and no link. */
export async function isThere(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return;
  });
  if (stats === undefined) return false;
  if (stats.isDirectory() && stats.uid === process.getuid?.()) return true;
  throw rejected('its workspace is no folder of this user');
}

function manifestOf(value: unknown): Manifest {
  // What the SDK hands over may be a manifest already.
  const record = value instanceof Manifest ? initOf(value) : recordOf(value);
  const manifest = readManifest({ ...record, entries: restoredEntries(record.entries ?? {}, { count: 0 }) });
  // A grant is a folder of the host.
  if (manifest.extraPathGrants.length > 0) throw rejected('it has path grants: make a new session with them');
  for (const { entry } of manifest.iterEntries()) {
    // Nothing of a state is copied from the host. The entries only describe what is in the workspace.
    if (!['file', 'dir', 'local_file', 'local_dir'].includes(entry.type)) {
      throw rejected(`it has an entry of type ${entry.type}`);
    }
  }
  return manifest;
}

function readManifest(init: ManifestInit): Manifest {
  try {
    return new Manifest(init);
  } catch (cause) {
    throw Object.assign(rejected('its manifest is damaged'), { cause });
  }
}

function restoredEntries(value: unknown, seen: { count: number }): Record<string, Entry> {
  const restored = Object.entries(recordOf(value)).map(([name, entry]): [string, unknown] => {
    seen.count += 1;
    if (seen.count > MAX_STATE_ENTRIES) throw rejected(`it has more than ${MAX_STATE_ENTRIES} entries`);
    const { type, content, children, ...others } = recordOf(entry);
    const { type: encoding, data } = recordOf(content);
    return [
      name,
      {
        ...{ type, ...others },
        ...(content === undefined
          ? {}
          : { content: encoding === 'base64' ? Buffer.from(`${data}`, 'base64') : content }),
        ...(children === undefined ? {} : { children: restoredEntries(children, seen) }),
      },
    ];
  });
  return Object.fromEntries(restored) as Record<string, Entry>;
}

/** The variables of a state. One that decides what commands run is the word of a manifest, never of a state. */
async function environmentOf(manifest: Manifest, given: unknown): Promise<Record<string, string>> {
  const kept = Object.entries(recordOf(given)).filter(([name]) => {
    const declared = manifest.environment[name];
    return declared !== undefined && !declared.ephemeral && !isEnvValueReference(declared);
  });
  const environment: Record<string, unknown> = {
    ...(await manifest.resolveEnvironment()),
    ...Object.fromEntries(kept),
  };
  for (const [name, value] of Object.entries(environment)) {
    if (!VARIABLE_NAME.test(name) || typeof value !== 'string' || value.includes('\0')) {
      throw rejected('one of its variables is none');
    }
    if (decidesWhatRuns(name, value))
      throw rejected(`its variable ${name} decides what runs: make a new session with it`);
  }
  return environment as Record<string, string>;
}

/** The policy's own word on an assignment in a script. */
function decidesWhatRuns(name: string, value: string): boolean {
  const script = `${name}=${shellWord(value)} true`;
  const { reasons } = explain(script, { shell: 'bash', deny: ['rm'] });
  return reasons.some(({ rule }) => rule === 'environment.dangerous');
}

function snapshotOf(value: unknown): Snapshot | null {
  const { id, type } = recordOf(value) as { readonly id?: unknown; readonly type?: unknown };
  // Its place is not taken over: the id is looked up where the options say.
  return typeof id === 'string' && (type === 'local' || type === 'remote') ? { id, type } : null;
}

function rejected(problem: string): SandboxConfigurationError {
  return new SandboxConfigurationError(`The sandbox session state was not taken: ${problem}`);
}
