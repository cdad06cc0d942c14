// npm run eval:questions -- names|titles <folder of a manual in HTML> [options] > questions.jsonl
// Makes a file of questions for `npm run eval` from a manual's own anchors or titles: whoever types a name looks for the
// page that defines it, and whoever types a title for the page that has it.
//   --anchor  names: pattern of the anchors that count, such as ^GUC- (all)
//   --select  names: selector of CSS of the elements that are names, such as `dt a[name]`, where anchors do not tell
//   --pages   pattern of the paths that count, such as ^sql- (all)
//   --end     titles: pattern of what titles end in and nobody types, beside what more than half begin or end in
//   --count   how many (40); --seed: another draw (1)
// The manual of PostgreSQL is in Debian's package postgresql-doc-15, the one of Python in python3.11-doc:
//   apt-get download postgresql-doc-15 && dpkg-deb -x postgresql-doc-15_*.deb manual
//   npm run -s eval:questions -- names manual/usr/share/doc/postgresql-doc-15/html --anchor ^GUC- > names.jsonl
//   npm run -s eval:questions -- titles manual/usr/share/doc/postgresql-doc-15/html --pages ^sql- --count 30 > titles.jsonl
import { parseArgs } from 'node:util';
import { drawn, itemsOf, namesBy, namesIn, pagesOf, titleOf, withoutShared } from './eval/manual.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    anchor: { type: 'string', default: '' },
    select: { type: 'string' },
    pages: { type: 'string', default: '' },
    end: { type: 'string', default: '(?!)' },
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const [kind, folder] = positionals;
if ((kind !== 'names' && kind !== 'titles') || folder === undefined) {
  console.error(
    'usage: npm run -s eval:questions -- names|titles <folder> [--anchor P | --select CSS] [--pages P] [--end P] [--count N] [--seed S]',
  );
  process.exitCode = 2;
} else {
  const [counts, anchor, end] = [values.pages, values.anchor, values.end].map((text) => new RegExp(text));
  const found = [];
  for await (const page of pagesOf(folder)) {
    if (!counts.test(page.path)) continue;
    const names = () => (values.select === undefined ? namesIn(page, anchor) : namesBy(page, values.select));
    const here = kind === 'names' ? names() : [titleOf(page, end)];
    found.push(...here.map((name) => [name, page.path]));
  }
  const titles = withoutShared(found.map(([title]) => title));
  const items = itemsOf(kind === 'names' ? found : found.map(([, path], i) => [titles[i], path]));
  if (items.length === 0) {
    console.error(
      `no ${kind} found in ${folder}: look at its pages, and name their elements with --select, or their anchors or paths with --anchor or --pages`,
    );
    process.exitCode = 1;
  }
  for (const item of drawn(items, Number(values.count), values.seed)) console.log(JSON.stringify(item));
}
