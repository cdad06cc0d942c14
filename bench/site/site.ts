import { startChild } from '../measuring/child.ts';

/** A site of real pages, served by a process of its own. */
export interface Site {
  /** Where its pages are from. */
  readonly name: string;
  readonly host: string;
  readonly pages: number;
  readonly startUrl: string;
  /** A word that a search finds among its pages. */
  readonly word: string;
}

export const openSite = async (cleanup: AsyncDisposableStack, quick: boolean): Promise<Site> => {
  const server = startChild('site/static-server.ts', quick ? ['quick'] : []);
  cleanup.defer(server.stop);
  return (await server.ask()) as Site;
};
