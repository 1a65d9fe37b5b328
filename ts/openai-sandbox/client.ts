import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type Capability,
  type Manifest,
  normalizeSandboxClientCreateArgs,
  type SandboxClient,
  type SandboxClientCreateArgs,
  type SandboxClientOptions,
  type SandboxClientResumeOptions,
  type SandboxSessionResumeValidationInput,
  SandboxWorkspaceRootNotFoundError,
  validateSandboxArchiveLimits,
} from '@openai/agents/sandbox';
import type { LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local';
import { guardedCapabilities } from './calls.js';
import { assertSupported, writeEntries } from './entries.js';
import { type CheckedSandboxOptions, checkSandboxOptions, redactorOf } from './options.js';
import { HandrailSandboxSession } from './session.js';
import {
  dropSnapshot,
  FINGERPRINT_VERSION,
  fingerprintOf,
  loadSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from './snapshots.js';
import {
  type HandrailSandboxState,
  isOwnWorkspace,
  isThere,
  restoredState,
  rootedManifest,
  serializedState,
  workspaceOf,
} from './state.js';
import { SessionToolkits } from './toolkits.js';
import { WorkspaceTree } from './tree.js';

/** Makes sandboxes for the agents of the SDK. Made by `handrailSandbox()`. */
export class HandrailSandboxClient implements SandboxClient<SandboxClientOptions, HandrailSandboxState> {
  /** The SDK knows the states of this client's sessions by it. */
  readonly backendId = 'handrail';
  /** Without a snapshot of the run, the SDK asks for a local one. */
  readonly supportsDefaultOptions = true;
  readonly #options: CheckedSandboxOptions;
  readonly #redactors = new Map<HandrailSandboxSession, SessionToolkits>();

  /** @internal */
  constructor(options: CheckedSandboxOptions) {
    this.#options = options;
  }

  /**
   * The SDK's default capabilities for agents of this sandbox. Their tools end a command when the run is aborted, and show
   * spans and events of the sandbox no secret of a command. With other capabilities neither is possible: the SDK gives a
   * session no signal, and spans the command as it is.
   */
  capabilities(): Capability[] {
    return guardedCapabilities((text) =>
      [...this.#redactors.values()].reduce((masked, { redactor }) => redactor.redact(masked), text),
    );
  }

  /**
   * Makes a session with a workspace as the manifest says. Its `manifest.root` is the path of the workspace on this
   * machine.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong options of the run.
   */
  async create(
    args?: SandboxClientCreateArgs<SandboxClientOptions> | Manifest,
    manifestOptions?: SandboxClientOptions,
  ): Promise<HandrailSandboxSession> {
    const given = normalizeSandboxClientCreateArgs(args, manifestOptions);
    const options = this.#optionsOf(given.options);
    const archiveLimits = given.archiveLimits === undefined ? options.archiveLimits : given.archiveLimits;
    validateSandboxArchiveLimits(archiveLimits);
    assertSupported(given.manifest);
    const workspaceRootPath = await makeWorkspace(options);
    try {
      const manifest = rootedManifest(given.manifest, workspaceRootPath);
      await WorkspaceTree.with(workspaceRootPath, (tree) => writeEntries(tree, manifest.entries, manifest));
      const state: HandrailSandboxState = {
        ...{ manifest, workspaceRootPath },
        requestedRoot: given.manifest.root,
        environment: await manifest.resolveEnvironment(),
        snapshotSpec: snapshotSpecOf(given.snapshot, options),
        snapshot: null,
      };
      return this.#session(state, options, archiveLimits);
    } catch (error) {
      if (options.workspace === undefined) await rm(workspaceRootPath, { recursive: true, force: true });
      throw error;
    }
  }

  /** The state of a session as JSON, after its workspace was kept as its snapshot says. */
  async serializeSessionState(state: HandrailSandboxState): Promise<Record<string, unknown>> {
    const { snapshotSpec, workspaceRootPath, manifest, snapshot: earlier } = state;
    const taken = await takeSnapshot(workspaceRootPath, manifest.ephemeralPersistencePaths(), snapshotSpec);
    const { snapshot, fingerprint } = taken;
    state.snapshot = snapshot;
    state.snapshotFingerprint = fingerprint;
    state.snapshotFingerprintVersion = fingerprint === null ? null : FINGERPRINT_VERSION;
    if (earlier !== undefined && earlier !== null && earlier.id !== snapshot?.id) {
      await dropSnapshot(earlier, snapshotSpec);
    }
    return serializedState(state);
  }

  /** Whether a run can go on later with a session that ends now. */
  canPersistOwnedSessionState({ snapshotSpec }: HandrailSandboxState): boolean {
    return snapshotSpec.type !== 'noop' || this.#options.workspace !== undefined;
  }

  /**
   * A state that came back. It is not trusted: it names no place but a workspace of this client, no port, no store, no
   * variable that decides what runs, and nothing of the host is copied because of it.
   *
   * @throws SandboxConfigurationError For a state that is damaged, or of another client.
   */
  async deserializeSessionState(state: Record<string, unknown>): Promise<HandrailSandboxState> {
    return await restoredState(state, this.#options);
  }

  /** Refuses a state of another client before anything is made for it. */
  validateSessionStateForResume({ state }: SandboxSessionResumeValidationInput<HandrailSandboxState>): void {
    workspaceOf(state, this.#options);
  }

  /** The current manifest with the workspace as its root, where the options name it. */
  resolveTrustedManifestForResume(manifest: Manifest): Manifest {
    return this.#options.workspace === undefined ? manifest : rootedManifest(manifest, this.#options.workspace);
  }

  /** A session in the workspace of a state. Where that is gone or was changed, the snapshot takes its place. */
  async resume(
    given: HandrailSandboxState,
    { archiveLimits: limits, clientOptions }: SandboxClientResumeOptions<SandboxClientOptions> = {},
  ): Promise<HandrailSandboxSession> {
    const options = this.#optionsOf(clientOptions);
    const state = await restoredState({ ...given, environment: given.environment }, options);
    const archiveLimits = limits === undefined ? options.archiveLimits : limits;
    const { workspaceRootPath, snapshot } = state;
    const there = await isThere(workspaceRootPath);
    const isUnchanged =
      there &&
      (snapshot === null ||
        options.workspace !== undefined ||
        state.snapshotFingerprint ===
          (await fingerprintOf(workspaceRootPath, state.manifest.ephemeralPersistencePaths())));
    if (!isUnchanged) await this.#restore(state, there, archiveLimits);
    return this.#session(state, options, archiveLimits);
  }

  /** Removes the workspace and the snapshot of a state. A folder of the host stays. */
  async delete(state: HandrailSandboxState): Promise<void> {
    const folder = workspaceOf(state, this.#options);
    if (isOwnWorkspace(folder, this.#options)) await rm(folder, { recursive: true, force: true });
    if (state.snapshot !== undefined && state.snapshot !== null) await dropSnapshot(state.snapshot, state.snapshotSpec);
  }

  async #restore(
    { snapshot, snapshotSpec, workspaceRootPath }: HandrailSandboxState,
    there: boolean,
    archiveLimits: CheckedSandboxOptions['archiveLimits'],
  ): Promise<void> {
    const data = snapshot ? await loadSnapshot(snapshot, snapshotSpec) : undefined;
    if (data === undefined) {
      if (there) return;
      throw new SandboxWorkspaceRootNotFoundError('The workspace is gone, and there is no snapshot to restore it from');
    }
    if (!there) await mkdir(workspaceRootPath, { mode: 0o700 });
    await restoreSnapshot(workspaceRootPath, data, archiveLimits);
  }

  #session(
    state: HandrailSandboxState,
    options: CheckedSandboxOptions,
    archiveLimits: CheckedSandboxOptions['archiveLimits'],
  ): HandrailSandboxSession {
    const toolkits = new SessionToolkits(options, redactorOf(options));
    const onClosed = (closed: HandrailSandboxSession): void => {
      this.#redactors.delete(closed);
    };
    const session = new HandrailSandboxSession({ state, options, toolkits, archiveLimits, onClosed });
    this.#redactors.set(session, toolkits);
    return session;
  }

  #optionsOf(given: SandboxClientOptions | undefined): CheckedSandboxOptions {
    return given === undefined ? this.#options : checkSandboxOptions({ ...this.#options, ...given });
  }
}

/** The folder of a new session, by its real path. */
async function makeWorkspace({ workspace, workspaceBaseDir }: CheckedSandboxOptions): Promise<string> {
  if (workspace !== undefined) return workspace;
  const folder = path.join(workspaceBaseDir, `handrail-sandbox-${randomBytes(16).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  return await realpath(folder);
}

function snapshotSpecOf(given: unknown, options: CheckedSandboxOptions): LocalSandboxSnapshotSpec {
  if (options.workspace !== undefined) return { type: 'noop' };
  return options.snapshot ?? (given as LocalSandboxSnapshotSpec | undefined) ?? { type: 'local' };
}
