import { hostEnvironment } from '../config/host-environment.js';

/** Colours by meaning. Without colours, texts stay as they are. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** The style for text that is written to `stream`. */
export function styleFor(stream: { readonly isTTY?: boolean }): Style {
  const colours = hasColours(stream);
  const painter = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { good: painter(32), bad: painter(31), warn: painter(33), dim: painter(2), bold: painter(1) };
}

/**
 * Whether to use colours. `FORCE_COLOR` decides where it is set, as it does for Node: `0` and `false` mean no. Then
 * `NO_COLOR` decides, then whether there is a terminal with colours. An empty variable counts as not set.
 */
function hasColours(stream: { readonly isTTY?: boolean }): boolean {
  const host = hostEnvironment();
  const forced = host['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return (host['NO_COLOR'] ?? '') === '' && stream.isTTY === true && host['TERM'] !== 'dumb';
}
