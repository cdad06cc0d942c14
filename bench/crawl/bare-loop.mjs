// What fetching and parsing cost at least: undici and htmlparser2 in a loop, links and text in one pass.
import { createRequire } from 'node:module';

// The versions of the program, not those that a rival brings along.
const require = createRequire(new URL('../../package.json', import.meta.url));
const { Agent, request } = require('undici');
const { Parser } = require('htmlparser2');

const [startUrl, fetches] = process.argv.slice(2);
const { origin } = new URL(startUrl);
const dispatcher = new Agent({ connections: Number(fetches) });
const seen = new Set([startUrl]);
const pending = [startUrl];
let [pages, fetching, characters] = [0, 0, 0];
let wake = () => {};

const visit = async (url) => {
  const { statusCode, headers, body } = await request(url, { dispatcher });
  const html = await body.text();
  if (statusCode !== 200 || !headers['content-type']?.startsWith('text/html')) return;
  pages += 1;
  const parser = new Parser({
    onopentag: (name, { href }) => {
      if (name !== 'a' || href === undefined) return;
      const link = URL.parse(href, url);
      if (link?.origin !== origin) return;
      link.hash = '';
      if (seen.has(link.href)) return;
      seen.add(link.href);
      pending.push(link.href);
    },
    ontext: (text) => {
      characters += text.length;
    },
  });
  parser.end(html);
};

const begun = performance.now();
while (pending.length > 0 || fetching > 0) {
  while (pending.length > 0 && fetching < Number(fetches)) {
    fetching += 1;
    void visit(pending.shift()).finally(() => {
      fetching -= 1;
      wake();
    });
  }
  await new Promise((resolve) => {
    wake = resolve;
  });
}
process.send({ pages, characters, ms: performance.now() - begun });
process.on('disconnect', () => process.exit());
