/** Looking on at a session: what its terminal shows, without taking anything from its reads. */
import { HandrailError } from '../errors.js';
import type { Requests } from '../live/requests.js';
import type { NativeSession } from '../native/binding.js';
import { read } from '../native/json.js';
import { callNative } from '../native/unwrap.js';
import { MAX_SESSION_WATCHERS, MAX_UPDATE_BYTES } from './limits.js';
import type { SessionScreen } from './output.js';

/** Options of `Session.watch()`. */
export interface SessionWatchOptions {
  /** The position in the history where it begins. Default: the line that the program writes now. */
  readonly since?: number | undefined;
  /** Ends the iterator when it fires. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** What the terminal of a session shows next, cleaned and masked. */
export type SessionUpdate = SessionTextUpdate | SessionScreenUpdate;

/** Text that the program has written. */
export interface SessionTextUpdate {
  /** Tells the two kinds of updates apart. */
  readonly kind: 'text';
  /** The text. It is empty where a full-screen program has ended and nothing else was written yet. */
  readonly text: string;
  /** Whether it begins with the last line of the update before, which has changed: it takes its place. */
  readonly replacesLine: boolean;
  /** How many characters the cursor is left of the end of the text. */
  readonly cursorBack: number;
  /** Bytes before the text that are not kept any more: whoever looks on was slower than the program. */
  readonly skippedBytes: number;
  /** The position in the history where the text ends. */
  readonly cursor: number;
}

/** The picture of a full-screen program. */
export interface SessionScreenUpdate {
  /** Tells the two kinds of updates apart. */
  readonly kind: 'screen';
  /** The picture, as it is now. */
  readonly screen: SessionScreen;
}

/** The updates of a session, in order. */
export type SessionUpdates = AsyncIterableIterator<SessionUpdate, void, undefined> & AsyncDisposable;

/** What looking on needs of a session. */
export interface Watched {
  readonly native: NativeSession;
  readonly requests: Requests;
  /** Whether the host's process stays alive while nothing happens. */
  readonly keepsAlive: boolean;
  readonly isOver: () => boolean;
}

/**
 * The updates for somebody who looks on from now on.
 *
 * @throws HandrailError `ERR_BUSY` when 8 others do.
 */
export function watchSession(watched: Watched, { since, signal }: SessionWatchOptions): SessionUpdates {
  const { native } = watched;
  const onlooker = callNative(() => native.addOnlooker(since ?? null));
  if (onlooker === null) {
    throw new HandrailError('ERR_BUSY', `${MAX_SESSION_WATCHERS} others look on at this session already`, {
      data: { limit: MAX_SESSION_WATCHERS },
    });
  }
  let isStopped = false;
  const stop = (): void => {
    if (isStopped) return;
    isStopped = true;
    signal?.removeEventListener('abort', stop);
    callNative(() => native.removeOnlooker(onlooker));
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const updates = updatesFor(watched, onlooker, () => isStopped, stop);
  const end = async (): Promise<IteratorResult<SessionUpdate, void>> => {
    stop();
    return await updates.return();
  };
  return {
    next: () => updates.next(),
    return: end,
    async [Symbol.asyncDispose]() {
      await end();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* updatesFor(
  watched: Watched,
  onlooker: number,
  isStopped: () => boolean,
  stop: () => void,
): AsyncGenerator<SessionUpdate, void, undefined> {
  const { native, isOver } = watched;
  try {
    while (!isStopped()) {
      const wasOver = isOver();
      const glimpse = callNative(() => native.glimpse(onlooker, MAX_UPDATE_BYTES));
      if (glimpse !== null) yield* updatesOf(glimpse);
      else if (wasOver) return;
      else await news(watched, onlooker);
    }
  } finally {
    stop();
  }
}

/** Waits until there is something new to an onlooker, or the session is over. */
async function news({ native, requests, keepsAlive, isOver }: Watched, onlooker: number): Promise<void> {
  try {
    await requests.make((request) => callNative(() => native.awaitNews(request, onlooker)), keepsAlive);
  } catch (error) {
    // The end of the session rejects all requests.
    if (!isOver()) throw error;
  }
}

function* updatesOf(glimpse: NonNullable<ReturnType<NativeSession['glimpse']>>): Generator<SessionUpdate> {
  const { text, replacesLine, back: cursorBack, screen, fullScreen, skippedBytes, cursor } = read(glimpse);
  if (text !== '' || replacesLine || skippedBytes > 0 || !fullScreen)
    yield { kind: 'text', text, replacesLine, cursorBack, skippedBytes, cursor };
  if (screen !== undefined) yield { kind: 'screen', screen };
}
