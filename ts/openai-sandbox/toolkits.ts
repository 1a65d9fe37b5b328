import { isHandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { ForwardedPort } from '../terminal/forward.js';
import { SHOWN_AS, type ShownRoot } from '../terminal/second-path.js';
import { createToolkit, type Toolkit } from '../toolkit.js';
import { type CommandPath, problemOfRoot } from './command-path.js';
import type { CheckedSandboxOptions } from './options.js';
import type { HandrailSandboxState } from './state.js';

/**
 * The toolkit of one session. The SDK may exchange the variables of a manifest while a session lives; a toolkit has its
 * variables from the start, so other ones make another toolkit, beside which the commands of the first one go on.
 */
export class SessionToolkits {
  readonly redactor: Redactor;
  readonly #options: CheckedSandboxOptions;
  readonly #made = new Map<string, Promise<Toolkit>>();
  readonly #forwarded = new Map<Toolkit, Map<number, Promise<ForwardedPort>>>();

  constructor(options: CheckedSandboxOptions, redactor: Redactor) {
    this.#options = options;
    this.redactor = redactor;
  }

  /** Masks the values of variables from now on, also in errors about what is made with them. */
  learn(environment: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(environment)) addKnownValue(this.redactor, name, value);
  }

  /** The toolkit for the variables and the path grants that the session has now. The state learns the path of commands. */
  async of(state: HandrailSandboxState): Promise<Toolkit> {
    const { environment, manifest, workspaceRootPath: workspace } = state;
    const grants = manifest.extraPathGrants.map(({ path, readOnly }) => ({ path, readOnly }));
    const key = JSON.stringify([environment, grants, manifest.root]);
    const made = this.#made.get(key) ?? this.#make(environment, grants, workspace, manifest.root);
    this.#made.set(key, made);
    try {
      const toolkit = await made;
      const { path: commandPath, reason } = commandPathOf(toolkit, workspace, manifest.root);
      state.commandRootPath = commandPath;
      state.commandRootReason = reason;
      return toolkit;
    } catch (error) {
      this.#made.delete(key);
      throw error;
    }
  }

  /** The same port of the host for the same port of commands. */
  async forward(toolkit: Toolkit, port: number): Promise<ForwardedPort> {
    const ports = this.#forwarded.get(toolkit) ?? new Map<number, Promise<ForwardedPort>>();
    this.#forwarded.set(toolkit, ports);
    const forwarded = ports.get(port) ?? toolkit.forward(port);
    ports.set(port, forwarded);
    return await forwarded.catch((error: unknown) => {
      ports.delete(port);
      throw error;
    });
  }

  /** Ends every command, one whose first output is still waited for among them. */
  async endPrograms(): Promise<void> {
    const settled = await Promise.allSettled(this.#made.values());
    const toolkits = settled.flatMap((made) => (made.status === 'fulfilled' ? [made.value] : []));
    const sessions = toolkits.flatMap((toolkit) => toolkit.sessions.list().map((session) => session.close()));
    const jobs = toolkits.flatMap((toolkit) => toolkit.jobs.list().map((job) => job.end()));
    await Promise.all([...sessions, ...jobs]);
  }

  /** Closes all of them. */
  async close(): Promise<void> {
    const toolkits = await Promise.allSettled(this.#made.values());
    await Promise.all(toolkits.map((made) => (made.status === 'fulfilled' ? made.value.close() : undefined)));
  }

  async #make(
    environment: Readonly<Record<string, string>>,
    grants: readonly { readonly path: string; readonly readOnly: boolean }[],
    workspace: string,
    root: string,
  ): Promise<Toolkit> {
    const { terminal, project, files, limits, approve, audit } = this.#options;
    this.learn(environment);
    const isPossible = root !== workspace && problemOfRoot(root) === undefined;
    const ofWorkspace: ShownRoot = { path: workspace, mode: 'rw', [SHOWN_AS]: isPossible ? root : undefined };
    return await createToolkit({
      roots: [
        ofWorkspace,
        ...grants.map(({ path, readOnly }) => ({ path, mode: readOnly ? ('ro' as const) : ('rw' as const) })),
      ],
      ...{ project, files, limits, approve, audit },
      redaction: this.redactor,
      terminal: {
        shell: 'bash',
        ...terminal,
        env: { ...terminal?.env, set: { ...terminal?.env?.set, ...environment } },
        // Neither the workspaces of other sessions nor the snapshots.
        confine: { reads: 'roots', ...terminal?.confine },
      },
    });
  }
}

/** The path by which the commands of a toolkit know the workspace. */
function commandPathOf(toolkit: Toolkit, workspace: string, root: string): CommandPath {
  const shown = toolkit.terminal.shownPath(workspace);
  if (shown === root) return { path: shown };
  const problem = problemOfRoot(root);
  const reason = problem === undefined ? 'commands have no mount namespace here' : `${root} ${problem}`;
  return { path: shown, reason };
}

/** A value that the redactor refuses (short, a common word, a number, a path) would garble texts, and is no secret. */
function addKnownValue(redactor: Redactor, name: string, value: string): void {
  try {
    redactor.addSecret(name, value);
  } catch (error) {
    if (!isHandrailError(error) || error.code !== 'ERR_INVALID_ARGUMENT') throw error;
  }
}
