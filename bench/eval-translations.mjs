// npm run -s eval:translations -- same|foreign|mixed <new folder> en=<folder> de=<folder>…
// Makes a test collection for `npm run eval` from a manual that was translated: headings are asked as questions, and
// the section below is the answer. `same` has every section in every language and asks for the one in the language of
// the question; `foreign` has them in the first language and asks in the others; `mixed` has each in one language, by
// turns, and asks in the others.
// The FAQ of Debian is in its packages debian-faq, debian-faq-de, -fr, -it, -ja, -ru:
//   apt-get download debian-faq debian-faq-de debian-faq-ja && for f in *.deb; do dpkg-deb -x $f faq; done
//   FAQ=faq/usr/share/doc/debian/FAQ; npm run -s eval:translations -- foreign faq-foreign en=$FAQ de=$FAQ/de ja=$FAQ/ja
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sectionsOf, translatedCollection } from './eval/translations.ts';

const [kind, target, ...languages] = process.argv.slice(2);
if (!['same', 'foreign', 'mixed'].includes(kind) || target === undefined || languages.length < 2) {
  console.error(
    'usage: npm run -s eval:translations -- same|foreign|mixed <new folder> en=<folder> de=<folder>…',
  );
  process.exitCode = 2;
} else {
  const folders = new Map(languages.map((pair) => pair.split('=', 2)));
  const { documents, queries, relevant } = translatedCollection(await sectionsOf(folders), kind);
  const element = (tag, text) => `<${tag}>${text}</${tag}>`;
  const docs = documents.map(({ id, title, text }) =>
    element('doc', element('docno', id) + element('title', title) + element('text', text)),
  );
  const tops = queries.map(({ id, text }) => element('top', element('num', id) + element('title', text)));
  const lines = [...relevant].flatMap(([query, ids]) => [...ids].map((id) => `${query} 0 ${id} 1`));
  await mkdir(target);
  await writeFile(join(target, 'documents.all.xml'), docs.join('\n'));
  await writeFile(join(target, 'queries.xml'), tops.join('\n'));
  await writeFile(join(target, 'qrels.txt'), lines.join('\n'));
  console.log(`${documents.length} documents, ${queries.length} questions`);
}
