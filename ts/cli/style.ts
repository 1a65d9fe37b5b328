import { hostEnvironment } from '../config/host-environment.js';

/** Colours by meaning. Texts stay as they are where nobody wants colours. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** The style for what is written to `stream`. */
export function styleFor(stream: { readonly isTTY?: boolean }): Style {
  const colours = hasColours(stream);
  const painter = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { good: painter(32), bad: painter(31), warn: painter(33), dim: painter(2), bold: painter(1) };
}

/**
 * `FORCE_COLOR` decides where it is set, as it does for Node: `0` and `false` are no. Then `NO_COLOR`; then whether there
 * is a terminal that has colours. An empty variable is one that is not set.
 */
function hasColours(stream: { readonly isTTY?: boolean }): boolean {
  const host = hostEnvironment();
  const forced = host['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return (host['NO_COLOR'] ?? '') === '' && stream.isTTY === true && host['TERM'] !== 'dumb';
}
