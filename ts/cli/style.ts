import { hostEnvironment } from '../config/host-environment.js';

/** Colours by meaning. Without a terminal that has them, or with `NO_COLOR` set, texts stay as they are. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** The style for what is written to `stream`. */
export function styleFor(stream: { readonly isTTY?: boolean }): Style {
  const host = hostEnvironment();
  const colours = stream.isTTY === true && (host['NO_COLOR'] ?? '') === '' && host['TERM'] !== 'dumb';
  const painter = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { good: painter(32), bad: painter(31), warn: painter(33), dim: painter(2), bold: painter(1) };
}
