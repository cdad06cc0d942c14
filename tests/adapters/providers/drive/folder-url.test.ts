import { describe, expect, it } from 'vitest';
import { fileIdIn, folderAddress } from '../../../../adapters/providers/drive/drive-source.ts';

const ID = '1AbC_dEf-GhIjKlMnOpQrStUv';

describe('the address of a folder', () => {
  it.each([
    `https://drive.google.com/drive/folders/${ID}`,
    `https://drive.google.com/drive/folders/${ID}?usp=sharing`,
    `https://drive.google.com/drive/u/0/folders/${ID}`,
    `https://drive.google.com/drive/u/1/mobile/folders/${ID}`,
    `https://drive.google.com/a/example.com/drive/folders/${ID}`,
    `https://drive.google.com/corp/drive/folders/${ID}`,
    `https://drive.google.com/open?id=${ID}`,
    `https://drive.google.com/folderview?id=${ID}&usp=sharing`,
    `https://drive.google.com/embeddedfolderview?id=${ID}#list`,
    `https://drive.google.com/#folders/${ID}`,
    `https://drive.google.com/drive/#folders/0B0parent0folder/${ID}`,
    `  https://drive.google.com/drive/folders/${ID}  `,
  ])('is read of %s', (url) => {
    expect(folderAddress(url)).toEqual({ id: ID, resourceKey: null });
  });

  it('keeps the key that some shared folders ask for', () => {
    const url = `https://drive.google.com/drive/folders/${ID}?resourcekey=0-aBc_D&usp=sharing`;
    expect(folderAddress(url)).toEqual({ id: ID, resourceKey: '0-aBc_D' });
  });

  it('may be that of the whole drive of an account', () => {
    for (const url of [
      'https://drive.google.com/drive/my-drive',
      'https://drive.google.com/drive/u/1/my-drive',
    ])
      expect(folderAddress(url)).toEqual({ id: 'root', resourceKey: null });
  });

  it.each([
    [ID, 'this is not a URL'],
    [`ftp://drive.google.com/drive/folders/${ID}`, 'this is not a URL'],
    [`https://jo:secret@drive.google.com/drive/folders/${ID}`, 'this is not a URL'],
    [`https://drive.google.com/file/d/${ID}/view`, 'the address of a file'],
    [`https://docs.google.com/document/d/${ID}/edit`, 'the address of a file'],
    [`https://example.com/drive/folders/${ID}`, 'not a URL of Google Drive'],
    [`https://drive.google.com.example.com/drive/folders/${ID}`, 'not a URL of Google Drive'],
    [`https://drive.google.com:8443/drive/folders/${ID}`, 'not a URL of Google Drive'],
    ['https://drive.google.com/', 'not the URL of a folder'],
    ['https://drive.google.com/drive/folders/', 'not the URL of a folder'],
    [`https://drive.google.com/drive/folders/${ID}'%20or%20trashed`, 'not the URL of a folder'],
    [`https://drive.google.com/open?id=${ID}/..`, 'not the URL of a folder'],
    [`https://drive.google.com/drive/folders/${ID}?resourcekey=a%2Fb,c`, '`resourcekey` is invalid'],
  ])('is refused where it is %s', (url, why) => {
    expect(() => folderAddress(url)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(why) }),
    );
    expect(() => folderAddress(url)).toThrow(
      /^folder_url: .* such as https:\/\/drive\.google\.com\/drive\/folders\//,
    );
    expect(() => folderAddress(url)).not.toThrow(/secret/);
  });
});

describe('a file of a drive', () => {
  it.each([
    ID,
    `https://drive.google.com/file/d/${ID}/view?usp=sharing`,
    `https://drive.google.com/file/u/1/d/${ID}/edit`,
    `https://drive.google.com/open?id=${ID}`,
    `https://docs.google.com/document/d/${ID}/edit#heading=h.1`,
    `https://docs.google.com/spreadsheets/d/${ID}`,
    `https://docs.google.com/a/example.com/presentation/d/${ID}/edit`,
  ])('is named by %s', (written) => {
    expect(fileIdIn(written)).toBe(ID);
  });

  it.each(['', 'a.txt', 'docs/a.txt', `https://example.com/file/d/${ID}`])(
    'is not named by %j',
    (written) => {
      expect(() => fileIdIn(written)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    },
  );
});
