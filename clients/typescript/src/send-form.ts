/** Of browsers alone. */
declare const XMLHttpRequest: new () => {
  readonly status: number;
  readonly responseText: string;
  readonly upload: {
    addEventListener(type: 'progress', listener: (event: { loaded: number; total: number }) => void): void;
  };
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  addEventListener(type: 'load' | 'error' | 'abort', listener: () => void): void;
  send(body: FormData): void;
  abort(): void;
};

type Progress = (sent: number, total: number) => void;

/**
 * A `fetch` that tells the progress of a form. Browsers tell it by XMLHttpRequest alone; elsewhere the form goes as a
 * stream, whose bytes are counted.
 */
export const sendForm =
  (send: typeof fetch, onProgress: Progress): typeof fetch =>
  (input, init) => {
    const { body, headers, signal } = init as RequestInit & {
      body: FormData;
      headers: Record<string, string>;
    };
    return typeof XMLHttpRequest === 'undefined'
      ? streamed(send, input, init!, body, onProgress)
      : byXmlHttp(input as string, body, headers, signal ?? undefined, onProgress);
  };

const streamed = async (
  send: typeof fetch,
  input: string | URL | Request,
  init: RequestInit,
  form: FormData,
  onProgress: Progress,
): Promise<Response> => {
  const encoded = new Response(form);
  let total = 0;
  for (const value of form.values()) total += value instanceof Blob ? value.size : value.length;
  let sent = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, out) => {
      sent += chunk.length;
      // The boundaries between files are more than the files.
      onProgress(Math.min(sent, total), total);
      out.enqueue(chunk);
    },
  });
  const headers = { ...(init.headers as object), 'content-type': encoded.headers.get('content-type')! };
  const body = encoded.body!.pipeThrough(counted);
  return send(input, { ...init, headers, body, duplex: 'half' } as RequestInit);
};

const byXmlHttp = (
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  onProgress: Progress,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener('load', () => {
      const told = request.getAllResponseHeaders().trim().split(/\r?\n/);
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: told.map((line) => {
            const colon = line.indexOf(':');
            return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
          }),
        }),
      );
    });
    request.addEventListener('error', () => reject(new TypeError('the service cannot be reached')));
    request.addEventListener('abort', () => reject(signal?.reason as Error));
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
