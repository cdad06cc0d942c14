import { type Client, errorOf } from 'knowledger-client';

/** Sends a form, and tells how many bytes of it have gone, which `fetch` does not. @returns the body of the answer */
export const upload = (
  { base, headers }: Client,
  path: string,
  form: FormData,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (sent: number, total: number) => void },
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', base + path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener('load', () => {
      const response = new Response(request.responseText, { status: request.status });
      if (response.ok) resolve(JSON.parse(request.responseText));
      else errorOf(response).then(reject, reject);
    });
    request.addEventListener('error', () => reject(new TypeError('the service cannot be reached')));
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
