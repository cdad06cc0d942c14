import { KINDS } from '../../../adapters/http/data-sources/kinds.ts';
import { EXAMPLES } from '../../support/kind-examples.ts';
import { ID, OTHER_ID } from './fake-records.ts';
import type { Ask } from './running-app.ts';

const BY_DEPARTMENT = {
  filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }],
};
/** A form with one file, as bytes on the wire. */
const FORM: Ask = {
  headers: { 'content-type': 'multipart/form-data; boundary=part' },
  body: [
    ['name="name"', 'Files'],
    ['name="files"; filename="a.txt"', 'words'],
    ['name="last_modified"', '1790000000000'],
  ]
    .map(([about, text]) => `--part\r\ncontent-disposition: form-data; ${about}\r\n\r\n${text}\r\n`)
    .join('')
    .concat('--part--\r\n'),
};
const REDACTION: Ask = {
  body: { name: 'p', rules: [{ name: 'email', kind: 'email' }], applies_to: ['content'] },
};
/** The bytes of a document. */
const DOCUMENT: Ask = { headers: { 'content-type': 'text/markdown' }, body: '# A' };
interface Case {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ask: Ask;
}
type Row = readonly [method: string, path: string, status: number, ask?: Ask];
/** What there is of every kind of data source. */
const kindRows = ({
  kind,
  path,
  create,
  namesSecret,
  sync,
  settingsPath,
}: (typeof KINDS)[number]): readonly Row[] => {
  const [all, setting] = [`/api/v1${path}`, `/api/v1${settingsPath}/${OTHER_ID}`];
  const example = EXAMPLES[kind];
  return [
    ['GET', all, 200],
    ['GET', `${all}/${ID}`, 200],
    ['GET', `${all}/${ID}/changes`, 200],
    ['DELETE', `${all}/${ID}`, 202],
    ['POST', `${all}/${ID}/cancel`, 202],
    ['GET', `${all}/${ID}/events`, 200],
    ['GET', `${all}/${ID}/errors`, 200],
    ...rowsIf(create, ['POST', all, 201, asking(example.create)]),
    ...rowsIf(namesSecret, ['POST', `${all}/test`, 200, asking(example.create)]),
    ...rowsIf(sync, ['POST', `${all}/${ID}/sync`, 202, asking(example.sync)]),
    ...rowsIf(
      settingsPath,
      ['GET', setting, 200],
      ['GET', `${setting}/changes`, 200],
      ['PUT', setting, 200, asking(example.change)],
      ['GET', `${setting}/occurrences?limit=2`, 200],
    ),
  ];
};
const rowsIf = (has: unknown, ...rows: readonly Row[]): readonly Row[] => (has === undefined ? [] : rows);
const asking = (body?: object): Ask => (body === undefined ? {} : { body });
const ROWS: readonly Row[] = [
  ...KINDS.flatMap(kindRows),
  ['POST', '/api/v1/local-file-groups', 201, FORM],
  ['POST', `/api/v1/local-file-groups/${ID}/files`, 202, FORM],
  ['GET', '/api/v1/schedule/occurrences?rrule=FREQ%3DDAILY&limit=2', 200],
  [
    'POST',
    '/api/v1/scrape',
    200,
    { body: { url: 'https://docs.example.com/', formats: ['markdown', 'links'] } },
  ],
  ['POST', `/api/v1/pushes/${ID}/jobs`, 201],
  ['POST', `/api/v1/pushes/${ID}/jobs/${OTHER_ID}/complete`, 200],
  [
    'POST',
    `/api/v1/pushes/${ID}/jobs/${OTHER_ID}/fail`,
    200,
    { body: { error: { title: 'T', message: 'm' } } },
  ],
  ['PUT', `/api/v1/source-groups/${ID}/sources/docs%2Fa.md?title=A`, 200, DOCUMENT],
  ['DELETE', `/api/v1/source-groups/${ID}/sources/docs%2Fa.md`, 200],
  ['GET', `/api/v1/contents/${ID}?authz_policy=default&principal_id=jo`, 200],
  ['GET', `/api/v1/sources?source_group_id=${ID}&source_type=crawl&file_type=html`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}/changes`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}/raw`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}/contents`, 200],
  ['PUT', `/api/v1/sources/${OTHER_ID}/metadata`, 200, { body: { records: [{ key: 'a', val: '1' }] } }],
  ['DELETE', `/api/v1/sources/${OTHER_ID}/metadata`, 200],
  ['DELETE', `/api/v1/sources/${OTHER_ID}`, 202],
  ['POST', '/api/v1/search', 200, { body: { query: 'how to begin' } }],
  ['POST', '/api/v1/query', 200, { body: {} }],
  ['POST', '/api/v1/completions', 200, { body: { messages: [{ role: 'user', content: 'Is it so?' }] } }],
  ['POST', '/api/v1/extract', 200, { body: { schema: { type: 'object' }, source_ids: [ID] } }],
  [
    'POST',
    '/api/v1/agent/runs',
    202,
    { body: { workflow_type: 'chat', input: { messages: [{ role: 'user', content: 'Is it so?' }] } } },
  ],
  ['GET', `/api/v1/agent/runs?status=QUEUED&thread_id=${OTHER_ID}`, 200],
  ['GET', `/api/v1/agent/runs/${ID}?principal_id=jo`, 200],
  ['GET', `/api/v1/agent/runs/${ID}/changes?principal_id=jo`, 200],
  ['POST', `/api/v1/agent/runs/${ID}/cancel`, 202, { body: { wait_seconds: 1 } }],
  ['POST', `/api/v1/agent/runs/${OTHER_ID}/cancel`, 200],
  ['GET', `/api/v1/agent/runs/${ID}/events`, 200],
  ['GET', '/api/v1/agent/threads', 200],
  ['GET', `/api/v1/agent/threads/${OTHER_ID}`, 200],
  ['GET', `/api/v1/agent/threads/${OTHER_ID}/changes`, 200],
  ['GET', `/api/v1/agent/threads/${OTHER_ID}/events?run_id=${ID}`, 200],
  ['DELETE', `/api/v1/agent/threads/${OTHER_ID}`, 200],
  ['GET', '/api/v1/errors', 200],
  ['GET', '/api/v1/source-groups', 200],
  ['GET', `/api/v1/source-groups/${ID}`, 200],
  ['GET', `/api/v1/source-groups/${ID}/changes`, 200],
  ['PUT', `/api/v1/source-groups/${ID}`, 200, { body: { name: 'New' } }],
  ['POST', '/api/v1/tags', 201, { body: { name: 'manuals', description: '' } }],
  ['POST', '/api/v1/redaction-policies', 201, REDACTION],
  ['GET', '/api/v1/redaction-policies', 200],
  ['GET', `/api/v1/redaction-policies/${OTHER_ID}`, 200],
  ['GET', `/api/v1/redaction-policies/${OTHER_ID}/changes`, 200],
  ['PUT', `/api/v1/redaction-policies/${OTHER_ID}`, 200, REDACTION],
  ['DELETE', `/api/v1/redaction-policies/${OTHER_ID}`, 200],
  ['POST', `/api/v1/redaction-policies/${OTHER_ID}/test`, 200, { body: { text: 'a@b.example' } }],
  [
    'POST',
    '/api/v1/redaction-policies/test',
    200,
    { body: { rules: [{ name: 'email', kind: 'email' }], text: 'a@b.example' } },
  ],
  ['POST', '/api/v1/authz-policies', 201, { body: { name: 'readers', source_metadata: BY_DEPARTMENT } }],
  ['GET', '/api/v1/authz-policies?limit=1&after=a', 200],
  ['GET', '/api/v1/authz-policies/readers', 200],
  ['GET', '/api/v1/authz-policies/readers/changes', 200],
  ['PUT', '/api/v1/authz-policies/default', 200, { body: { source_metadata: BY_DEPARTMENT } }],
  ['DELETE', '/api/v1/authz-policies/readers', 200],
  ['GET', '/api/v1/authz-subject-attributes', 200],
  ['GET', '/api/v1/authz-subject-attributes/jo%40example.com', 200],
  ['GET', '/api/v1/authz-subject-attributes/jo%40example.com/changes', 200],
  [
    'PUT',
    '/api/v1/authz-subject-attributes/a%2Fb',
    200,
    { body: { attributes: { department: ['a'], n: 1 } } },
  ],
  ['DELETE', '/api/v1/authz-subject-attributes/jo', 200],
  ['GET', '/api/v1/tags', 200],
  ['GET', `/api/v1/tags/${OTHER_ID}`, 200],
  ['GET', `/api/v1/tags/${OTHER_ID}/changes`, 200],
  ['PUT', `/api/v1/tags/${OTHER_ID}`, 200, { body: { description: 'new' } }],
  ['DELETE', `/api/v1/tags/${OTHER_ID}`, 200],
  ['POST', '/api/v1/tag-source-groups', 201, { body: { tag_id: OTHER_ID, source_group_id: ID } }],
  ['POST', '/api/v1/tag-source-groups', 200, { body: { tag_id: OTHER_ID, source_group_id: OTHER_ID } }],
  ['GET', '/api/v1/tag-source-groups', 200],
  ['GET', `/api/v1/tag-source-groups/${ID}`, 200],
  ['GET', `/api/v1/tag-source-groups/${ID}/changes`, 200],
  ['DELETE', `/api/v1/tag-source-groups/${ID}`, 200],
  ['POST', '/api/v1/api-keys', 201, { body: { name: 'reader', scopes: ['knowledge:read'] } }],
  ['GET', '/api/v1/api-keys', 200],
  ['GET', `/api/v1/api-keys/${ID}`, 200],
  ['GET', `/api/v1/api-keys/${ID}/changes`, 200],
  ['DELETE', `/api/v1/api-keys/${ID}`, 200],
  ['POST', `/api/v1/api-keys/${ID}/rotate`, 200],
  ['POST', '/api/v1/secrets', 201, { body: { name: 'GitHub', type: 'token', value: 'a-token' } }],
  ['GET', '/api/v1/secrets', 200],
  ['GET', `/api/v1/secrets/${ID}`, 200],
  ['GET', `/api/v1/secrets/${ID}/changes`, 200],
  ['PUT', `/api/v1/secrets/${ID}`, 200, { body: { value: 'another-token', expires_at: null } }],
  ['DELETE', `/api/v1/secrets/${ID}`, 200],
  ['POST', '/api/v1/webhooks', 201, { body: { url: 'https://example.com/hook', types: ['SourceIndexed'] } }],
  ['GET', '/api/v1/webhooks', 200],
  ['GET', `/api/v1/webhooks/${ID}`, 200],
  ['GET', `/api/v1/webhooks/${ID}/changes`, 200],
  ['PUT', `/api/v1/webhooks/${ID}`, 200, { body: { enabled: false, types: null } }],
  ['DELETE', `/api/v1/webhooks/${ID}`, 200],
  ['POST', `/api/v1/webhooks/${ID}/rotate-secret`, 200, { body: {} }],
  ['POST', `/api/v1/webhooks/${ID}/test`, 200, { body: {} }],
  ['GET', `/api/v1/webhooks/${ID}/deliveries?state=pending`, 200],
  ['POST', `/api/v1/webhooks/${ID}/deliveries/${OTHER_ID}/redeliver`, 200, { body: {} }],
  ['GET', '/api/v1/conversations?principal_id=jo&limit=5', 200],
  ['GET', `/api/v1/conversations/${ID}`, 200],
  ['GET', `/api/v1/conversations/${ID}/changes`, 200],
  ['DELETE', `/api/v1/conversations/${ID}?principal_id=jo`, 200],
  ['GET', '/api/v1/events', 200],
  ['GET', '/api/v1/events/export?format=csv', 200],
  ['GET', '/api/v1/audit/checkpoint', 200],
  ['GET', '/api/v1/audit/checkpoints?limit=2&after=1', 200],
  ['GET', '/api/v1/audit/keys', 200],
  ['GET', '/api/v1/status', 200],
  ['GET', '/api/v1/me', 200],
  ['GET', `/api/v1/audit/proofs/inclusion?stream=tag-${ID}&revision=0&size=3`, 200],
  ['GET', '/api/v1/audit/proofs/consistency?from=1&to=2', 200],
  ['GET', `/api/v1/audit/log/${ID}/checkpoint`, 200],
  ['GET', `/api/v1/audit/log/${ID}/tile/entries/x001/234.p/5`, 200],
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
  ['GET', '/sign-in', 200],
];
/** A request to every operation of the interface, and the status of its answer. */
export const CASES: readonly Case[] = ROWS.map(([method, path, status, ask = {}]) => ({
  method,
  path,
  status,
  ask,
}));
