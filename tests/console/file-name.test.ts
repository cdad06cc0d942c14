import { expect, it } from 'vitest';
import { fileName } from '../../console/src/pages/events/file-name.ts';

const NOW = Date.parse('2026-05-31T09:30:00Z');

it.each([
  [{}, 'events-2026-05-31T093000Z.csv'],
  [{ category: 'tag', types: 'TagCreated' }, 'events-tag-TagCreated-2026-05-31T093000Z.csv'],
  [
    { stream_prefix: 'source-', from: NOW / 1_000 - 60, to: NOW / 1_000 },
    'events-source-from-2026-05-31T092900Z-to-2026-05-31T093000Z-2026-05-31T093000Z.csv',
  ],
  [{ where: '{"/data/name":"a/b: ö?","/data/n":7}' }, 'events-a-b-ö-7-2026-05-31T093000Z.csv'],
  [{ where: JSON.stringify({ '/id': 'x'.repeat(300) }) }, `events-${'x'.repeat(113)}-2026-05-31T093000Z.csv`],
])('events that were filtered by %j are kept as %s', (filter, name) => {
  expect(fileName(filter, 'csv', NOW)).toBe(name);
});
