// A bot for Slack and chats like it: tells a channel of failed jobs, and answers what people ask by a slash command.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createClient,
  verifyWebhook,
  type WebhookPayload,
  WebhookRefused,
} from '../../clients/typescript/src/index.ts';

const needed = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`set ${name}, as README.md says`);
  return value;
};
const { KNOWLEDGER_URL: url = 'http://127.0.0.1:3000', PORT = '8090' } = process.env;
const SECRET = needed('KNOWLEDGER_WEBHOOK_SECRET');
const [CHANNEL, SIGNING_SECRET] = [needed('CHAT_WEBHOOK_URL'), needed('CHAT_SIGNING_SECRET')];
const kn = createClient({ url, key: needed('KNOWLEDGER_API_KEY') });

/** Words of others must not become links, mentions or calls of everybody. */
const plain = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const say = async (to: string, words: string, more: object = {}): Promise<void> => {
  const response = await fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: words, ...more }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`the chat answered ${response.status}`);
};

/** Messages that came before: a message comes again where the answer to it was lost. */
const told = new Set<unknown>();
const tell = async (headers: IncomingHttpHeaders, body: string): Promise<void> => {
  const payload = await verifyWebhook(SECRET, headers, body);
  if (told.has(headers['webhook-id'])) return;
  await say(CHANNEL, await wordsOf(payload));
  if (told.size > 10_000) told.clear();
  told.add(headers['webhook-id']);
};
const wordsOf = async ({ type, data }: WebhookPayload): Promise<string> => {
  if (!('type' in data) || data.type !== 'JobFailed') return `Knowledger: ${type}`;
  const id = data.stream.slice('dataSource-'.length);
  const { name } = await kn.get('/source-groups/{id}', { path: { id } }).catch(() => ({ name: id }));
  return plain(`${name} failed. ${data.data.error.title}: ${data.data.error.message}`);
};

const isFromChat = (headers: IncomingHttpHeaders, body: string): boolean => {
  const time = Number(headers['x-slack-request-timestamp']);
  const signature = createHmac('sha256', SIGNING_SECRET).update(`v0:${time}:${body}`).digest('hex');
  const expected = Buffer.from(`v0=${signature}`);
  const given = Buffer.from(String(headers['x-slack-signature']));
  const isNew = Math.abs(Date.now() / 1_000 - time) <= 300;
  return isNew && given.length === expected.length && timingSafeEqual(given, expected);
};
const answer = async (content: string): Promise<string> => {
  const { choices } = await kn.post('/completions', { body: { messages: [{ role: 'user', content }] } });
  const { message, citations } = choices[0]!;
  const pages = citations.map(({ title, url: page }, i) => `[${i + 1}] <${plain(page)}|${plain(title)}>`);
  return [plain(message.content), ...pages].join('\n');
};

const server = createServer((request, response) => {
  const handle = async (): Promise<[status: number, text?: string]> => {
    const body = await text(request);
    if (request.url === '/events') return tell(request.headers, body).then(() => [204]);
    if (request.url !== '/ask') return [404];
    if (!isFromChat(request.headers, body)) return [401];
    const asked = new URLSearchParams(body);
    // A chat waits for three seconds: the answer follows.
    const later = answer(asked.get('text') ?? '').catch(
      (error: Error) => `No answer: ${plain(error.message)}`,
    );
    later
      .then((words) => say(asked.get('response_url')!, words, { response_type: 'in_channel' }))
      .catch(console.error);
    return [200, 'I am looking …'];
  };
  handle()
    .catch((error: unknown): [number] => {
      console.error(error);
      // After any status but 2xx the message comes again, so nothing is lost while the chat is away.
      return [error instanceof WebhookRefused ? 401 : 502];
    })
    .then(([status, words = '']) => response.writeHead(status).end(words))
    .catch(console.error);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on port ${PORT}`));
