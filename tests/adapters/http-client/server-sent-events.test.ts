import { describe, expect, it } from 'vitest';
import { createEventStreamReader } from '../../../adapters/http-client/server-sent-events.ts';

const read = (...parts: readonly Uint8Array[]): string[] => {
  const reader = createEventStreamReader(100);
  return [...parts.flatMap((part) => reader.push(part)), ...reader.end()];
};
const bytes = (text: string): Buffer => Buffer.from(text);

const STREAM = bytes(
  '\uFEFFdata: one\r\n\r\n:comment\rdata:two\ndata: lines\r\rid: 7\r\n\r\ndata\n\nevent: x\ndata:  ü🙂\r\n\r\ndata: last',
);
const EVENTS = ['one', 'two\nlines', '', ' ü🙂', 'last'];

describe('the reader of event streams', () => {
  it('reads lines that end in LF, CR or CRLF, comments, other fields and data of several lines', () => {
    expect(read(STREAM)).toEqual(EVENTS);
  });

  it('reads the same wherever the stream is cut', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      expect(read(STREAM.subarray(0, cut), STREAM.subarray(cut))).toEqual(EVENTS);
    }
    expect(read(...Array.from(STREAM, (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  it('gives an event as soon as it is complete', () => {
    const reader = createEventStreamReader(100);
    expect(reader.push(bytes('data: a\n'))).toEqual([]);
    expect(reader.push(bytes('\ndata: b\n\n'))).toEqual(['a', 'b']);
    expect(reader.end()).toEqual([]);
  });

  it('takes bytes that are no UTF-8 for what they are', () => {
    expect(read(Uint8Array.of(...bytes('data: a'), 0xff, ...bytes('b\n\n')))).toEqual(['a\uFFFDb']);
  });

  it('refuses events and lines that are too long', () => {
    expect(() => read(bytes('x'.repeat(101)))).toThrow('over 100 characters');
    expect(() => read(bytes('data: 1234567890\n'.repeat(11)))).toThrow('over 100 characters');
    expect(read(bytes('data: 1234567890\n\n'.repeat(11)))).toHaveLength(11);
  });
});
