import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readForm } from '../../../adapters/http/multipart/read-form.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { ID, KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const HEAD = '--part\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n';
const TYPE = 'multipart/form-data; boundary=part';

const lengthOf = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
  let length = 0;
  for await (const bytes of body) length += bytes.length;
  return length;
};

describe('a form that is refused before it is read', () => {
  it('is answered, and the rest of it goes past', async () => {
    const { url } = await runApp(() => ({
      addLocalFiles: async () => {
        throw new DomainError('not_found', 'there is no such local file group');
      },
    }));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    const bytes = Buffer.alloc(32 * 1024 * 1024, 'x');
    const end = '\r\n--part--\r\n';
    const length = HEAD.length + bytes.length + end.length;
    socket.write(
      `POST /api/v1/local-file-groups/${ID}/files HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\n` +
        `content-type: ${TYPE}\r\ncontent-length: ${length}\r\n\r\n`,
    );
    socket.write(HEAD);
    socket.write(bytes);
    await new Promise((sent) => socket.write(end, sent));
    if (answer === '') await once(socket, 'data');
    socket.destroy();
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 404 Not Found');
  });
});

/** A form as it comes, and its first part. */
const formAt = (body: Readable) => {
  const req = Object.assign(body, { headers: { 'content-type': TYPE } }) as unknown as IncomingMessage;
  const parts = readForm(req as Request, new EventEmitter() as unknown as Response)[Symbol.asyncIterator]();
  return { next: parts.next() };
};

describe('the name of a file of a form', () => {
  it.each(['latin1', 'utf8'] as const)('is understood in %s', async (encoding) => {
    const named = HEAD.replace('a.txt', 'Größe.txt');
    const { next } = formAt(Readable.from([Buffer.from(`${named}x\r\n--part--\r\n`, encoding)]));
    expect((await next).value).toMatchObject({ kind: 'file', fileName: 'Größe.txt' });
  });
});

describe('a form that comes too slowly', () => {
  it('is given up after 30 s in which fewer than 7,680 bytes came', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const body = new PassThrough();
    const { next } = formAt(body);
    const refusal = next.then(
      () => null,
      (error: unknown) => error,
    );
    let isOver = false;
    void refusal.then(() => (isOver = true));
    const flushed = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    };
    await flushed();
    vi.advanceTimersByTime(29_999);
    body.write('x'.repeat(7_680));
    await flushed();
    vi.advanceTimersByTime(29_999);
    body.write('x');
    await flushed();
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await refusal).toMatchObject({
      status: 408,
      message: 'the form came too slowly: under 7680 bytes in 30 s',
    });
  });
});

describe('a form that says that it is too large', () => {
  it('is answered before any of it is sent', async () => {
    const { url } = await runApp();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `POST /api/v1/local-file-groups HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\n` +
        `content-type: ${TYPE}\r\ncontent-length: ${500 * 1024 * 1024 + 1}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString().split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
    expect(answer.toString()).toContain('larger than 500 MB');
  });
});

describe('a form of many small files', () => {
  it('comes no faster than its files are taken', async () => {
    const FILES = 200;
    let sent = 0;
    const body = Readable.from(
      (function* () {
        for (; sent < FILES; sent += 1) yield Buffer.from(`${HEAD}${'x'.repeat(60_000)}\r\n`);
        yield Buffer.from('--part--\r\n');
      })(),
    );
    const req = Object.assign(body, {
      headers: { 'content-type': TYPE },
      complete: true,
    }) as unknown as IncomingMessage;
    const parts = readForm(req as Request, new EventEmitter() as unknown as Response)[Symbol.asyncIterator]();
    const first = await parts.next();
    for (let turn = 0; turn < 2_000; turn += 1) await setImmediate();
    expect(sent).toBeLessThan(30);
    const lengths: number[] = [];
    for (let next = first; next.done !== true; next = await parts.next()) {
      const { value: part } = next;
      lengths.push(part.kind === 'file' ? await lengthOf(part.body) : 0);
    }
    expect(lengths).toEqual(Array.from({ length: FILES }, () => 60_000));
  });
});
