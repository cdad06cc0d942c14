import { describe, expect, it } from 'vitest';
import { describeAddress, parseFilesUrl } from '../../../../adapters/storage/s3/files-url.ts';

const AWS = { bucket: 'my-bucket', prefix: '', endpoint: undefined, region: undefined, pathStyle: false };

describe('the URL of a file store', () => {
  it.each([
    ['s3://my-bucket', AWS],
    ['s3://my-bucket/', AWS],
    ['s3://my-bucket/a/b', { ...AWS, prefix: 'a/b/' }],
    ['s3://my-bucket/a/b/', { ...AWS, prefix: 'a/b/' }],
    ['s3://my-bucket?region=eu-central-1', { ...AWS, region: 'eu-central-1' }],
    ['s3://my-bucket?path-style=true', { ...AWS, pathStyle: true }],
    [
      's3://my-bucket/x?endpoint=http://127.0.0.1:9000&region=us-east-1',
      { ...AWS, prefix: 'x/', endpoint: 'http://127.0.0.1:9000', region: 'us-east-1', pathStyle: true },
    ],
    [
      's3://my-bucket?endpoint=https%3A%2F%2Fobjects.example.com/&path-style=false',
      { ...AWS, endpoint: 'https://objects.example.com' },
    ],
  ])('is read: %s', (url, address) => {
    expect(parseFilesUrl(url)).toEqual(address);
  });

  it.each([
    ['https://my-bucket/x', 's3://bucket/prefix'],
    ['my-bucket', 's3://bucket/prefix'],
    ['s3://', 'names no bucket'],
    ['s3:///prefix', 'names no bucket'],
    ['s3://AKIA:hidden@my-bucket/', 'takes no credentials'],
    ['s3://my-bucket?endpoint=http://AKIA:hidden@host', 'takes no credentials'],
    ['s3://my-bucket:90/x', 'no port'],
    ['s3://my-bucket/x#y', 'no fragment'],
    ['s3://my-bucket/a//b', 'a prefix of'],
    [`s3://my-bucket/${'x'.repeat(501)}`, 'at most 500'],
    ['s3://my-bucket?secret=hidden', 'the parameters endpoint, region, path-style'],
    ['s3://my-bucket?region=a&region=b', 'each once'],
    ['s3://my-bucket?endpoint=ftp://host', 'as endpoint'],
    ['s3://my-bucket?endpoint=http://host/path', 'as endpoint'],
    ['s3://my-bucket?region=', 'as region'],
  ])('is refused with what it takes, and not repeated: %s', (url, message) => {
    expect(() => parseFilesUrl(url)).toThrow(message);
    expect(() => parseFilesUrl(url)).not.toThrow(/hidden|AKIA/);
  });

  it('is told to people without its parameters', () => {
    expect(describeAddress(parseFilesUrl('s3://b-b/x?endpoint=http://h:1'))).toBe(
      'bucket "b-b" at http://h:1',
    );
    expect(describeAddress(AWS)).toBe('bucket "my-bucket"');
  });
});
