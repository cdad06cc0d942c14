// A provider with so many units, as the tests know it, in a process of its own: node stand-in.mjs <kind> <units>
import { openDriveHost } from '../../tests/support/drive-host/drive-host.ts';
import { openRepositoryHost } from '../../tests/support/repository-host/repository-host.ts';
import { paragraph } from '../../tests/support/wiki-host/blocks.ts';
import { openWikiHost } from '../../tests/support/wiki-host/wiki-host.ts';

const [kind, units] = process.argv.slice(2);
const WORDS = 'turbine gasket impeller valve bearing flange manifold governor spindle bushing'.split(' ');
/** Some 900 bytes, each another text. */
const textOf = (i) =>
  `Part ${i}\n\n${Array.from({ length: 120 }, (_, at) => WORDS[(i + at * (1 + (i % 7))) % WORDS.length]).join(' ')}\n`;

const open = {
  drive: async () => {
    const host = await openDriveHost();
    host.folder('the-root-folder', null);
    for (let folder = 0; folder * 100 < units; folder += 1)
      host.folder(`folder-number-${folder}`, 'the-root-folder');
    for (let i = 0; i < units; i += 1)
      host.put(`file-number-${i}`, `folder-number-${Math.floor(i / 100)}`, textOf(i), {
        name: `${i}.txt`,
        mimeType: 'text/plain',
      });
    return { told: { url: host.url, other: host.tokenUrl }, requests: () => host.asked.length };
  },
  repository: async () => {
    const host = await openRepositoryHost('acme/docs');
    for (let i = 0; i < units; i += 1) host.put(`folder-${Math.floor(i / 100)}/${i}.txt`, textOf(i));
    return {
      told: { url: host.url, other: host.archiveUrl },
      requests: () => host.asked.length + host.archivesAsked.length,
    };
  },
  /** A hundred pages in each page, until there are enough. */
  wiki: async () => {
    const host = await openWikiHost();
    const nameOf = (i) => (i === 0 ? 'home' : `page-${i}`);
    for (let i = 0; i < units; i += 1)
      host.put(nameOf(i), {
        ...(i > 0 && { in: nameOf(Math.floor((i - 1) / 100)) }),
        blocks: textOf(i)
          .trim()
          .split('\n\n')
          .map((text) => paragraph(text)),
      });
    return {
      told: { url: host.url, other: host.filesUrl },
      requests: () => host.asked.length + host.filesAsked.length,
    };
  },
};

const { told, requests } = await open[kind]();
process.on('message', () => process.send({ requests: requests() }));
process.once('disconnect', () => process.exit());
process.send(told);
