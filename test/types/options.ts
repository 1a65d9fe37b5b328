/**
 * Options that may be left out may be `undefined` too: `{ cwd: maybe }` is written everywhere. Checked by the compiler; that no
 * exported name is missing here is checked by `options.test.ts`.
 */

import type { AiToolsOptions } from '../../ts/adapters/ai.js';
import type { AgentApplyPatchOptions, AgentShellOptions, AgentToolsOptions } from '../../ts/adapters/openai-agents.js';
import type {
  AGTermOptions,
  AGTermReadOptions,
  Approval,
  AuditFileOptions,
  BoundOptions,
  BusReadBlockingOptions,
  BusReadOptions,
  CallContext,
  ChangesOptions,
  ConfineOptions,
  CustomToolOptions,
  Edit,
  EditOptions,
  EnvironmentOptions,
  ExcerptOptions,
  ExplainOptions,
  FileGuardOptions,
  FilesOptions,
  FilesystemToolArguments,
  FilesystemToolOptions,
  ForwardOptions,
  GitOptions,
  GlobOptions,
  GrepOptions,
  HandrailErrorOptions,
  HistoryOptions,
  JobOptions,
  JobWaitOptions,
  LimitOptions,
  ListOptions,
  McpServerOptions,
  MemoryBusOptions,
  OutputOptions,
  PatchOptions,
  PathOptions,
  PublishOptions,
  ReadOptions,
  RecordOptions,
  RedactorOptions,
  RedisBusOptions,
  Root,
  Rule,
  RunOptions,
  SearchOptions,
  SendMessageOptions,
  ServeMcpHttpOptions,
  ServeMcpOptions,
  ServeTlsOptions,
  SessionOptions,
  SessionReadOptions,
  SessionWatchOptions,
  StreamOptions,
  SubscribeOptions,
  TelemetryOptions,
  TerminalOptions,
  TerminalToolArguments,
  TerminalToolOptions,
  ToolExecutorOptions,
  ToolkitChatOptions,
  ToolkitLimits,
  ToolkitOptions,
  ToolkitTerminalOptions,
  TransactionChangesOptions,
  TransactionCommitOptions,
  UndoOptions,
  WriteOptions,
} from '../../ts/index.js';

/** Names of members that may be left out but may not be `undefined`. */
type Strict<Options> = Options extends object
  ? {
      [Key in keyof Options]-?: Pick<Options, Key> extends Required<Pick<Options, Key>>
        ? never
        : undefined extends Required<Options>[Key]
          ? never
          : Key;
    }[keyof Options]
  : never;

/** Does not compile where there is such a member. */
type Lenient<Options> = [Strict<Options>] extends [never] ? true : ['may not be undefined', Strict<Options>];

const lenient = <_ extends true>(): void => undefined;

lenient<Lenient<AGTermOptions>>();
lenient<Lenient<AGTermReadOptions>>();
lenient<Lenient<AgentToolsOptions>>();
lenient<Lenient<Approval>>();
lenient<Lenient<BoundOptions>>();
lenient<Lenient<BusReadBlockingOptions>>();
lenient<Lenient<BusReadOptions>>();
lenient<Lenient<AuditFileOptions>>();
lenient<Lenient<CallContext>>();
lenient<Lenient<CustomToolOptions>>();
lenient<Lenient<ConfineOptions>>();
lenient<Lenient<LimitOptions>>();
lenient<Lenient<Edit>>();
lenient<Lenient<EditOptions>>();
lenient<Lenient<EnvironmentOptions>>();
lenient<Lenient<ExplainOptions>>();
lenient<Lenient<FileGuardOptions>>();
lenient<Lenient<FilesOptions>>();
lenient<Lenient<FilesystemToolArguments>>();
lenient<Lenient<FilesystemToolOptions>>();
lenient<Lenient<ForwardOptions>>();
lenient<Lenient<GitOptions>>();
lenient<Lenient<GlobOptions>>();
lenient<Lenient<GrepOptions>>();
lenient<Lenient<HandrailErrorOptions>>();
lenient<Lenient<ListOptions>>();
lenient<Lenient<McpServerOptions>>();
lenient<Lenient<MemoryBusOptions>>();
lenient<Lenient<OutputOptions>>();
lenient<Lenient<PublishOptions>>();
lenient<Lenient<ReadOptions>>();
lenient<Lenient<RecordOptions>>();
lenient<Lenient<RedactorOptions>>();
lenient<Lenient<RedisBusOptions>>();
lenient<Lenient<Root>>();
lenient<Lenient<Rule>>();
lenient<Lenient<RunOptions>>();
lenient<Lenient<SearchOptions>>();
lenient<Lenient<SendMessageOptions>>();
lenient<Lenient<SessionOptions>>();
lenient<Lenient<SessionReadOptions>>();
lenient<Lenient<SessionWatchOptions>>();
lenient<Lenient<JobOptions>>();
lenient<Lenient<JobWaitOptions>>();
lenient<Lenient<StreamOptions>>();
lenient<Lenient<SubscribeOptions>>();
lenient<Lenient<TelemetryOptions>>();
lenient<Lenient<TerminalOptions>>();
lenient<Lenient<TerminalToolArguments>>();
lenient<Lenient<TerminalToolOptions>>();
lenient<Lenient<ToolExecutorOptions>>();
lenient<Lenient<ToolkitChatOptions>>();
lenient<Lenient<ToolkitLimits>>();
lenient<Lenient<ToolkitOptions>>();
lenient<Lenient<ToolkitTerminalOptions>>();
lenient<Lenient<WriteOptions>>();
lenient<Lenient<ChangesOptions>>();
lenient<Lenient<HistoryOptions>>();
lenient<Lenient<TransactionChangesOptions>>();
lenient<Lenient<TransactionCommitOptions>>();
lenient<Lenient<UndoOptions>>();

// @ts-expect-error: the check finds one
lenient<Lenient<{ readonly found?: string }>>();
lenient<Lenient<PatchOptions>>();
lenient<Lenient<PathOptions>>();
lenient<Lenient<ServeMcpOptions>>();
lenient<Lenient<ServeMcpHttpOptions>>();
lenient<Lenient<ServeTlsOptions>>();
lenient<Lenient<ExcerptOptions>>();
lenient<Lenient<AiToolsOptions>>();
lenient<Lenient<AgentApplyPatchOptions>>();
lenient<Lenient<AgentShellOptions>>();
