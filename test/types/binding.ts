/**
 * The binding as the facade describes it and as it is generated from Rust, held together by the compiler. Nothing here
 * runs.
 */
import type * as described from '../../ts/native/binding.js';
import type * as generated from '../../ts/native/generated.js';
import type * as raw from '../../ts/native/raw.js';

/** What the binding must provide; what it takes and gives is compared below. */
declare const binding: typeof generated;

export const functions: Pick<
  described.NativeBinding,
  'version' | 'sanitize' | 'stripAnsi' | 'truncateOutput' | 'boundOutput'
> = binding;

declare const given: Given;

/** What crosses as JSON has no type there; `test/native/reports.test.ts` looks at it. */
export const listener: (listen: raw.RawListener) => generated.NativeEngine = (listen) =>
  new binding.NativeEngine(given.engine, listen);

/** Given by the facade to the binding. */
interface Given {
  engine: described.NativeEngineOptions;
  terminal: Omit<described.NativeTerminalConfig, 'redactor'>;
}

interface Taken {
  engine: generated.NativeEngineOptions;
  terminal: Omit<generated.NativeTerminalConfig, 'redactor'>;
}

export const taken: Taken = given;

/** Given by the binding to the facade. */
interface Answers {
  engine: generated.NativeEngine;
  terminal: generated.NativeTerminal;
  redactor: generated.NativeRedactor;
  stream: generated.NativeRedactStream;
  capability: generated.NativeCapability;
}

interface Understood {
  engine: described.NativeEngine;
  terminal: raw.RawTerminal;
  redactor: described.NativeRedactor;
  stream: described.NativeRedactStream;
  capability: described.NativeCapability;
}

declare const answers: Answers;
export const understood: Understood = answers;
