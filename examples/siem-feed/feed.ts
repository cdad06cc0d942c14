// Writes security events of the log as lines of JSON by the Elastic Common Schema, and goes on where it stopped.
//   KNOWLEDGER_API_KEY=kn_… node examples/siem-feed/feed.ts position >> knowledger.ndjson
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createClient, type LogEvent } from '../../clients/typescript/src/index.ts';

const { KNOWLEDGER_URL: url = 'http://127.0.0.1:3000', KNOWLEDGER_API_KEY: key = '' } = process.env;
const [place = 'position'] = process.argv.slice(2);

/** `event.category` and `event.type` of the schema, and the events that they stand for. */
const KINDS = [
  ['iam', 'creation', ['ApiKeyIssued', 'SecretCreated', 'AuthzAttributesSet']],
  ['iam', 'change', ['ApiKeyRotated', 'SecretChanged', 'SecretValueReplaced']],
  ['iam', 'deletion', ['ApiKeyRevoked', 'SecretDeleted', 'AuthzAttributesDeleted']],
  ['configuration', 'creation', ['AuthzPolicyCreated', 'RedactionPolicyCreated', 'WebhookCreated']],
  ['configuration', 'change', ['AuthzPolicyChanged', 'RedactionPolicyChanged', 'WebhookChanged']],
  ['configuration', 'deletion', ['AuthzPolicyDeleted', 'RedactionPolicyDeleted', 'WebhookDeleted']],
  ['configuration', 'creation', ['DataSourceRegistered']],
  ['configuration', 'deletion', ['DataSourceDeletionRequested', 'ConversationDeleted', 'AgentThreadDeleted']],
] as const satisfies readonly (readonly [string, string, readonly LogEvent['type'][]])[];

const lineOf = (event: LogEvent): string => {
  const { id, type: action, stream, time, actor, trace_id } = event;
  const name = 'name' in actor ? actor.name : undefined;
  const [category, type] = KINDS.find(([, , types]) => (types as readonly string[]).includes(action))!;
  return JSON.stringify({
    '@timestamp': new Date(time * 1_000).toISOString(),
    ecs: { version: '8.17.0' },
    message: `${action} in ${stream} by ${actor.kind} ${name ?? actor.id}`,
    event: {
      id,
      action,
      kind: 'event',
      category: [category],
      type: [type],
      outcome: 'success',
      module: 'knowledger',
      original: JSON.stringify(event),
    },
    user: { id: actor.id, ...(name !== undefined && { name }) },
    organization: { id: actor.tenant },
    ...(trace_id !== null && { trace: { id: trace_id } }),
  });
};

const over = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort());

const after = await readFile(place, 'utf8').catch(() => '');
const types = KINDS.flatMap<LogEvent['type']>(([, , some]) => some);
const asked = { query: { types }, signal: over.signal, ...(after !== '' && { after }) };
for await (const { data } of createClient({ url, key }).follow<LogEvent>('/events', asked)) {
  await new Promise<void>((written, failed) => {
    process.stdout.write(`${lineOf(data)}\n`, (error) => (error ? failed(error) : written()));
  });
  // A crash before this writes the line again: `event.id` is the same.
  await writeFile(`${place}.new`, data.position);
  await rename(`${place}.new`, place);
}
