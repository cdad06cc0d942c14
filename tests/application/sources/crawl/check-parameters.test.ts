import { describe, expect, it } from 'vitest';
import { checkCrawlParameters } from '../../../../application/sources/crawl/connector.ts';
import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';

const deps = (missing: string | null) => ({ patterns: patternCompiler, browser: { missing: () => missing } });

describe('parameters of a crawl', () => {
  it('are refused where its start cannot be crawled, or a pattern cannot be read', () => {
    const refusalOf = (more: Parameters<typeof crawlParameters>[0]) => {
      try {
        return checkCrawlParameters(deps(null), crawlParameters(more));
      } catch (error) {
        return (error as { readonly code: string }).code;
      }
    };
    expect(refusalOf({ startUrl: 'ftp://docs.example.com/' })).toBe('invalid_request');
    expect(refusalOf({ pathFilters: ['/docs/['] })).toBe('pattern_invalid');
    expect(refusalOf({ contentPattern: ['('] })).toBe('pattern_invalid');
  });
});

describe('parameters of a crawl that want a browser', () => {
  const wanted = crawlParameters({ useBrowser: true });

  it('are refused where there is none, with what to do', () => {
    expect(() => checkCrawlParameters(deps('none was found: install one'), wanted)).toThrow(
      expect.objectContaining({
        code: 'not_configured',
        message: 'use_browser needs a headless browser: none was found: install one',
      }),
    );
  });
});
