import { type Agent, fetch as send } from 'undici';

/** A server sent more than is read. */
class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/**
 * What the client of the protocol sends its requests with: over connections of our own, with at most `maxBytes` of each
 * answer, and without redirects, which would take the credentials along.
 */
export const createBoundedFetch =
  (dispatcher: Agent, maxBytes: number) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const asked = { ...init, redirect: 'error', dispatcher } as unknown as Parameters<typeof send>[1];
    const { body, status, statusText, headers } = await send(url, asked);
    let bytes = 0;
    const counted = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          bytes += piece.length;
          if (bytes > maxBytes) controller.error(new TooMuch(`an answer of over ${maxBytes} bytes`));
          else controller.enqueue(piece);
        },
      }),
    );
    return new Response((counted ?? null) as ReadableStream | null, {
      status,
      statusText,
      headers: [...headers],
    });
  };
