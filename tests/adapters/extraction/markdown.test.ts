import { describe, expect, it } from 'vitest';
import { readMarkdown, readPlainText } from '../../../adapters/extraction/markdown.ts';

describe('Markdown', () => {
  it('is cut at headings of both kinds, each text with its path', () => {
    const source = 'intro\n\nTitle\n=====\none\n\n## Part *one* ##\ntwo\n\nSub\n---\nthree\n#Not a heading\n';
    expect(
      readMarkdown(source).units.map(({ headingPath, text }) => [headingPath.join('>'), text.trim()]),
    ).toEqual([
      ['', 'intro'],
      ['Title', 'Title\n\none'],
      ['Title>Part one', 'Part one\n\ntwo'],
      ['Title>Sub', 'Sub\n\nthree\n#Not a heading'],
    ]);
  });

  it('takes no heading from fenced code, from lists or from rules', () => {
    const source = '# A\n```sh\n# no\n~~~\n# no\n```\n- item\n---\n~~~~\n```\n# no\n~~~~\n';
    expect(readMarkdown(source).units.map(({ headingPath }) => headingPath)).toEqual([['A']]);
  });

  it('takes title and language from the front matter, which is no text', () => {
    const { title, language, units } = readMarkdown(
      '---\ntitle: "A: b"\nlang: ko\ntags: [x]\n---\n# H\ntext',
    );
    expect({ title, language }).toEqual({ title: 'A: b', language: 'ko' });
    expect(units.map(({ text }) => text)).toEqual(['H\n\ntext']);
  });

  it('takes the first heading for the title else, and has none without', () => {
    expect(readMarkdown('text\n## [Link](https://a.example) `code` {#id}').title).toBe('Link code');
    expect(readMarkdown('---\nnot closed').title).toBeNull();
    expect(readMarkdown('').units).toEqual([]);
  });

  it('keeps the lines of code and joins those of wrapped prose', () => {
    const long = 'a line of prose that is long enough to be wrapped';
    const source = `${long}\nand goes on\n\n\`\`\`\n${long}\nand goes on\n\`\`\`\n`;
    expect(readMarkdown(source).units[0]!.text).toBe(
      `${long} and goes on\n\n\`\`\`\n${long}\nand goes on\n\`\`\`\n`,
    );
  });
});

describe('plain text', () => {
  it('is one unit, with the lines of wrapped prose joined', () => {
    const long = 'This sentence goes on behind the end of its line,';
    expect(readPlainText(`${long}\r\nas wrapped prose does.\r\nShort\nlines stay.`)).toEqual([
      { headingPath: [], pageNumber: 0, text: `${long} as wrapped prose does.\nShort\nlines stay.` },
    ]);
  });
});
