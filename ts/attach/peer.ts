/** Who is at the other end of a socket. */
import type { Socket } from 'node:net';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/** The process at the other end. */
export type Peer = { readonly pid: number } | { readonly refusal: PeerRefusal };

/** Why it is not talked to: it belongs to another user, is a command or was started by one, or nothing is known of it. */
export type PeerRefusal = 'other_user' | 'command' | 'unknown';

/**
 * Asks the kernel. A process is refused that belongs to another user, that lives in other namespaces, and that descends from
 * a supervisor: a command, or what a command has started.
 */
export function peerOf(socket: Socket): Peer {
  // Node has no public name for the descriptor of a socket that it has accepted.
  const { fd } = (socket as unknown as { readonly _handle?: { readonly fd?: number } | null })._handle ?? {};
  if (fd === undefined || fd < 0) return { refusal: 'unknown' };
  const { pid, refusal } = callNative(() => loadNative().binding.peer(fd));
  return refusal === undefined ? { pid } : { refusal };
}
