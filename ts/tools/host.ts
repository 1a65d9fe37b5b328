import type { Bus } from '../bus/bus.js';
import type { Files } from '../files/files.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CommandPlaces } from './next-call.js';
import type { SessionBook } from './session-book.js';

/** Where messages go, and what the host says about them. */
export interface ChatHost {
  readonly bus: Bus;
  /** The name that messages are sent under. */
  readonly agent: string;
  /** The conversation of messages that name none. Undefined: they have to. */
  readonly conversationId: string | undefined;
  /** The agents there are. Undefined: anybody may be written to. */
  readonly agents: readonly string[] | undefined;
}

/** The engines and decisions of one toolkit, as its tools get them. */
export interface ToolHost {
  /** Runs commands. */
  readonly terminal: Terminal;
  /** Reads and changes files. */
  readonly files: Files;
  /** Programs that live on, as the model knows them. */
  readonly sessions: SessionBook;
  /** Sends messages. Undefined where there is no `chat_send`. */
  readonly chat?: ChatHost;
  /** Masks secrets. */
  readonly redactor: Redactor;
  /** What may run, as a sentence. */
  readonly lists: string;
  /** What a refusal may name. */
  readonly places: CommandPlaces;
  /** Whether `terminal_run` takes scripts. */
  readonly shell: 'none' | 'bash';
  /** Time a command gets, and the most a model can ask for, in milliseconds. */
  readonly timeoutMs: number;
  /** Unicode characters of a result for the model. */
  readonly resultChars: number;
  /** Tokens of an output of which the lines are chosen. */
  readonly resultTokens: number;
}
