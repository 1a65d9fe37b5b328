/** The terminal from which this process is controlled: the one at which a person sits, whatever its standard streams are. */
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/** The path of this terminal, in every process. */
export const CONTROLLING_TERMINAL = '/dev/tty';

/** Whether this process has such a terminal, and may read from it: a terminal stops a process in its background. */
export function controllingTerminal(): 'none' | 'background' | 'foreground' {
  return callNative(() => loadNative().binding.controllingTerminal());
}

/**
 * Discards what was typed there and not read yet.
 *
 * @throws HandrailError `ERR_SYSTEM` when there is no such terminal.
 */
export function discardTypedInput(): void {
  callNative(() => loadNative().binding.discardTypedInput());
}
