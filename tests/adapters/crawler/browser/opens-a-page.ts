import { createPageRenderer } from '../../../../adapters/crawler/browser/page-renderer.ts';
import { LIMITS } from './limits.ts';

/** A program that opens a page which never ends, in a browser. Says so when its scripts have begun to load more. */

const { path, sandbox } = JSON.parse(process.argv[2]!) as { path: string; sandbox: boolean };
const renderer = createPageRenderer({
  program: { kind: 'installed', path },
  unpackedIn: '',
  pages: 1,
  sandbox,
  userAgent: 'knowledgerbot/test',
  allowAddresses: [],
  limits: LIMITS,
});
const body = Buffer.from(
  '<script>fetch("/more").catch(() => {}); setTimeout(() => { for (;;); }, 50);</script>',
);
const open = async (): Promise<boolean> => {
  process.stdout.write('open\n');
  return false;
};
await renderer.render(
  { url: 'http://site.example/', contentType: 'text/html', body },
  open,
  new AbortController().signal,
);
