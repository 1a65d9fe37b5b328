const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The error of a message that is too large. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`a message of more than ${maxBytes} bytes`);
  }
}

/**
 * A response whose messages are bounded: the body as a whole, or each event of a stream of events, which may go on for
 * ever. A larger one is an error of the body.
 */
export function boundedResponse(response: Response, maxBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
  let used = 0;
  let atLineStart = false;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      for (const byte of piece) {
        used += 1;
        if (used > maxBytes) throw new BodyTooLarge(maxBytes);
        if (byte === CARRIAGE_RETURN) continue;
        // An event ends with an empty line.
        if (isStream && byte === LINE_FEED && atLineStart) used = 0;
        atLineStart = byte === LINE_FEED;
      }
      controller.enqueue(piece);
    },
  });
  return new Response(body.pipeThrough(counted), { status, statusText, headers });
}
