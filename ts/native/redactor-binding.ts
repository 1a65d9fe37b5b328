/** The part of the binding that masks secrets. */

export interface NativeSecret {
  name: string;
  value: string;
}

export interface NativeRuleFile {
  name: string;
  toml: string;
}

export interface NativeRedactorOptions {
  secrets?: NativeSecret[];
  substrings?: string[];
  patterns?: string[];
  /** `default`, `none` or `only` (then `ruleIds` names them). */
  rules?: string;
  ruleIds?: string[];
  ruleFiles?: NativeRuleFile[];
  minSecretLength?: number;
  label?: boolean;
}

export interface NativeRedactStream {
  write(bytes: Uint8Array): Uint8Array;
  writeText(text: string, length: number): Uint8Array;
  /** Nothing came for a while: what can be shown of an unfinished line. */
  idle(): Uint8Array;
  end(): Uint8Array;
  findings(): number;
  counts(): { readonly rule: string; readonly count: number }[];
}

export interface NativeRedactor {
  /** True: the WASM module that it was in has stopped, and every call throws. */
  readonly isLost?: boolean;
  ruleNotes(): string[];
  addSecret(name: string, value: string): void;
  /** Null: nothing was found. */
  redactBytes(bytes: Uint8Array): Uint8Array | null;
  /** Start, end and code of each mark of a string that is given in pieces. Null: nothing was found. */
  scan(piece: string, length: number, more: boolean): Uint32Array | null;
  /** What is written in place of a mark. */
  mask(code: number): string;
  rule(code: number): string;
  stream(): NativeRedactStream;
}
