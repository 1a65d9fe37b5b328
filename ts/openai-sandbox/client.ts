import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type Capability,
  type Manifest,
  normalizeSandboxClientCreateArgs,
  type SandboxClient,
  type SandboxClientCreateArgs,
  type SandboxClientOptions,
  type SandboxClientResumeOptions,
  SandboxConfigurationError,
  type SandboxSessionResumeValidationInput,
  SandboxWorkspaceRootNotFoundError,
  validateSandboxArchiveLimits,
} from '@openai/agents/sandbox';
import type { LocalSandboxSnapshotSpec } from '@openai/agents/sandbox/local';
import type { Redactor } from '../redaction/redactor.js';
import { guardedCapabilities } from './calls.js';
import { assertSupported, writeEntries } from './entries.js';
import { maskErrorsOf, masked } from './masked-errors.js';
import { type CheckedSandboxOptions, checkSandboxOptions, redactorOf } from './options.js';
import { recordOf } from './record.js';
import { HandrailSandboxSession } from './session.js';
import {
  dropSnapshot,
  FINGERPRINT_VERSION,
  fingerprintOf,
  loadSnapshot,
  restoreSnapshot,
  serializedSpec,
  takeSnapshot,
} from './snapshots.js';
import {
  copiedManifest,
  exposedPortsOf,
  type HandrailSandboxState,
  isOwnWorkspace,
  isThere,
  restoredState,
  serializedState,
  workspaceOf,
} from './state.js';
import { SessionToolkits } from './toolkits.js';
import { removeFolder, WorkspaceTree } from './tree.js';

/** Most places and stores of runs that a client knows again: the latest. */
const MAX_RUN_SPECS = 64;

/** Makes sandboxes for the agents of the SDK. Made by `handrailSandbox()`. */
export class HandrailSandboxClient implements SandboxClient<SandboxClientOptions, HandrailSandboxState> {
  /** The SDK knows the states of this client's sessions by it. */
  readonly backendId = 'handrail';
  /** Without a snapshot of the run, the SDK asks for a local one. */
  readonly supportsDefaultOptions = true;
  readonly #options: CheckedSandboxOptions;
  readonly #redactors = new Map<HandrailSandboxSession, SessionToolkits>();
  #ownRedactor: Redactor | undefined;
  /** How runs of this client asked for their workspace to be kept, the latest last. */
  readonly #runSpecs = new Map<string, LocalSandboxSnapshotSpec>();
  /** How the last snapshot of a state was kept, which the state may say no more. */
  readonly #keptBy = new WeakMap<HandrailSandboxState, LocalSandboxSnapshotSpec>();

  static {
    maskErrorsOf(HandrailSandboxClient.prototype, (client) => ({ redact: (text) => client.#mask(text) }));
  }

  /** @internal */
  constructor(options: CheckedSandboxOptions) {
    this.#options = options;
  }

  /**
   * The SDK's default capabilities for agents of this sandbox. Their tools end a command when the run is aborted, and show
   * spans and events of the sandbox no secret of a command, and the model is told the path of the workspace on this
   * machine. With other capabilities none of this is possible: the SDK gives a session no signal, spans the command as it
   * is, and names the root of the manifest.
   */
  capabilities(): Capability[] {
    return guardedCapabilities((text) => this.#mask(text));
  }

  /**
   * Makes a session with a workspace as the manifest says.
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
    assertConcurrencyLimits(given.concurrencyLimits ?? options.concurrencyLimits);
    assertSupported(given.manifest);
    const workspaceRootPath = await makeWorkspace(options);
    const toolkits = new SessionToolkits(options, redactorOf(options));
    try {
      const environment = await given.manifest.resolveEnvironment();
      toolkits.learn(environment);
      const manifest = copiedManifest(given.manifest);
      await WorkspaceTree.with(workspaceRootPath, (tree) => writeEntries(tree, manifest.entries, manifest));
      const state: HandrailSandboxState = {
        ...{ manifest, workspaceRootPath },
        environment,
        snapshotSpec: this.#snapshotSpecOf(given.snapshot, options),
        ...exposedPortsOf(options),
        snapshot: null,
      };
      return await this.#session(state, options, archiveLimits, toolkits);
    } catch (error) {
      if (options.workspace === undefined) await removeFolder(workspaceRootPath);
      throw masked(error, toolkits.redactor);
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
      await dropSnapshot(earlier, this.#keptBy.get(state) ?? snapshotSpec);
    }
    this.#keptBy.set(state, snapshotSpec);
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
    return await restoredState(state, this.#options, this.#knownSpecs());
  }

  /** Refuses a state of another client before anything is made for it. */
  validateSessionStateForResume({ state }: SandboxSessionResumeValidationInput<HandrailSandboxState>): void {
    workspaceOf(state, this.#options);
  }

  /** A session in the workspace of a state. Where that is gone or was changed, the snapshot takes its place. */
  async resume(
    given: HandrailSandboxState,
    { archiveLimits: limits, clientOptions }: SandboxClientResumeOptions<SandboxClientOptions> = {},
  ): Promise<HandrailSandboxSession> {
    const options = this.#optionsOf(clientOptions);
    const state = await restoredState({ ...given, environment: given.environment }, options, this.#knownSpecs());
    this.#keptBy.set(state, state.snapshotSpec);
    const archiveLimits = limits === undefined ? options.archiveLimits : limits;
    await inTurn(state.workspaceRootPath, () => this.#reopen(state, options, archiveLimits));
    return await this.#session(state, options, archiveLimits, new SessionToolkits(options, redactorOf(options)));
  }

  /** Removes the workspace and the snapshot of a state. A folder of the host stays. */
  async delete(state: HandrailSandboxState): Promise<void> {
    const folder = workspaceOf(state, this.#options);
    if (isOwnWorkspace(folder, this.#options)) await removeFolder(folder);
    if (state.snapshot !== undefined && state.snapshot !== null) await dropSnapshot(state.snapshot, state.snapshotSpec);
  }

  async #reopen(
    state: HandrailSandboxState,
    options: CheckedSandboxOptions,
    archiveLimits: CheckedSandboxOptions['archiveLimits'],
  ): Promise<void> {
    const { workspaceRootPath, snapshot } = state;
    const there = await isThere(workspaceRootPath);
    const isUnchanged =
      there &&
      (snapshot === null ||
        options.workspace !== undefined ||
        state.snapshotFingerprint ===
          (await fingerprintOf(workspaceRootPath, state.manifest.ephemeralPersistencePaths())));
    if (!isUnchanged) await this.#restore(state, there, archiveLimits);
  }

  async #restore(
    { snapshot, snapshotSpec, workspaceRootPath }: HandrailSandboxState,
    there: boolean,
    archiveLimits: CheckedSandboxOptions['archiveLimits'],
  ): Promise<void> {
    const data = snapshot ? await loadSnapshot(snapshot, snapshotSpec) : undefined;
    if (data === undefined) {
      if (there) return;
      const problem = 'The workspace is gone, and no local snapshot could be restored, nor one from a store';
      throw new SandboxWorkspaceRootNotFoundError(problem);
    }
    if (!there) {
      await mkdir(workspaceRootPath, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
        // Another process resumes the same state.
        if (error.code !== 'EEXIST' || !(await isThere(workspaceRootPath))) throw error;
      });
    }
    await restoreSnapshot(workspaceRootPath, data, archiveLimits);
  }

  async #session(
    state: HandrailSandboxState,
    options: CheckedSandboxOptions,
    archiveLimits: CheckedSandboxOptions['archiveLimits'],
    toolkits: SessionToolkits,
  ): Promise<HandrailSandboxSession> {
    const onClosed = (closed: HandrailSandboxSession): void => {
      this.#redactors.delete(closed);
    };
    const session = new HandrailSandboxSession({ state, options, toolkits, archiveLimits, onClosed });
    this.#redactors.set(session, toolkits);
    try {
      // The SDK describes the workspace before the first command, and does not start a session that runs.
      await session.start();
    } catch (error) {
      await session.shutdown();
      throw error;
    }
    return session;
  }

  /** Masks what the options and the manifest of any session name as a secret. */
  #mask(text: string): string {
    this.#ownRedactor ??= redactorOf(this.#options);
    const redactors = [this.#ownRedactor, ...[...this.#redactors.values()].map(({ redactor }) => redactor)];
    return redactors.reduce((shown, redactor) => redactor.redact(shown), text);
  }

  #snapshotSpecOf(given: unknown, options: CheckedSandboxOptions): LocalSandboxSnapshotSpec {
    if (options.workspace !== undefined) return { type: 'noop' };
    const spec = options.snapshot ?? (given as LocalSandboxSnapshotSpec | undefined) ?? { type: 'local' };
    const key = JSON.stringify(serializedSpec(spec));
    this.#runSpecs.delete(key);
    this.#runSpecs.set(key, spec);
    for (const [oldest] of [...this.#runSpecs].slice(0, -MAX_RUN_SPECS)) this.#runSpecs.delete(oldest);
    return spec;
  }

  #knownSpecs(): readonly LocalSandboxSnapshotSpec[] {
    const { snapshot = { type: 'local' } } = this.#options;
    return [snapshot, ...this.#runSpecs.values()];
  }

  #optionsOf(given: SandboxClientOptions | undefined): CheckedSandboxOptions {
    return given === undefined ? this.#options : checkSandboxOptions({ ...this.#options, ...given });
  }
}

/** The last resume of each workspace that is going on. */
const resumes = new Map<string, Promise<void>>();

/** Resumes of one workspace in this process follow each other: the second finds what the first has restored. */
async function inTurn(workspace: string, resume: () => Promise<void>): Promise<void> {
  const turn = (resumes.get(workspace) ?? Promise.resolve()).then(resume, resume);
  resumes.set(workspace, turn);
  try {
    await turn;
  } finally {
    if (resumes.get(workspace) === turn) resumes.delete(workspace);
  }
}

/** The folder of a new session, by its real path. */
async function makeWorkspace({ workspace, workspaceBaseDir }: CheckedSandboxOptions): Promise<string> {
  if (workspace !== undefined) return workspace;
  const folder = path.join(workspaceBaseDir, `handrail-sandbox-${randomBytes(16).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  return await realpath(folder);
}

/** One entry is written after the other, which is within every limit. */
function assertConcurrencyLimits(limits: unknown): void {
  const { manifestEntries, localDirFiles } = recordOf(limits);
  for (const limit of [manifestEntries, localDirFiles]) {
    if (limit === undefined || (typeof limit === 'number' && Number.isFinite(limit) && limit >= 1)) continue;
    throw new SandboxConfigurationError('Sandbox concurrency limits must be positive numbers');
  }
}
