import type { ServerResponse } from 'node:http';

/** A word that no error may repeat. */
export const HOSTILE_WORD = 'sesame';

const endless = (response: ServerResponse): void => {
  const part = `{"${HOSTILE_WORD}":[`.repeat(4_096);
  response.writeHead(200, { 'content-type': 'application/json' });
  const send = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', send);
  send();
};

const sends =
  (status: number, type: string, body: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(body);

/** What a provider may answer in place of what it was asked for. */
export const HOSTILE_ANSWERS = {
  'a page for people': sends(200, 'text/html', `<!doctype html><title>Sign in, ${HOSTILE_WORD}</title>`),
  'JSON of another shape': sends(200, 'application/json', `["${HOSTILE_WORD}"]`),
  'an answer without end': endless,
  'more values than any answer has': sends(200, 'application/json', `[${'[],'.repeat(3_000_000)}0]`),
  'a 401': sends(401, 'application/json', `{"message":"${HOSTILE_WORD}"}`),
  'a 404': sends(404, 'application/json', `{"message":"${HOSTILE_WORD}"}`),
} as const;
export type HostileAnswer = keyof typeof HOSTILE_ANSWERS;
