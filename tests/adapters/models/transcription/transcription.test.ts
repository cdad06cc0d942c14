import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createExtractSound,
  createTranscribingReader,
} from '../../../../adapters/models/transcription/transcribing-reader.ts';
import { createTranscriber } from '../../../../adapters/models/transcription/transcriber.ts';
import type { DocumentReader, ExtractionRequest } from '../../../../application/ports/document-reader.ts';
import { RECORDING } from '../../extraction/corpus/recording.ts';
import { createReading } from '../../extraction/corpus/reading.ts';
import { temporaryDocuments } from '../../extraction/temporary-documents.ts';

/** What OpenAI's reference of `/audio/transcriptions` says of `verbose_json`, without the fields that nobody reads. */
const SPOKEN = {
  language: 'english',
  segments: [
    { start: 0, end: 4.5, text: ' Welcome to the mill.' },
    { start: 4.5, end: 61, text: ' Mail ann@example.org.' },
    { start: 62.25, end: 70, text: ' Goodbye.' },
  ],
};

const reading = createReading();
const documents = temporaryDocuments();
const folder = mkdtempSync(join(tmpdir(), 'ffmpeg-'));
const dispatcher = new Agent();
let server: Server;
let url: string;
const received: { body: string; authorization: string | undefined; path: string | undefined }[] = [];
let answer: { status: number; body: string } = { status: 200, body: '' };

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { authorization } = request.headers;
      received.push({ body: Buffer.concat(parts).toString('latin1'), authorization, path: request.url });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  await dispatcher.destroy();
  server.close();
  rmSync(folder, { recursive: true });
  documents.remove();
  reading.remove();
});

const AVI = Buffer.concat([Buffer.from('RIFF\x24\0\0\0AVI LIST'), Buffer.alloc(64)]);
/** A program that writes what it was asked, in place of ffmpeg. */
const ffmpeg = (script: string): string => {
  const path = join(folder, `ffmpeg-${Math.random()}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
};
const reader = (options: { ffmpeg?: string; maxBytes?: number } = {}): DocumentReader => {
  const { ffmpeg: program, ...rest } = options;
  const extract: DocumentReader['extract'] = async (request) => {
    const { readFileSync } = await import('node:fs');
    return reading.outcome(readFileSync(request.file), request);
  };
  const plain: DocumentReader = {
    extract,
    extractBatch: (requests) => Promise.all(requests.map((request) => extract(request))),
    close: () => Promise.resolve(),
  };
  const extractSound = program === undefined ? null : createExtractSound(program);
  const settings = {
    dispatcher,
    url,
    model: 'whisper-1',
    key: 'sk-1',
    sleep: () => Promise.resolve(),
    extractSound,
    ...rest,
  };
  return createTranscribingReader(plain, createTranscriber(settings));
};
const extract = async (bytes: Buffer, claims: Partial<ExtractionRequest>, by: DocumentReader = reader()) => {
  received.length = 0;
  const [outcome] = await by.extractBatch([documents.document(bytes, { withUnits: true, ...claims })]);
  return outcome!;
};

describe('a recording', () => {
  it('is read minute by minute, with its seconds as metadata', async () => {
    answer = { status: 200, body: JSON.stringify(SPOKEN) };
    const redaction = [{ name: 'mail', kind: 'email', replacement: '***' }] as const;
    expect(await extract(RECORDING, { fileName: 'tour.wav', redaction })).toMatchObject({
      kind: 'document',
      fileType: 'wav',
      title: 'tour',
      language: 'en',
      units: [
        {
          pageNumber: 1,
          text: 'Welcome to the mill. Mail ***.',
          metadata: [
            { key: 'start_seconds', val: '0', type: 'float' },
            { key: 'end_seconds', val: '61', type: 'float' },
          ],
        },
        { pageNumber: 2, text: 'Goodbye.' },
      ],
    });
    expect(received).toMatchObject([{ authorization: 'Bearer sk-1', path: '/v1/audio/transcriptions' }]);
    for (const part of ['name="model"\r\n\r\nwhisper-1', 'verbose_json', 'filename="sound.wav"', 'WAVEfmt']) {
      expect(received[0]!.body).toContain(part);
    }
  });

  it('is one unit where the provider tells no times', async () => {
    answer = { status: 200, body: '{"text": "All of it.", "language": "xx-unknown"}' };
    const outcome = await extract(RECORDING, { fileName: 'a.wav' });
    expect(outcome).toMatchObject({ units: [{ pageNumber: 1, text: 'All of it.' }] });
    expect(outcome).not.toHaveProperty('missing');
  });

  it.each([
    [500, 'x'],
    [401, '{}'],
    [200, 'no JSON'],
    [200, '{"segments": [{"text": "x"}]}'],
    [200, '{}'],
  ])('fails where its provider answers %s and %s', async (status, body) => {
    answer = { status, body };
    expect(await extract(RECORDING, { fileName: 'a.wav' })).toMatchObject({
      kind: 'failed',
      code: 'provider_error',
    });
  });

  it('of another type waits for ffmpeg, and says so', async () => {
    const outcome = await extract(AVI, { fileName: 'a.avi' });
    expect(outcome).toMatchObject({ fileType: 'avi', missing: { code: 'not_configured' } });
    expect(JSON.stringify(outcome)).toContain('without ffmpeg');
    expect(received).toEqual([]);
  });

  it('is sent as the sound that ffmpeg takes out of it', async () => {
    answer = { status: 200, body: JSON.stringify(SPOKEN) };
    const program = ffmpeg('for last; do :; done; echo "sound of $8" > "$last"');
    const outcome = await extract(AVI, { fileName: 'a.avi' }, reader({ ffmpeg: program }));
    expect(outcome).toMatchObject({
      kind: 'document',
      fileType: 'avi',
      units: [{ pageNumber: 1 }, { pageNumber: 2 }],
    });
    expect(received[0]!.body).toContain('filename="sound.mp3"');
    expect(received[0]!.body).toContain('sound of ');
  });

  it('without sound fails, and so does one that is too long', async () => {
    const mute = await extract(AVI, { fileName: 'a.avi' }, reader({ ffmpeg: ffmpeg('exit 1') }));
    expect(mute).toMatchObject({ kind: 'failed', code: 'parser_failed' });
    const long = ffmpeg('for last; do :; done; echo "much sound" > "$last"');
    expect(await extract(AVI, { fileName: 'a.avi' }, reader({ ffmpeg: long, maxBytes: 4 }))).toMatchObject({
      code: 'too_large',
    });
    const whole = await extract(RECORDING, { fileName: 'a.wav' }, reader({ maxBytes: 4 }));
    expect(whole).toMatchObject({ missing: { code: 'not_configured' } });
  });
});

describe('without a provider', () => {
  const bytesOf: Readonly<Record<string, Buffer>> = {
    mp3: Buffer.from('ID3\x04\0\0\0\0\0\0'),
    flac: Buffer.from('fLaC\0\0\0\x22'),
    ogg: Buffer.concat([
      Buffer.from('OggS\0\x02'),
      Buffer.alloc(20),
      Buffer.from('\x01\x1e\x01vorbis'),
      Buffer.alloc(22),
    ]),
    aiff: Buffer.from('FORM\0\0\0\x04AIFF'),
    aac: Buffer.from('fff15080001ffc', 'hex'),
    m4a: Buffer.from('\0\0\0\x18ftypM4A \0\0\0\0M4A mp42'),
    mp4: Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
    mov: Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  '),
    '3gp': Buffer.from('\0\0\0\x18ftyp3gp5\0\0\0\x003gp5isom'),
    flv: Buffer.from('FLV\x01\x05\0\0\0\x09'),
    mpg: Buffer.from('000001ba44000400', 'hex'),
    webm: Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    wmv: Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.alloc(64)]),
    avi: AVI,
    wav: RECORDING,
  };

  it.each(Object.keys(bytesOf))(
    'a recording of type %s is found by its name, and says what it lacks',
    async (type) => {
      const outcome = await reading.outcome(bytesOf[type]!, { fileName: 'Tour of the mill' });
      expect(outcome).toMatchObject({
        kind: 'document',
        fileType: type,
        missing: { code: 'not_configured' },
      });
      expect(JSON.stringify(outcome)).toContain('"text":"Tour of the mill"');
    },
  );
});
