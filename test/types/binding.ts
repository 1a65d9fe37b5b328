/**
 * The binding as the facade describes it and as it is generated from Rust, held together by the compiler. Nothing here
 * runs.
 */
import type * as described from '../../ts/native/binding.js';
import type * as generated from '../../ts/native/generated.js';

/** What the binding must provide; what it takes and gives is compared below. */
declare const binding: typeof generated;

export const functions: Pick<
  described.NativeBinding,
  'version' | 'sanitize' | 'stripAnsi' | 'truncateOutput' | 'boundOutput'
> = binding;

/** Given by the facade to the binding. */
interface Given {
  engine: described.NativeEngineOptions;
  terminal: Omit<described.NativeTerminalConfig, 'redactor'>;
  call: described.NativeCall;
  redactor: described.NativeRedactorOptions;
}

interface Taken {
  engine: generated.NativeEngineOptions;
  terminal: Omit<generated.NativeTerminalConfig, 'redactor'>;
  call: generated.NativeCall;
  redactor: generated.NativeRedactorOptions;
}

declare const given: Given;
export const taken: Taken = given;

/** Given by the binding to the facade. */
interface Answers {
  engine: generated.NativeEngine;
  terminal: generated.NativeTerminal;
  redactor: generated.NativeRedactor;
  stream: generated.NativeRedactStream;
  start: generated.NativeStart;
  event: generated.NativeEvent;
  result: generated.NativeResult;
  capability: generated.NativeCapability;
}

interface Understood {
  engine: described.NativeEngine;
  terminal: described.NativeTerminal;
  redactor: described.NativeRedactor;
  stream: described.NativeRedactStream;
  start: described.NativeStart;
  event: described.NativeEvent;
  result: described.NativeResult;
  capability: described.NativeCapability;
}

declare const answers: Answers;
export const understood: Understood = answers;
