/** Parses an event stream chunk by chunk; chunks may be cut anywhere, even inside a character or a line end. */
export interface EventStreamReader {
  /** @returns the data of the events that this chunk completes */
  readonly push: (bytes: Uint8Array) => readonly string[];
  /** @returns the data of an event that the end of the stream completes: not every server sends the last empty line */
  readonly end: () => readonly string[];
}

/** One event exceeds the limit. */
export class EventTooLong extends Error {
  override readonly name = 'EventTooLong';
}

const LINE_END = /\r\n?|\n/;

/**
 * Parses the `data` of server-sent events (HTML Standard, section 9.2.6); skips comments, other fields and events
 * without data. Bytes that are not UTF-8 become U+FFFD.
 *
 * @param maxCharacters limit of one event or one line; beyond it, `push` throws EventTooLong
 */
export const createEventStreamReader = (maxCharacters: number): EventStreamReader => {
  const decoder = new TextDecoder(); // drops a byte order mark
  let rest = '';
  let data: string[] = [];
  let characters = 0;

  const takeLine = (line: string, events: string[]): void => {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
      characters = 0;
      return;
    }
    const value = dataOf(line);
    if (value === null) return;
    characters += value.length;
    if (characters > maxCharacters) throw new EventTooLong(`an event of over ${maxCharacters} characters`);
    data.push(value);
  };

  const read = (text: string, isEnd: boolean): readonly string[] => {
    const events: string[] = [];
    const whole = rest + text;
    const lineEnds = new RegExp(LINE_END, 'g');
    lineEnds.lastIndex = Math.max(0, rest.length - 1); // the part that was searched before ends with a CR at most
    let from = 0;
    for (const { 0: end, index } of whole.matchAll(lineEnds)) {
      const next = index + end.length;
      if (end === '\r' && next === whole.length && !isEnd) break; // perhaps the first half of CRLF
      takeLine(whole.slice(from, index), events);
      from = next;
    }
    rest = whole.slice(from);
    if (rest.length > maxCharacters) throw new EventTooLong(`a line of over ${maxCharacters} characters`);
    return events;
  };

  return {
    push: (bytes) => read(decoder.decode(bytes, { stream: true }), false),
    end: () => read(`${decoder.decode()}\n\n`, true),
  };
};

const dataOf = (line: string): string | null => {
  if (line === 'data') return '';
  if (!line.startsWith('data:')) return null;
  return line.startsWith(' ', 5) ? line.slice(6) : line.slice(5);
};
