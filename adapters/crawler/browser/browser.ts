import type { Browser } from '../../../application/ports/page-fetcher.ts';
import { failedRender } from './messages.ts';
import type { PageRenderer, RendererOptions } from './page-renderer.ts';
import type { BrowserProgram } from './program.ts';

export interface MaybeBrowserOptions extends Omit<RendererOptions, 'program'> {
  /** Null: there is none. */
  readonly program: BrowserProgram | null;
  /** Why there is none, and what to do about it. */
  readonly missing: string;
}

export interface PagesInBrowser extends Browser, Pick<PageRenderer, 'render' | 'close'> {}

/** Nothing is loaded before the first page is to be opened: who never asks for a browser pays for none. */
export const createBrowser = ({ program, missing, ...options }: MaybeBrowserOptions): PagesInBrowser => {
  let renderer: PageRenderer | null = null;
  let opening: Promise<PageRenderer> | null = null;
  const open = async (of: BrowserProgram): Promise<PageRenderer> => {
    const { createPageRenderer } = await import('./page-renderer.ts');
    renderer = createPageRenderer({ ...options, program: of });
    return renderer;
  };
  return {
    missing: () => {
      if (program === null) return missing;
      const why = renderer?.unstartable() ?? null;
      return why === null ? null : `it does not start: ${why}`;
    },
    render: async (source, mayLoad, signal) => {
      if (program === null) return failedRender('browser_failed', `there is no browser here: ${missing}`);
      opening ??= open(program);
      return (await opening).render(source, mayLoad, signal);
    },
    close: async () => {
      await (await opening)?.close();
    },
  };
};
