import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../../adapters/http/multipart/read-form.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { ID, KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const HEAD = '--part\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n';
const TYPE = 'multipart/form-data; boundary=part';

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

  it('is not opened: nothing waits for it', () => {
    const body = new PassThrough();
    const req = Object.assign(body, { headers: { 'content-type': TYPE } }) as unknown as IncomingMessage;
    readForm(req as Request, {} as ServerResponse as Response);
    expect([body.readableFlowing, body.listenerCount('close')]).toEqual([null, 0]);
  });
});
