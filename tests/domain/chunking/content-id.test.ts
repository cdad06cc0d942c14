import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentId } from '../../../domain/chunking/content-id.ts';

const digest = (text: string): Uint8Array => createHash('sha256').update(text, 'utf8').digest();
const source = '0198c1f0-7c1e-7000-8000-000000000001';

describe('contentId', () => {
  it('is the same for the same source, text and occurrence', () => {
    const id = contentId(source, { textHash: 'ab', occurrence: 0 }, digest);
    expect(contentId(source, { textHash: 'ab', occurrence: 0 }, digest)).toBe(id);
    expect(id).toBe('7b5943e8-9f72-8282-90d5-7f3d99130b8b');
  });

  it('differs with source, text and occurrence', () => {
    const ids = [
      contentId(source, { textHash: 'ab', occurrence: 0 }, digest),
      contentId(source, { textHash: 'ab', occurrence: 1 }, digest),
      contentId(source, { textHash: 'ac', occurrence: 0 }, digest),
      contentId(source.replace('1', '2'), { textHash: 'ab', occurrence: 0 }, digest),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});
