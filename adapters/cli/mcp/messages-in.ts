/** A message of JSON-RPC, as far as it is looked into here. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The messages of an answer over HTTP: of JSON or of a stream, as they come; none of an empty body. */
export async function* messagesIn(answer: Response): AsyncGenerator<Message> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    for await (const data of dataIn(answer)) yield JSON.parse(data) as Message;
    return;
  }
  const text = await answer.text();
  if (text !== '') yield JSON.parse(text) as Message;
}

/** What each event of a stream holds (HTML, "Server-sent events"); comments and other fields are left out. */
async function* dataIn({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    }
  }
}
