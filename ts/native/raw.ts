/**
 * The binding as the `.node` file exports it. Reports cross as JSON: one string costs a fraction of
 * what dozens of properties set one by one cost.
 */
import type {
  NativeBinding,
  NativeCall,
  NativeEngine,
  NativeEngineOptions,
  NativeEvent,
  NativeFileAnswer,
  NativeFilesConfig,
  NativeRedactor,
  NativeResult,
  NativeRoots,
  NativeStart,
  NativeTerminalConfig,
  NativeVerdict,
} from './binding.js';

/** Run 0 is the engine; a piece of output has no report and one text; a missing text is empty. */
export type RawListener = (
  id: number,
  report: string | null,
  stdout: string | null,
  stderr: string | null,
  output: string | null,
) => void;

export interface RawTerminal {
  explain(command: string | string[]): string;
  run(
    id: number,
    command: string | string[],
    cwd: string,
    timeoutMs: number,
    flags: number,
    stdin?: Uint8Array | null,
  ): string;
  close(): void;
}

export interface RawFiles {
  read(request: string): Promise<string>;
  write(request: string): Promise<string>;
  edit(request: string): Promise<string>;
  list(request: string): Promise<string>;
  close(): void;
}

/** What the `.node` file exports. */
export interface RawBinding extends Omit<NativeBinding, 'NativeEngine' | 'NativeTerminal' | 'NativeFiles'> {
  NativeFiles: new (roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig) => RawFiles;
  NativeEngine: new (options: NativeEngineOptions, onEvent: RawListener) => NativeEngine;
  NativeTerminal: new (engine: NativeEngine, roots: NativeRoots, config: NativeTerminalConfig) => RawTerminal;
}

const MERGE = 1;
const STREAM = 2;
const APPROVED = 4;

/** The binding with its reports read. */
export function readReports(raw: RawBinding): NativeBinding {
  return {
    ...raw,
    NativeEngine: class extends raw.NativeEngine {
      constructor(options: NativeEngineOptions, onEvent: (event: NativeEvent) => void) {
        super(options, (...received) => {
          onEvent(eventOf(...received));
        });
      }
    },
    NativeTerminal: class {
      readonly #raw: RawTerminal;

      constructor(engine: NativeEngine, roots: NativeRoots, config: NativeTerminalConfig) {
        this.#raw = new raw.NativeTerminal(engine, roots, config);
      }

      explain(command: string | string[]): NativeVerdict {
        return JSON.parse(this.#raw.explain(command)) as NativeVerdict;
      }

      run(id: number, command: string | string[], call: NativeCall): NativeStart {
        const flags = (call.merge ? MERGE : 0) | (call.stream ? STREAM : 0) | (call.approved ? APPROVED : 0);
        return JSON.parse(this.#raw.run(id, command, call.cwd, call.timeoutMs, flags, call.stdin)) as NativeStart;
      }

      close(): void {
        this.#raw.close();
      }
    },
    NativeFiles: class {
      readonly #raw: RawFiles;

      constructor(roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig) {
        this.#raw = new raw.NativeFiles(roots, redactor, config);
      }

      async read(request: object): Promise<NativeFileAnswer> {
        return JSON.parse(await this.#raw.read(JSON.stringify(request))) as NativeFileAnswer;
      }

      async write(request: object): Promise<NativeFileAnswer> {
        return JSON.parse(await this.#raw.write(JSON.stringify(request))) as NativeFileAnswer;
      }

      async edit(request: object): Promise<NativeFileAnswer> {
        return JSON.parse(await this.#raw.edit(JSON.stringify(request))) as NativeFileAnswer;
      }

      async list(request: object): Promise<NativeFileAnswer> {
        return JSON.parse(await this.#raw.list(JSON.stringify(request))) as NativeFileAnswer;
      }

      close(): void {
        this.#raw.close();
      }
    },
  };
}

function eventOf(...[id, report, stdout, stderr, output]: Parameters<RawListener>): NativeEvent {
  if (id === 0) return { kind: 'closed' };
  if (report === null) {
    const chunk =
      stderr === null ? { stream: 'stdout' as const, text: stdout ?? '' } : { stream: 'stderr' as const, text: stderr };
    return { kind: 'output', id, chunk };
  }
  const result = JSON.parse(report) as NativeResult;
  result.stdout = stdout ?? '';
  result.stderr = stderr ?? '';
  result.output = output ?? '';
  return { kind: 'done', id, result };
}
