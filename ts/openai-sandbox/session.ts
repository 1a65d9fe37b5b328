import { userInfo } from 'node:os';
import path from 'node:path';
import type { ApplyPatchOperation, ApplyPatchResult, Editor, ToolOutputImage } from '@openai/agents';
import {
  type ExecCommandArgs,
  type ExposedPortEndpoint,
  type ListDirectoryArgs,
  type Manifest,
  type MaterializeEntryArgs,
  normalizeExposedPort,
  type ReadFileArgs,
  type ResolvedSandboxPath,
  recordExposedPortEndpoint,
  SandboxApplyPatchError,
  type SandboxArchiveLimits,
  type SandboxDirectoryEntry,
  type SandboxExecResult,
  SandboxExposedPortUnavailableError,
  SandboxLifecycleError,
  type SandboxSession,
  SandboxWorkspaceReadNotFoundError,
  Manifest as SdkManifest,
  type ViewImageArgs,
  type WorkspaceArchiveData,
  type WorkspaceArchiveOptions,
  WorkspacePathPolicy,
  type WriteStdinArgs,
} from '@openai/agents/sandbox';
import { applyOperation } from '../adapters/patch-operation.js';
import { isHandrailError } from '../errors.js';
import type { FileRefusal } from '../files/answers.js';
import type { Toolkit } from '../toolkit.js';
import { DEFAULT_RESULT_TOKENS } from '../tools/limits.js';
import { packWorkspace, unpackWorkspace } from './archive.js';
import { surroundingCall, takeWrittenCommand } from './calls.js';
import { assertSupported, unsupported, writeEntries } from './entries.js';
import { imageOf, MAX_IMAGE_BYTES } from './image.js';
import { maskErrorsOf } from './masked-errors.js';
import type { CheckedSandboxOptions } from './options.js';
import { fitTokens, type Program, type ProgramOutput, startCommand, startTerminal } from './programs.js';
import { type HandrailSandboxState, mergedManifest } from './state.js';
import { execText } from './text.js';
import type { SessionToolkits } from './toolkits.js';
import { removeFolder, WorkspaceTree } from './tree.js';

const DEFAULT_EXEC_WAIT_MS = 10_000;
const DEFAULT_WRITE_WAIT_MS = 250;

/** Most bytes of a file that `readFile` gives. */
const MAX_READ_FILE_BYTES = 64 * 1024 * 1024;
const MAX_LISTED_ENTRIES = 100_000;
const MAX_READ_LINES = 268_435_456;

/** The shells whose commands bash runs as they are. */
const KNOWN_SHELLS = ['bash', 'sh'];

/** What a session is made of. */
export interface SessionParts {
  readonly state: HandrailSandboxState;
  readonly options: CheckedSandboxOptions;
  readonly toolkits: SessionToolkits;
  readonly archiveLimits: SandboxArchiveLimits | null | undefined;
  readonly onClosed: (session: HandrailSandboxSession) => void;
}

/**
 * The sandbox of one agent: a workspace, and a toolkit of Handrail on it. Commands are judged, confined and ended for
 * certain; files are judged; everything that comes back is masked and bounded. Made by `handrailSandbox().create()`.
 */
export class HandrailSandboxSession implements SandboxSession<HandrailSandboxState> {
  /** What the SDK keeps of the session, and changes. */
  readonly state: HandrailSandboxState;
  readonly #options: CheckedSandboxOptions;
  readonly #toolkits: SessionToolkits;
  readonly #onClosed: SessionParts['onClosed'];
  readonly #programs = new Map<number, Program>();
  #archiveLimits: SandboxArchiveLimits | null | undefined;
  #nextProgram = 1;
  /** Fires when the commands are ended, also for those whose start is still being judged. */
  #stop = new AbortController();
  #closed: Promise<void> | undefined;

  static {
    maskErrorsOf(HandrailSandboxSession.prototype, (session) => session.#toolkits.redactor);
  }

  /** @internal */
  constructor({ state, options, toolkits, archiveLimits, onClosed }: SessionParts) {
    this.state = state;
    this.#options = options;
    this.#toolkits = toolkits;
    this.#archiveLimits = archiveLimits;
    this.#onClosed = onClosed;
  }

  /** Makes the toolkit, so that wrong options are told before the first command. Can be called again. */
  async start(): Promise<void> {
    await this.#toolkit();
  }

  /** Whether the session can be used. */
  running(): Promise<boolean> {
    return Promise.resolve(this.#closed === undefined);
  }

  /** Ends every command, with everything that it started, and waits until none is left. The session stays usable. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#programs.clear();
    await this.#toolkits.endPrograms();
  }

  /** Ends every command and closes the toolkit. The workspace stays. */
  shutdown(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** The same, and removes a workspace that was made for the session. */
  async delete(): Promise<void> {
    await this.shutdown();
    if (this.#options.workspace !== undefined) return;
    await removeFolder(this.state.workspaceRootPath);
  }

  /** The same as `delete()`. */
  async close(): Promise<void> {
    await this.delete();
  }

  /** Runs a command, and gives its output as the SDK's tool shows it to a model. */
  async execCommand(args: ExecCommandArgs): Promise<string> {
    return execText(await this.exec(args));
  }

  /** Runs a command. One that is not over after `yieldTimeMs` goes on, and has a `sessionId`. */
  async exec(args: ExecCommandArgs): Promise<SandboxExecResult> {
    const began = performance.now();
    this.#assertUser(args.runAs);
    // Before the first wait: `stop()` exchanges the signal, and another command may take the call's.
    const stopped = this.#stop.signal;
    const command = takeWrittenCommand(args.cmd);
    const toolkit = await this.#toolkit();
    if (args.shell !== undefined && !KNOWN_SHELLS.includes(path.basename(args.shell))) {
      const output = 'Nothing was run: commands are judged as bash, and bash runs them. Leave `shell` out';
      return this.#result({ output, stdout: '', stderr: output, exitCode: 126 }, began, args.maxOutputTokens);
    }
    const call = surroundingCall();
    const signal = AbortSignal.any([stopped, ...(call.signal === undefined ? [] : [call.signal])]);
    const start = {
      ...{ toolkit, call: { ...call, signal }, command },
      cwd: toolkit.terminal.shownPath(this.resolveSandboxPath(args.workdir ?? '')),
      waitMs: args.yieldTimeMs ?? DEFAULT_EXEC_WAIT_MS,
      lifeMs: this.#options.terminal?.timeoutMs,
    };
    const { program, first } = await (args.tty === true ? startTerminal(start) : startCommand(start));
    const id = program === undefined ? undefined : this.#keep(program);
    return this.#result(first, began, args.maxOutputTokens, id);
  }

  /** Writes to a command that goes on, and gives what it wrote since; with empty `chars` it only waits. */
  async writeStdin({ sessionId, chars = '', yieldTimeMs, maxOutputTokens }: WriteStdinArgs): Promise<string> {
    const began = performance.now();
    this.#assertOpen();
    const program = this.#programs.get(sessionId);
    if (program === undefined) {
      const output = this.#toolkits.redactor.redact(`write_stdin failed: session not found: ${sessionId}`);
      return execText(this.#result({ output, stdout: '', stderr: output, exitCode: 1 }, began, undefined));
    }
    const output = await program.write(chars, yieldTimeMs ?? DEFAULT_WRITE_WAIT_MS, surroundingCall());
    if (output.exitCode !== undefined) this.#programs.delete(sessionId);
    return execText(
      this.#result(output, began, maxOutputTokens, output.exitCode === undefined ? sessionId : undefined),
    );
  }

  /** Whether commands can have a terminal: always. */
  supportsPty(): boolean {
    return true;
  }

  /** The path on this machine of a path of the SDK: beneath the workspace or a path grant. */
  resolveSandboxPath(name = '', { forWrite = false }: { readonly forWrite?: boolean } = {}): string {
    return this.#resolved(name, forWrite).path;
  }

  /** Changes files by V4A diffs, as `file_patch`: an operation that was refused rejects with the reason. */
  createEditor(runAs?: string): Editor {
    this.#assertUser(runAs);
    const apply = async (operation: ApplyPatchOperation): Promise<ApplyPatchResult> => {
      const toolkit = await this.#toolkit();
      const { signal, callId } = surroundingCall();
      const placed = this.#placed(operation);
      const applied = await applyOperation(toolkit, placed, { signal, callId });
      if (!applied.isError) return { status: 'completed', output: applied.content };
      const { data } = applied;
      const refusal = data !== undefined && 'refusal' in data ? data.refusal.code : undefined;
      const title = refusal === undefined ? '' : (PATCH_TITLES[refusal] ?? '');
      throw new SandboxApplyPatchError(`${title}${applied.content}`, patchErrorCode(refusal), { refusal });
    };
    return { createFile: apply, updateFile: apply, deleteFile: apply };
  }

  /** A picture of the workspace. A text of an SVG is masked. */
  async viewImage({ path: name, runAs }: ViewImageArgs): Promise<ToolOutputImage> {
    this.#assertUser(runAs);
    const toolkit = await this.#toolkit();
    const file = this.resolveSandboxPath(name);
    const { data } = await toolkit.execute('file_stat', { path: file }, contextOfCall());
    if (data.kind === 'file_stat' && !data.ok) {
      throw fileError(name, data.refusal, data.refusal.code === 'not_found' ? 'Image file not found' : undefined);
    }
    if (data.kind !== 'file_stat' || !data.ok || data.type !== 'file') {
      throw new SandboxWorkspaceReadNotFoundError(`Image path is not a file: ${name}`);
    }
    const svg = async (): Promise<string> => {
      const read = await toolkit.files.read(file, { limit: MAX_READ_LINES });
      if (!read.ok) throw fileError(name, read.refusal);
      return read.text;
    };
    const mask = (text: string): string => toolkit.redactor.redact(text);
    return await imageOf(name, await this.#bytesOf(file, MAX_IMAGE_BYTES), { svg, mask });
  }

  /** The content of a file, secrets masked. */
  async readFile({ path: name, maxBytes, runAs }: ReadFileArgs): Promise<Uint8Array> {
    this.#assertUser(runAs);
    const toolkit = await this.#toolkit();
    const file = this.resolveSandboxPath(name);
    const read = await toolkit.files.read(file, { limit: MAX_READ_LINES });
    if (!read.ok && read.refusal.code !== 'binary') throw fileError(name, read.refusal);
    const isText = read.ok && read.encoding !== 'unknown';
    const content = isText ? Buffer.from(read.text) : await this.#maskedBytes(toolkit, name, file);
    return maxBytes === undefined ? content : content.subarray(0, maxBytes);
  }

  /** The names in a folder. Links are `other`. */
  async listDir({ path: name, runAs }: ListDirectoryArgs): Promise<SandboxDirectoryEntry[]> {
    this.#assertUser(runAs);
    const toolkit = await this.#toolkit();
    const listed = await toolkit.files.list(this.resolveSandboxPath(name), { limit: MAX_LISTED_ENTRIES });
    if (!listed.ok) throw fileError(name, listed.refusal);
    const { workspaceRelativePath, path: logicalPath } = this.#resolved(name);
    const folder = workspaceRelativePath ?? logicalPath;
    return listed.entries.map((entry) => ({
      name: entry.name,
      path: folder === '' ? entry.name : `${folder}/${entry.name}`,
      type: entry.type === 'file' || entry.type === 'dir' ? entry.type : 'other',
    }));
  }

  /** False: there is certainly nothing of that name. Rejects where that cannot be said. */
  async pathExists(name: string, runAs?: string): Promise<boolean> {
    this.#assertUser(runAs);
    const stat = await (await this.#toolkit()).files.stat(this.resolveSandboxPath(name));
    if (stat.ok) return stat.target !== 'outside';
    if (stat.refusal.code === 'not_found') return false;
    throw fileError(name, stat.refusal);
  }

  /** Whether there is a folder of that name. Rejects where that cannot be said. */
  async directoryExists(name: string, runAs?: string): Promise<boolean> {
    this.#assertUser(runAs);
    const listed = await (await this.#toolkit()).files.list(this.resolveSandboxPath(name), { limit: 1 });
    if (listed.ok) return true;
    if (['not_found', 'not_a_directory'].includes(listed.refusal.code)) return false;
    throw fileError(name, listed.refusal);
  }

  /** Writes an entry that the host adds. */
  async materializeEntry({ path: name, entry, runAs }: MaterializeEntryArgs): Promise<void> {
    const { workspaceRelativePath = '' } = this.#resolved(name);
    await this.applyManifest(
      new SdkManifest({ root: this.state.manifest.root, entries: { [workspaceRelativePath]: entry } }),
      runAs,
    );
  }

  /** Writes what the host adds to its manifest. */
  async applyManifest(manifest: Manifest, runAs?: string): Promise<void> {
    this.#assertUser(runAs);
    this.#assertOpen();
    assertSupported(manifest);
    const { state } = this;
    const merged = mergedManifest(state.manifest, manifest);
    await WorkspaceTree.with(state.workspaceRootPath, (tree) => writeEntries(tree, manifest.entries, merged));
    state.environment = { ...state.environment, ...(await manifest.resolveEnvironment()) };
    state.manifest = merged;
  }

  /** The workspace as one archive, secrets and all. Ephemeral entries are left out. */
  async persistWorkspace(): Promise<Uint8Array> {
    this.#assertOpen();
    const excluded = this.state.manifest.ephemeralPersistencePaths();
    return await WorkspaceTree.with(this.state.workspaceRootPath, (tree) => packWorkspace(tree, excluded));
  }

  /** Replaces the workspace by an archive, which is not trusted. Commands are ended before. */
  async hydrateWorkspace(data: WorkspaceArchiveData, options: WorkspaceArchiveOptions = {}): Promise<void> {
    this.#assertOpen();
    if (this.#options.workspace !== undefined) throw unsupported('hydrateWorkspace in a `workspace` of the host');
    const limits = options.archiveLimits === undefined ? this.#archiveLimits : options.archiveLimits;
    await this.stop();
    await WorkspaceTree.with(this.state.workspaceRootPath, (tree) => unpackWorkspace(tree, data, limits));
  }

  /** Limits of archives that are unpacked from now on. */
  setArchiveLimits(limits?: SandboxArchiveLimits | null): void {
    this.#archiveLimits = limits;
  }

  /** Where the host reaches a port of the commands. */
  async resolveExposedPort(port: number): Promise<ExposedPortEndpoint> {
    const exposed = normalizeExposedPort(port);
    const { exposedPorts = [exposed] } = this.#options;
    if (!exposedPorts.includes(exposed)) {
      const problem = `This sandbox was not configured to expose port ${exposed}: it is not among \`exposedPorts\``;
      throw new SandboxExposedPortUnavailableError(problem, { port: exposed });
    }
    const host = await this.#forwarded(await this.#toolkit(), exposed);
    return recordExposedPortEndpoint(this.state, { ...host, tls: false }, exposed);
  }

  /** A port of a network that commands have for themselves is forwarded; one of the host's network is there. */
  async #forwarded(toolkit: Toolkit, port: number): Promise<{ readonly host: string; readonly port: number }> {
    try {
      const { host, port: hostPort } = await this.#toolkits.forward(toolkit, port);
      return { host, port: hostPort };
    } catch (cause) {
      const { terminal } = this.#options;
      const network = terminal?.confine?.network ?? 'any';
      if (isHandrailError(cause) && network === 'any') return { host: '127.0.0.1', port };
      throw new SandboxExposedPortUnavailableError(`Port ${port} of the commands cannot be reached`, { cause });
    }
  }

  #keep(program: Program): number {
    const id = this.#nextProgram;
    this.#nextProgram += 1;
    this.#programs.set(id, program);
    return id;
  }

  #result(
    { output, stdout, stderr, exitCode }: ProgramOutput,
    began: number,
    maxTokens: number | undefined,
    sessionId?: number,
  ): SandboxExecResult {
    const { resultTokens = DEFAULT_RESULT_TOKENS } = this.#options.limits ?? {};
    const { text, originalTokens } = fitTokens(output, Math.max(1, Math.min(maxTokens ?? resultTokens, resultTokens)));
    return {
      ...{ output: text, stdout, stderr, wallTimeSeconds: (performance.now() - began) / 1_000 },
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(originalTokens === undefined ? {} : { originalTokenCount: originalTokens }),
    };
  }

  #resolved(name: string, forWrite = false): ResolvedSandboxPath {
    const { workspaceRootPath: root, manifest } = this.state;
    const given = name.trim();
    const isBelow = (folder: string): boolean =>
      given === folder || given.startsWith(folder === '/' ? '/' : `${folder}/`);
    const isNamed = isBelow(manifest.root) && !isBelow(root);
    const inside = isNamed ? path.posix.relative(manifest.root, given) : given;
    const { extraPathGrants } = manifest;
    return new WorkspacePathPolicy({ root, extraPathGrants }).resolve(inside, { forWrite });
  }

  #placed(operation: ApplyPatchOperation): ApplyPatchOperation {
    const forWrite = true;
    const placed = { ...operation, path: this.resolveSandboxPath(operation.path, { forWrite }) };
    if (placed.type !== 'update_file' || placed.moveTo === undefined) return placed;
    return { ...placed, moveTo: this.resolveSandboxPath(placed.moveTo, { forWrite }) };
  }

  async #maskedBytes(toolkit: Toolkit, name: string, file: string): Promise<Uint8Array> {
    const content = await this.#bytesOf(file, MAX_READ_FILE_BYTES);
    if (content === undefined) throw new SandboxWorkspaceReadNotFoundError(`The file is too large: ${name}`);
    return toolkit.redactor.redactBytes(content);
  }

  /** The bytes of a file that was judged. They are read through no link. */
  async #bytesOf(file: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const { manifest, workspaceRootPath } = this.state;
    const roots = [workspaceRootPath, ...manifest.extraPathGrants.map((grant) => grant.path)];
    const root = roots.find((folder) => file.startsWith(`${folder}/`)) ?? workspaceRootPath;
    return await WorkspaceTree.with(root, (tree) => tree.read(path.relative(root, file), maxBytes));
  }

  async #toolkit(): Promise<Toolkit> {
    this.#assertOpen();
    return await this.#toolkits.of(this.state);
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new SandboxLifecycleError('This sandbox session was closed');
  }

  #assertUser(runAs: string | undefined): void {
    if (runAs !== undefined && runAs !== userInfo().username) throw unsupported(`runAs, here ${runAs}`);
  }

  async #shutDown(): Promise<void> {
    await this.stop();
    await this.#toolkits.close();
    this.#onClosed(this);
  }
}

function contextOfCall(): { readonly signal?: AbortSignal; readonly callId?: string } {
  const { signal, callId } = surroundingCall();
  return { ...(signal === undefined ? {} : { signal }), ...(callId === undefined ? {} : { callId }) };
}

function fileError(name: string, { code, message }: FileRefusal, title?: string): Error {
  const outside = code === 'outside_root' ? `Sandbox path "${name}" escapes the workspace root. ` : '';
  const text = title === undefined ? `${outside}${message} (${name})` : `${title}: ${name}`;
  return new SandboxWorkspaceReadNotFoundError(text, { refusal: code, path: name });
}

/** The words of the SDK for refusals of `file_patch`, before ours. */
const PATCH_TITLES: Readonly<Record<string, string>> = {
  outside_root: 'The path escapes the workspace root. ',
  exists: 'The file already exists. ',
};

function patchErrorCode(refusal: string | undefined) {
  if (refusal === 'not_found') return 'apply_patch_file_not_found';
  if (refusal === 'not_editable') return 'apply_patch_decode_error';
  const isPath = refusal === 'outside_root' || refusal === 'invalid_path' || refusal === 'blocked_write';
  return isPath ? 'apply_patch_invalid_path' : 'apply_patch_invalid_diff';
}
