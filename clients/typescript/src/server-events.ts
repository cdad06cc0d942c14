export interface ServerEvent<Data> {
  readonly id?: string;
  readonly event?: string;
  readonly data: Data;
}

/**
 * The events of a stream with JSON data (HTML Standard, 9.2.6). A stream that ends within an event has not told it.
 *
 * @param passed  called with each id without data, from which a stream is resumed too
 */
export async function* eventsOf<Data>(
  body: ReadableStream<Uint8Array>,
  passed?: (id: string) => void,
): AsyncGenerator<ServerEvent<Data>> {
  let rest = '';
  let fields: Record<string, string> = {};
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line !== '') {
          const [, name = '', text = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
          fields[name] =
            name === 'data' && fields['data'] !== undefined ? `${fields['data']}\n${text}` : text;
          continue;
        }
        const { id, event, data } = fields;
        fields = {};
        if (data === undefined && id !== undefined) passed?.(id);
        if (data !== undefined)
          yield {
            ...(id !== undefined && { id }),
            ...(event !== undefined && { event }),
            data: JSON.parse(data) as Data,
          };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
