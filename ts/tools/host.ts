import type { NetworkContact } from '../audit/record.js';
import type { Bus } from '../bus/bus.js';
import type { Files } from '../files/files.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Rendering } from '../report/render.js';
import type { TextDigest } from '../report/result.js';
import type { Approve } from '../terminal/approval.js';
import type { Terminal } from '../terminal/terminal.js';
import type { JobBook } from './job-book.js';
import type { CommandPlaces } from './next-call.js';
import type { SessionBook } from './session-book.js';

/** What `chat_send` needs. */
export interface ChatHost {
  readonly bus: Bus;
  /** The sender's name in messages. */
  readonly agent: string;
  /** The conversation of messages that name no other. Undefined: they have to name one. */
  readonly conversationId: string | undefined;
  /** The agents that exist. Undefined: messages to any agent are sent. */
  readonly agents: readonly string[] | undefined;
  readonly messagesPerMinute: number;
  readonly maxHops: number;
}

/** The engines and settings of one toolkit, for its tools. */
export interface ToolHost {
  /** Runs commands. */
  readonly terminal: Terminal;
  /** Reads and changes files. */
  readonly files: Files;
  /** The sessions that the model has started. */
  readonly sessions: SessionBook;
  /** The jobs that the model has started. Undefined where no tools for jobs are published. */
  readonly jobs: JobBook | undefined;
  /** Sends messages. Undefined where there is no `chat_send`. */
  readonly chat?: ChatHost;
  /** Masks secrets. */
  readonly redactor: Redactor;
  /** Asked where no approver comes with a call. Undefined where there is none. */
  readonly approve?: Approve;
  /** A sentence that names the programs that may run. */
  readonly lists: string;
  /** The sentences of a denial: that one with more of the programs, and what the kernel holds commands to. */
  readonly denial: Pick<Rendering, 'lists' | 'held'>;
  /** Names of the tools that are published, but for those of MCP servers. */
  readonly tools: ReadonlySet<string>;
  /** The directories that a refusal may name. */
  readonly places: CommandPlaces;
  /** Whether each command writes into a layer of its own, so that what it changed can be taken back. */
  readonly staged: boolean;
  /** Whether `terminal_run` takes scripts. */
  readonly shell: 'none' | 'bash';
  /** Default and largest time limit of a command, in milliseconds. */
  readonly timeoutMs: number;
  /** Most Unicode characters of a result for the model. */
  readonly resultChars: number;
  /** Most tokens of an output in a result. */
  readonly resultTokens: number;
  /** Most tokens of what a tool reads or finds in files. */
  readonly readTokens: number;
  /**
   * The most telling lines of a masked text and the file with the whole of it, which is written unless `keeps` is false. Undefined
   * for a text that fits `limits.resultTokens`. The file is for `caller` alone: the one of the call, where a tool asks.
   */
  digest(text: string, keeps?: boolean, caller?: string): Promise<TextDigest | undefined>;
  /** The hosts that programs asked for since the last call of this. */
  takeContacts(): readonly NetworkContact[];
}
