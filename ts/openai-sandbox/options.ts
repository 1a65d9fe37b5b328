import { realpathSync, statSync } from 'node:fs';
import type { LocalSandboxSnapshotSpec, SandboxArchiveLimits } from '@openai/agents/sandbox/local';
import type { AuditListener } from '../audit/listeners.js';
import { hostTemporaryFolder } from '../config/host-environment.js';
import { checkedOptions, functionOption, invalidArgument, list, textOption } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { FileGuardOptions } from '../files/options.js';
import type { ProjectOption } from '../presets/project.js';
import type { RedactorOptions } from '../redaction/options.js';
import { Redactor } from '../redaction/redactor.js';
import type { Approve } from '../terminal/approval.js';
import type { AuditFileOptions, ToolkitLimits, ToolkitTerminalOptions } from '../tools/toolkit-options.js';
import { recordOf } from './record.js';

/** The options of `handrailSandbox`. Those that a toolkit has too mean the same, for the toolkit of each session. */
export interface HandrailSandboxOptions {
  /**
   * What may run, and how. Default: nothing may run. `shell` is `'bash'`, since the SDK's commands are scripts, and
   * `confine.reads` `'roots'`. Commands are jobs: their life is `timeoutMs` where it is given, else `limits.jobMs`.
   */
  readonly terminal?: ToolkitTerminalOptions | undefined;
  /** What kind of project the agent works in, see `ToolkitOptions`. Default: no preset. */
  readonly project?: ProjectOption | undefined;
  /** What protects files of the workspace from the agent. Default: that of each option. */
  readonly files?: FileGuardOptions | undefined;
  /** Options of the redactor, or a redactor of your own, which learns the values of manifests. Default: the built-in rules. */
  readonly redaction?: RedactorOptions | Redactor | undefined;
  /** Limits for every session; `jobs` is at least 1, since commands are jobs. Default: that of each limit. */
  readonly limits?: ToolkitLimits | undefined;
  /** Asked about commands that the policy leaves open. Default: none, and these commands are denied. */
  readonly approve?: Approve | undefined;
  /** Gets a record of each call, or the file for them, see `ToolkitOptions`. Default: none. */
  readonly audit?: AuditListener | AuditFileOptions | undefined;
  /**
   * A folder of yours that every session works in. It stays when a session ends, and no archive and no snapshot takes its
   * place. Default: a new folder beneath `workspaceBaseDir` for each session, removed with it.
   */
  readonly workspace?: string | undefined;
  /** Where the folders of sessions are made. Only you may write to it. Default: the folder for temporary files. */
  readonly workspaceBaseDir?: string | undefined;
  /**
   * How a workspace is kept for a run that goes on later: `{ type: 'local' }` in files beneath `baseDir`,
   * `{ type: 'remote', store }`, or `{ type: 'noop' }` not at all. Default: that of the run, else local, beneath
   * `OPENAI_AGENTS_SANDBOX_SNAPSHOT_DIR` or `~/.local/state/handrail`; with `workspace` not at all, since the folder stays.
   */
  readonly snapshot?: LocalSandboxSnapshotSpec | undefined;
  /** Ports that `resolveExposedPort` answers for. Up to 1,000. Default: every port. */
  readonly exposedPorts?: readonly number[] | undefined;
  /** Limits of archives that `hydrateWorkspace` unpacks. `null`: none. Default: those of the SDK. */
  readonly archiveLimits?: SandboxArchiveLimits | null | undefined;
}

const MAX_PORTS = 1_000;
const MAX_PORT = 65_535;

const asGiven = <Value>(value: unknown): Value | undefined => value as Value | undefined;

/** The toolkit checks its own options. */
const CHECKS = {
  terminal: asGiven<ToolkitTerminalOptions>,
  project: asGiven<ProjectOption>,
  files: asGiven<FileGuardOptions>,
  redaction: asGiven<RedactorOptions | Redactor>,
  limits: asGiven<ToolkitLimits>,
  approve: functionOption<Approve>,
  audit: asGiven<AuditListener | AuditFileOptions>,
  workspace: folderOption,
  workspaceBaseDir: folderOption,
  snapshot: snapshotOption,
  exposedPorts: list(MAX_PORTS, portValue),
  archiveLimits: asGiven<SandboxArchiveLimits | null>,
  concurrencyLimits: asGiven<unknown>,
};

/** Options of the client, and those of one run, that were checked. */
export interface CheckedSandboxOptions extends Omit<HandrailSandboxOptions, 'workspaceBaseDir'> {
  readonly workspaceBaseDir: string;
  /** Of the run. */
  readonly concurrencyLimits?: unknown;
}

/** @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option. */
export function checkSandboxOptions(options: unknown): CheckedSandboxOptions {
  const checked = checkedOptions(options, 'options', CHECKS);
  if (checked.limits?.jobs === 0) throw invalidArgument('limits.jobs', 'at least 1, since commands are jobs', 0);
  return { ...checked, workspaceBaseDir: checked.workspaceBaseDir ?? realpathSync(hostTemporaryFolder()) };
}

/** A folder by its real path, which is the one that states and manifests have. */
function folderOption(value: unknown, name: string): string | undefined {
  const folder = textOption(value, name);
  if (folder === undefined) return undefined;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(folder);
  throw new HandrailError('ERR_INVALID_ARGUMENT', `\`${name}\` does not name a directory that exists`, {
    data: { name },
  });
}

function portValue(value: unknown, name: string): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PORT) return Number(value);
  throw invalidArgument(name, 'a port from 1 to 65,535', value);
}

function snapshotOption(value: unknown, name: string): LocalSandboxSnapshotSpec | undefined {
  if (value === undefined) return undefined;
  const { type } = recordOf(value) as { readonly type?: unknown };
  if (type === 'local' || type === 'noop' || type === 'remote') return value as LocalSandboxSnapshotSpec;
  throw invalidArgument(name, "a snapshot of type 'local', 'remote' or 'noop'", value);
}

/** The redactor of a session. One that the host gave is shared by all sessions. */
export function redactorOf({ redaction }: CheckedSandboxOptions): Redactor {
  return Redactor.isRedactor(redaction) ? redaction : new Redactor(redaction ?? {});
}
