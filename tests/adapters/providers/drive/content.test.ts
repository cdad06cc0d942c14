import { describe, expect, it } from 'vitest';
import { driveSourceAt, DRIVE, ROOT } from '../../../support/drive-provider.ts';
import { refuse } from '../../../support/drive-host/drive-host.ts';
import { OPENED, never, told, toldAll } from '../listed.ts';
import { hosted, readAll } from './read-all.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const google = (type: string) => ({ mimeType: `application/vnd.google-apps.${type}` });
const bytes = (text: string): Buffer => Buffer.from(text);

describe('the content of a file', () => {
  it('comes with its name, its type and the address where people open it', async () => {
    const host = await hosted();
    host.put('file-of-markdown', ROOT, '# A', { name: 'Notes.md', mimeType: 'text/markdown' });
    host.put('file-of-anything', ROOT, 'B', { name: 'b.bin', mimeType: 'application/octet-stream' });
    const { fetched } = await readAll(driveSourceAt(host.url));
    const documents = [...fetched.values()].map((item) => item.kind === 'document' && item.document);
    expect(documents).toEqual([
      {
        body: bytes('# A'),
        fileName: 'Notes.md',
        mediaType: 'text/markdown',
        url: 'https://drive.google.com/file/d/file-of-markdown/view?usp=drivesdk',
      },
      {
        body: bytes('B'),
        fileName: 'b.bin',
        url: 'https://drive.google.com/file/d/file-of-anything/view?usp=drivesdk',
      },
    ]);
  });

  it('comes with its owner and its dates, as far as the drive tells them', async () => {
    const host = await hosted();
    const [createdTime, modifiedTime] = ['2024-02-03T04:05:06.000Z', 'yesterday'];
    host.put('file-with-owner', ROOT, 'A', { owners: ['Ada'], createdTime, modifiedTime });
    const { fetched } = await readAll(driveSourceAt(host.url));
    expect(fetched.get('file-with-owner')).toMatchObject({
      metadata: { author: 'Ada', created: createdTime, modified: modifiedTime },
    });
  });

  it('of a type of its own is exported to one that keeps headings, sheets and slides', async () => {
    const host = await hosted();
    host.native(
      'a-google-document',
      ROOT,
      { [DOCX]: bytes('docx'), 'text/plain': bytes('txt') },
      { name: 'Plan' },
    );
    host.native(
      'a-google-sheet',
      ROOT,
      { [XLSX]: bytes('xlsx') },
      { name: 'Sums', ...google('spreadsheet') },
    );
    host.native(
      'a-google-slideshow',
      ROOT,
      { [PPTX]: bytes('pptx') },
      { name: 'Show', ...google('presentation') },
    );
    const { fetched } = await readAll(driveSourceAt(host.url));
    const names = [...fetched.values()].map((item) => item.kind === 'document' && item.document);
    expect(names).toMatchObject([
      { fileName: 'Plan.docx', mediaType: DOCX, body: bytes('docx') },
      { fileName: 'Sums.xlsx', mediaType: XLSX, body: bytes('xlsx') },
      { fileName: 'Show.pptx', mediaType: PPTX, body: bytes('pptx') },
    ]);
  });

  it('that is too large to be exported is had as plain text, or left out', async () => {
    const host = await hosted();
    host.maxExported = 10;
    const large = bytes('more than ten bytes');
    host.native('large-document-1', ROOT, { [DOCX]: large, 'text/plain': bytes('words') });
    host.native('large-document-2', ROOT, { [DOCX]: large, 'text/plain': large });
    host.native('large-google-sheet', ROOT, { [XLSX]: large }, google('spreadsheet'));
    host.put('file-that-fits', ROOT, 'fits');
    expect(toldAll(await readAll(driveSourceAt(host.url)))).toEqual({
      'large-document-1': 'words',
      'large-document-2': 'too_large',
      'large-google-sheet': 'too_large',
      'file-that-fits': 'fits',
    });
  });

  it('is left out, without a request, where it is empty, too large, forbidden or of a type without text', async () => {
    const host = await hosted();
    host.put('file-too-large', ROOT, 'x'.repeat(1_001));
    host.put('file-without-bytes', ROOT, '');
    host.put('file-not-for-download', ROOT, 'x', { canDownload: false });
    for (const type of ['form', 'drawing', 'map', 'site', 'script'])
      host.native(`a-google-${type}`, ROOT, {}, google(type));
    const read = await readAll(driveSourceAt(host.url, { maxBytes: 1_000 }));
    const unsupported = 'unsupported_file_type';
    expect(toldAll(read)).toEqual({
      'file-too-large': 'too_large',
      'file-without-bytes': 'empty',
      'file-not-for-download': 'download_forbidden',
      'a-google-form': unsupported,
      'a-google-drawing': unsupported,
      'a-google-map': unsupported,
      'a-google-site': unsupported,
      'a-google-script': unsupported,
    });
    expect(host.asked).toHaveLength(3);
    expect(read.fetched.get('file-too-large')).toMatchObject({
      message: '"file-too-large" has more than 1000 bytes',
    });
  });

  it('with more bytes than were announced is cut off and left out', async () => {
    const host = await hosted();
    host.put('file-that-lies', ROOT, 'x');
    host.hook = (response, { query }) => {
      if (query.get('alt') !== 'media') return false;
      response.end('x'.repeat(100_000));
      return true;
    };
    expect(toldAll(await readAll(driveSourceAt(host.url, { maxBytes: 1_000 })))).toEqual({
      'file-that-lies': 'too_large',
    });
  });

  it('is fetched again after a change of the bytes or the name, and not after a move or a look', async () => {
    const host = await hosted();
    host.put('file-that-is-moved', ROOT, 'one');
    host.put('file-that-is-renamed', ROOT, 'two', { name: 'old.txt' });
    host.put('file-that-is-seen', ROOT, 'three');
    host.folder('folder-inside', ROOT);
    const source = driveSourceAt(host.url);
    const before = await readAll(source);
    host.move('file-that-is-moved', 'folder-inside');
    host.change('file-that-is-renamed', { name: 'new.txt' });
    host.change('file-that-is-seen', {});
    expect(toldAll(await readAll(source, before))).toEqual({ 'file-that-is-renamed': 'two' });
    expect(toldAll(await readAll(source, { known: before.known }))).toEqual({
      'file-that-is-renamed': 'two',
    });
    host.change('file-that-is-seen', { canDownload: false });
    const after = await readAll(source, before);
    expect(after.fetched.get('file-that-is-seen')).toMatchObject({ reason: 'download_forbidden' });
  });

  it.each([
    [404, 'notFound', 'gone'],
    [403, 'cannotDownloadAbusiveFile', 'refused'],
    [403, 'insufficientFilePermissions', 'refused'],
    [500, 'backendError', 'not_answered'],
    [501, 'notImplemented', 'refused'],
  ])('that is answered by %s %s concerns this file alone', async (status, reason, outcome) => {
    const host = await hosted();
    host.put('file-that-is-well', ROOT, 'one');
    host.put('file-with-a-problem', ROOT, 'two');
    host.hook = (response, { path, query }) => {
      if (query.get('alt') !== 'media' || !path.endsWith('problem')) return false;
      refuse(response, status, reason, 'planted words of the provider');
      return true;
    };
    const read = await readAll(driveSourceAt(host.url));
    expect(toldAll(read)).toEqual({ 'file-that-is-well': 'one', 'file-with-a-problem': outcome });
    expect(JSON.stringify(read.fetched.get('file-with-a-problem'))).not.toContain('planted');
  });

  it('that never comes means that the drive is away, after ten files in a row', async () => {
    const host = await hosted();
    for (let i = 0; i < 12; i += 1) host.put(`file-number-${i}`, ROOT, `text ${i}`);
    host.hook = (response, { query }) => {
      if (query.get('alt') !== 'media') return false;
      refuse(response, 503, 'backendError', 'later');
      return true;
    };
    const listing = await driveSourceAt(host.url).open(DRIVE, never, OPENED);
    const { items } = await listing.list(null, never);
    const outcomes: string[] = [];
    for (const item of items)
      outcomes.push(await listing.fetch(item, never).then(told, ({ name }: Error) => name));
    expect(outcomes.slice(0, 10)).toEqual([...Array<string>(9).fill('not_answered'), 'SourceUnavailable']);
  });
});
