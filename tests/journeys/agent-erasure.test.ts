import { beforeAll, expect, it } from 'vitest';
import { calls, cites } from '../support/agent/acting-provider.ts';
import { openToolServer } from '../support/agent/tool-server.ts';
import { done, started } from '../support/agents.ts';
import { holding, onDisk } from '../support/on-disk.ts';
import { openJourney } from '../support/journey.ts';
import { hangs, type ModelProvider, openModelProvider, refuses } from '../support/model-provider.ts';
import { EVENTS, placesWith } from '../support/places.ts';
import type { Service } from '../support/service.ts';
import { uploaded } from '../support/uploads.ts';

/** In everything that is said in a thread, and in nothing else. */
const WORD = 'qwyxalone';
/** In a document, which is kept as it is. */
const OPEN = 'zyxpublic';

const journey = openJourney();
let provider: ModelProvider;
let crm: Awaited<ReturnType<typeof openToolServer>>;
let service: Service;
beforeAll(async () => {
  provider = await openModelProvider();
  crm = await openToolServer([{ name: 'look_up', answer: () => `Its name is ${WORD}.` }]);
  service = await journey.service({
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    KNOWLEDGER_MCP_SERVERS: JSON.stringify([{ name: 'crm', url: crm.url, tools: ['*'] }]),
    LLM_URL: provider.baseUrl,
    LLM_MODEL: 'stand-in',
  });
  await uploaded(service, [['dipper.md', `# The dipper\n\nThe ${OPEN} walks under water.`]]);
}, 120_000);
journey.closing(async () => {
  await provider?.close();
  await crm?.close();
});

/** Wherever a word stands in plain: files, tables, what the program has printed. */
const standsIn = async (word: string): Promise<readonly string[]> => [
  ...holding(await onDisk(service.dataDir), word).map(() => 'a file'),
  ...(await placesWith(service, [word])),
  ...(service.output().includes(word) ? ['the log of the program'] : []),
];

it(
  'keeps what is said in a thread out of every file, from its first word until it is deleted',
  { timeout: 90_000 },
  async () => {
    provider.next.push(
      calls('search', { query: `${WORD} ${OPEN}` }),
      calls('crm__look_up', { name: WORD }),
      cites(OPEN, `The ${WORD} does`),
    );
    const said = {
      title: `About ${WORD}`,
      idempotency_key: `key-${WORD}`,
      mcp_session_id: `session-${WORD}`,
    };
    const first = await done(service, `Who is the ${WORD}?`, said);
    expect(first).toMatchObject({ status: 'SUCCEEDED', ...said });
    expect(first.result.message.content).toContain(WORD);
    const thread = { thread_id: first.thread_id };

    provider.next.push(refuses(400, { message: `no ${WORD} here`, code: 'bad_request' }));
    expect((await done(service, `And the ${WORD}?`, thread)).status).toBe('FAILED');
    const nth = provider.asked.length + 1;
    provider.next.push(calls('crm__look_up', { name: WORD }), hangs);
    const running = await started(service, `Once more the ${WORD}`, thread);
    await provider.request(nth + 1);

    // What is found where it may be would be found where it must not be.
    const open = await standsIn(OPEN);
    expect(open).toEqual(expect.arrayContaining(['a file', 'catalog_v1.content_text']));
    expect(service.output()).toContain('listening on');
    expect(await placesWith(service, [first.thread_id])).toContain(EVENTS);
    expect(await standsIn(WORD)).toEqual([]);

    const { status } = await service.api('DELETE', `/agent/threads/${first.thread_id}`);
    expect(status).toBe(200);
    expect((await service.api('GET', `/agent/runs/${first.run_id}`)).status).toBe(404);
    expect((await service.api('GET', `/agent/runs/${running.run_id}`)).status).toBe(404);
    const held = await placesWith(service, [first.thread_id]);
    expect(held.filter((place) => place.startsWith('vault.'))).toEqual([]);
    expect(held).toContain(EVENTS);
    expect(await standsIn(WORD)).toEqual([]);
  },
);
