import Type, { type Static } from 'typebox';
import { SCRAPE_FORMATS } from '../../../application/sources/scrape/scrape.ts';
import { HttpUrl, closed } from './common.ts';
import { USE_BROWSER } from '../data-sources/crawl.ts';

export const ScrapeRequest = closed(
  {
    url: HttpUrl,
    formats: Type.Optional(
      Type.Array(Type.Enum([...SCRAPE_FORMATS]), {
        minItems: 1,
        maxItems: 4,
        uniqueItems: true,
        default: ['markdown'],
      }),
    ),
    use_browser: Type.Optional(Type.Boolean({ default: false, description: USE_BROWSER })),
  },
  { examples: [{ url: 'https://docs.example.com/', formats: ['markdown', 'links'] }] },
);
export type ScrapeRequest = Static<typeof ScrapeRequest>;

export const ScrapedPage = Type.Object({
  url: Type.String({ description: 'The URL that answered, after redirects' }),
  markdown: Type.Optional(
    Type.String({
      description: 'Its text as GitHub Flavored Markdown, without navigation, redacted as what is indexed',
    }),
  ),
  html: Type.Optional(
    Type.String({ description: 'As it came, also where redaction hides some of its text' }),
  ),
  links: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Absolute, each once, in order of appearance, at most 10,000; without those marked nofollow',
    }),
  ),
  metadata: Type.Optional(
    Type.Object({
      title: Type.String(),
      description: Type.Optional(Type.String({ description: 'As it describes itself, redacted' })),
      language: Type.Optional(Type.String({ description: 'BCP 47, as its text shows or as it declares' })),
      canonical_url: Type.Optional(Type.String()),
      noindex: Type.Boolean(),
      nofollow: Type.Boolean(),
      status: Type.Integer({ description: 'HTTP status of the page' }),
      media_type: Type.String(),
      encoding: Type.String({ description: 'In which it was read' }),
      bytes: Type.Integer(),
    }),
  ),
});
export type ScrapedPage = Static<typeof ScrapedPage>;
