/** A person's side: finds the socket of an offer, makes sure who listens there, and shows the token. */
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { HandrailError } from '../errors.js';
import { type HostFrame, Lines, line, MAX_HOST_LINE_BYTES } from './frames.js';
import { peerOf } from './peer.js';
import { socketsOf } from './place.js';

export { View } from '../session/view.js';

/** What a host has to offer. */
export type AttachAnswer = HostFrame;

/** Whether an id looks like one, and there is an offer of this id. */
export function isOffered(id: string): boolean {
  return fileOf(id) !== undefined;
}

/**
 * Connects to the host of an offer. Who listens has to be the process that the id names, and no command: a command could
 * make a socket of this name, to be given the token and what is typed.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an id that is none, `ERR_CLOSED` where there is no such offer,
 * `ERR_SYSTEM` where somebody else listens.
 */
export async function connectToOffer(id: string): Promise<Socket> {
  const named = socketsOf(id);
  if (named === undefined) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', 'This is no id of an offer: it looks like 4711-k3f9q2ab', {
      data: { name: 'ID' },
    });
  }
  const file = fileOf(id);
  if (file === undefined) throw noOffer();
  const socket = connect(file);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', () => reject(noOffer()));
  });
  const peer = peerOf(socket);
  if ('refusal' in peer || peer.pid !== named.pid) {
    socket.destroy();
    throw new HandrailError('ERR_SYSTEM', 'Somebody else than the host listens at this socket: nothing was sent there');
  }
  return socket;
}

/** What the host sends, in order, after the token was shown. */
export async function* answersOf(socket: Socket, token: string): AsyncGenerator<AttachAnswer, void, undefined> {
  const lines = new Lines(MAX_HOST_LINE_BYTES);
  socket.write(line({ token }));
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    const frames = lines.push(bytes);
    if (frames === undefined)
      throw new HandrailError('ERR_SYSTEM', 'The host speaks another language: is it of this release?');
    yield* frames as unknown as readonly AttachAnswer[];
  }
}

function fileOf(id: string): string | undefined {
  return socketsOf(id)?.files.find((file) => existsSync(file));
}

function noOffer(): HandrailError {
  return new HandrailError(
    'ERR_CLOSED',
    'There is no such offer any more: each is good for one use. Ask for a new one where the session runs',
  );
}
