import { describe, expect, it } from 'vitest';
import { createPageReader } from '../../../adapters/crawler/page-reader.ts';

const reader = createPageReader('KnowledgerBot/1.0');
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('readPage', () => {
  it('reads the page in the encoding it is written in', () => {
    const body = latin1('<title>Größe</title><a href="/straße">');
    const facts = reader.readPage({ body, charset: 'iso-8859-1', finalUrl: 'https://example.com/' });
    expect(facts).toMatchObject({
      title: 'Größe',
      links: ['https://example.com/stra%C3%9Fe'],
      encoding: 'windows-1252',
    });
  });

  it('is not misled by a wrong charset', () => {
    const body = Buffer.from(`<title>Größe</title>${'<p>für Äpfel und Öl'.repeat(5)}`, 'latin1');
    const facts = reader.readPage({ body, charset: 'utf-8', finalUrl: 'https://example.com/' });
    expect(facts.title).toBe('Größe');
  });

  it('obeys a robots meta that names it', () => {
    const body = latin1('<meta name=knowledgerbot content=noindex>');
    expect(reader.readPage({ body, charset: null, finalUrl: 'https://example.com/' }).noindex).toBe(true);
  });
});
