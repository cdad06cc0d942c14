// Answers questions about a site from its pages, and goes on with the conversation.
//   KNOWLEDGER_API_KEY=kn_… node examples/docs-bot/bot.ts https://example.com/manual/
import { createInterface } from 'node:readline';
import { createClient } from '../../clients/typescript/src/index.ts';

const { KNOWLEDGER_URL: url = 'http://127.0.0.1:3000', KNOWLEDGER_API_KEY: key = '' } = process.env;
const [site = ''] = process.argv.slice(2);
const kn = createClient({ url, key });

/** The crawl of the site that there is, or a new one that is kept fresh every night. */
const crawlOf = async () => {
  for await (const crawl of kn.all('/crawls', { query: { name: site } }))
    if (crawl.name === site) return crawl;
  const limits = { max_depth: 3, max_num_files: 500, rrule: 'FREQ=DAILY;BYHOUR=3;BYMINUTE=0;BYSECOND=0' };
  return kn.post('/crawls', { body: { name: site, start_url: site, ...limits } });
};

const { id } = await crawlOf();
const { status, error } = await kn.waitFor('/crawls', id, {
  onProgress: ({ progress }) => console.error(`${progress.indexed} pages`),
});
if (status !== 'success') throw new Error(`the crawl ended with ${status}: ${error?.message ?? ''}`);

let talk: { readonly conversation_id?: string } = {};
process.stdout.write('> ');
for await (const content of createInterface(process.stdin)) {
  const messages = [{ role: 'user', content }] as const;
  const { choices, conversation_id } = await kn.post('/completions', {
    body: { messages, source_group_ids: [id], ...talk },
  });
  talk = { conversation_id };
  for (const { message, citations } of choices) {
    console.log(message.content);
    for (const [i, { title, url: page }] of citations.entries()) console.log(`[${i + 1}] ${title} ${page}`);
  }
  process.stdout.write('> ');
}
