import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { attachment, rangeOf, safeMediaType } from '../../../adapters/http/raw-file.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { ID, OTHER_ID, RAW, RAW_SHA } from './fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';
import { anyCharacter } from '../../support/any-character.ts';

stopServersAfterAll();
let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});
const PATH = `/api/v1/sources/${OTHER_ID}/raw`;
const TAG = `"${RAW_SHA}"`;
const get = (headers: Record<string, string> = {}, method = 'GET') => app.ask(method, PATH, { headers });

describe('the stored file of a source', () => {
  it('is sent as an attachment in which nothing may run', async () => {
    const { status, headers, body } = await get({ accept: 'text/html' });
    expect([status, body]).toEqual([200, RAW.toString()]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(RAW.length),
      'content-disposition': `attachment; filename="begin.html"; filename*=UTF-8''begin.html`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: TAG,
    });
  });

  it.each([
    ['bytes=0-3', 0, 3],
    ['bytes=5-', 5, RAW.length - 1],
    ['bytes=-7', RAW.length - 7, RAW.length - 1],
    ['bytes=0-999999', 0, RAW.length - 1],
    ['bytes=-999999', 0, RAW.length - 1],
    [`bytes=0-${'9'.repeat(30)}`, 0, RAW.length - 1],
    [`bytes=-${'9'.repeat(400)}`, 0, RAW.length - 1],
    ['bytes= 0-3 , ', 0, 3],
    ['bytes=900-999,0-3', 0, 3],
  ])('in the range %s is 206', async (range, start, end) => {
    const { status, headers, body } = await get({ range });
    expect([status, body]).toEqual([206, RAW.toString('latin1', start, end + 1)]);
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${RAW.length}`);
    expect(headers.get('content-length')).toBe(String(end - start + 1));
  });

  it.each([
    `bytes=${RAW.length}-`,
    'bytes=-0',
    'bytes=9999999999999999-',
    `bytes=${'9'.repeat(30)}-`,
    `bytes=${'9'.repeat(400)}-${'9'.repeat(400)}`,
    'bytes=900-999, 1000-, -0',
  ])('beyond its end (%s) is 416, with its length', async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.json().error.type]).toEqual([416, 'range_not_satisfiable']);
    expect(answer.headers.get('content-range')).toBe(`bytes */${RAW.length}`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each([
    'bytes=0-1,3-4',
    'bytes=4-1',
    'bytes=900-999,4-1',
    'lines=1-2',
    'lines=900-999',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=a-b',
    'bytes=0-1-2',
  ])('is sent whole for the range %s, which may be ignored', async (range) => {
    expect([(await get({ range })).status, (await get({ range })).body]).toEqual([200, RAW.toString()]);
  });

  it('is not sent again to who has it', async () => {
    for (const tag of [TAG, `W/${TAG}`, `"x", ${TAG}`, '*']) {
      const { status, headers, body } = await get({ 'if-none-match': tag });
      expect([status, body, headers.get('etag')]).toEqual([304, '', TAG]);
    }
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('completes a copy only of the same bytes', async () => {
    expect((await get({ range: 'bytes=0-3', 'if-range': TAG })).status).toBe(206);
    expect((await get({ range: 'bytes=0-3', 'if-range': '"x"' })).status).toBe(200);
    expect((await get({ range: 'bytes=0-3', 'if-range': `W/${TAG}` })).status).toBe(200);
  });

  it('is not opened for HEAD', async () => {
    const headOnly = await runApp(({ sources }) => ({
      sources: {
        ...sources,
        raw: async (caller, id) => ({
          ...(await sources.raw(caller, id)),
          open: () => {
            throw new Error('opened');
          },
        }),
      },
    }));
    const answer = await headOnly.ask('HEAD', PATH);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(RAW.length)]);
  });

  it('that is kept no longer is 410, in an answer that has nothing of the file', async () => {
    const gone = await runApp(({ sources }) => ({
      sources: {
        ...sources,
        raw: async (caller, id) => {
          if (id === ID) throw new DomainError('raw_not_kept', 'its bytes are not kept');
          return {
            ...(await sources.raw(caller, id)),
            open: async () => {
              throw new DomainError('raw_not_kept', 'its bytes are not kept');
            },
          };
        },
      },
    }));
    for (const id of [ID, OTHER_ID]) {
      const answer = await gone.ask('GET', `/api/v1/sources/${id}/raw`);
      expect([answer.status, answer.json().error.type]).toEqual([410, 'raw_not_kept']);
      for (const name of ['etag', 'content-disposition', 'content-range', 'accept-ranges']) {
        expect(answer.headers.has(name)).toBe(false);
      }
    }
  });

  it('is cut when it ends too early, so that half of it never looks whole', async () => {
    const logged: unknown[] = [];
    const short = await runApp(({ sources, log }) => ({
      log: { ...log, error: (_message, fields) => void logged.push(fields?.['message']) },
      sources: {
        ...sources,
        raw: async (caller, id) => ({
          ...(await sources.raw(caller, id)),
          open: async () => {
            async function* half() {
              yield RAW.subarray(0, 10);
              throw new Error('the disk broke');
            }
            return { bytes: RAW.length, start: 0, end: RAW.length - 1, stream: half() };
          },
        }),
      },
    }));
    await expect(short.ask('GET', PATH)).rejects.toThrow(/terminated|fetch failed/);
    expect(logged).toEqual(['the disk broke']);
  });
});

describe('a range', () => {
  it('always lies within the file, and asks for what was asked', () => {
    const bound = fc.option(fc.nat(3000), { nil: undefined });
    fc.assert(
      fc.property(bound, bound, fc.nat(2000), (from, to, size) => {
        const range = rangeOf(`bytes=${from ?? ''}-${to ?? ''}`, size);
        if (typeof range === 'string')
          return range === 'whole' || size === 0 || to === 0 || (from ?? 0) >= size;
        const { start, end } = range;
        const asked = from === undefined ? Math.max(0, size - (to ?? 0)) : from;
        return (
          start === asked && start <= end && end < size && (from === undefined || end <= (to ?? Infinity))
        );
      }),
    );
  });
});

describe('the name of an attachment', () => {
  it('keeps its ending where it is too long', () => {
    expect(attachment(`${'a'.repeat(200)}.html`)).toContain(`filename="${'a'.repeat(145)}.html"`);
    expect(attachment(`a.${'b'.repeat(200)}`)).toContain(`filename="a.${'b'.repeat(148)}"`);
  });

  it('never breaks out of its header, whatever the source is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (name) => {
        const header = attachment(name);
        const [, ascii, encoded] =
          /^attachment; filename="([^"]*)"; filename\*=UTF-8''(.*)$/.exec(header) ?? [];
        expect(ascii).toMatch(/^[\x20-\x7e]*$/);
        expect(encoded).toMatch(/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})*$/);
        expect(decodeURIComponent(encoded as string)).not.toMatch(/[\r\n/\\]/);
      }),
    );
    for (const unsafe of '\u202e\u202a\u2066\u2069\u200e\u061c\u2028\ufeff\u{e0041}\u0085\r') {
      expect(attachment(`photo${unsafe}gpj.exe`)).toBe(
        `attachment; filename="photo_gpj.exe"; filename*=UTF-8''photo_gpj.exe`,
      );
    }
    expect(attachment('می\u200cخواهم.txt')).toContain('%E2%80%8C');
    expect(attachment('a"; filename="b')).toBe(
      `attachment; filename="a_; filename=_b"; filename*=UTF-8''a%22%3B%20filename%3D%22b`,
    );
    expect(attachment('Über uns.html')).toBe(
      `attachment; filename="_ber uns.html"; filename*=UTF-8''%C3%9Cber%20uns.html`,
    );
  });

  it('goes with a type that is one', () => {
    expect(safeMediaType('application/vnd.ms-excel')).toBe('application/vnd.ms-excel');
    expect(safeMediaType('text/html; charset=utf-8')).toBe('text/html; charset=utf-8');
    for (const odd of ['', 'html', 'text/html\r\nx: y', 'text/html; a="b"', 'a/b/c']) {
      expect(safeMediaType(odd)).toBe('application/octet-stream');
    }
  });
});
