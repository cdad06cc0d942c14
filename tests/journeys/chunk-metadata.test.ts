import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { type Site } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
let site: Site;
beforeAll(async () => {
  // Long enough for a chunk each: short ones join the section that follows.
  const section = (heading: string, word: string): string =>
    `${heading}<p>${`The ${word} of the turbine is explained at some length. `.repeat(25)}</p>`;
  const body = `${section('<h1>Manual</h1>', 'purpose')}
    ${section('<h2>Pumps</h2>', 'impeller')}${section('<h2>Valves</h2>', 'spindle')}`;
  const html = `<!doctype html><html><head><title>Manual</title></head><body><main>${body}</main></body></html>`;
  site = await journey.site({ '/': html });
  service = await journey.tenant();
}, 120_000);

const headingIs = (val: string) => ({ filters: [{ key: 'heading', operator: 'eq', val }] });

describe('a filter on the metadata of chunks', { timeout: 180_000 }, () => {
  it('finds what stands under a heading, in searches and in lists, under either of its names', async () => {
    const made = await crawl(service, `${site.origin}/`);
    await ended(service, made.id);
    const found = async (filter: object): Promise<readonly string[]> => {
      const { body, status } = await service.api('POST', '/search', { query: 'turbine', ...filter });
      expect(status).toBe(200);
      const listed = await service.api('POST', '/query', filter);
      const texts = (contents: readonly { readonly text: string }[]) =>
        contents.map(({ text }) => /purpose|impeller|spindle/.exec(text)?.[0] ?? '').toSorted();
      const results: readonly { readonly content: { readonly text: string } }[] = body.results;
      expect(texts(listed.body.contents)).toEqual(texts(results.map(({ content }) => content)));
      return [...new Set(texts(results.map(({ content }) => content)))];
    };
    expect(await found({})).toEqual(['impeller', 'purpose', 'spindle']);
    expect(await found({ chunk_metadata: headingIs('Pumps') })).toEqual(['impeller']);
    expect(await found({ metadata_filter: headingIs('Valves') })).toEqual(['spindle']);
    expect(await found({ chunk_metadata: headingIs('Pumps'), metadata_filter: headingIs('Valves') })).toEqual(
      [],
    );
    expect(await found({ chunk_metadata: headingIs('Manual') })).toEqual(['impeller', 'purpose', 'spindle']);
    expect(await found({ chunk_metadata: headingIs('Boilers') })).toEqual([]);
    expect(await found({ source_metadata: headingIs('Pumps') })).toEqual([]);
  });
});
