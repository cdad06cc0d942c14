import { randomUUID } from 'node:crypto';
import { KINDS } from '../../adapters/http/data-sources/kinds.ts';
import { operationsOf, type OpenApiDocument } from './openapi-check.ts';
import type { Service } from './service.ts';

/** What somebody has: an id for every kind of path, and texts that nobody else may ever be answered. */
export interface Belongings {
  readonly ids: { readonly [prefix: string]: string };
  readonly texts: readonly string[];
}

/** A request that the document knows, aimed at somebody's belongings, and the same at an id that nobody has. */
export interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly nowhere: string | undefined;
  readonly body: object | undefined;
}

const BODIES: { readonly [path: string]: object } = {
  ...Object.fromEntries(
    KINDS.flatMap(({ path, settingsPath }) => [
      [`PUT ${settingsPath}/{id}`, { name: 'taken over' }],
      [`POST ${path}/{id}/sync`, {}],
    ]),
  ),
  'POST /search': { query: 'wolverine', limit: 100 },
  'POST /query': { limit: 100 },
  // In capitals, which nobody else's texts have: the caller's own conversations are called by it.
  'POST /completions': { messages: [{ role: 'user', content: 'WOLVERINE' }] },
  'PUT /tags/{id}': { name: 'taken over' },
  'PUT /source-groups/{id}': { name: 'taken over' },
  'PUT /sources/{id}/metadata': { records: [{ key: 'taken', val: 'over' }] },
  'POST /agent/runs/{run_id}/cancel': {},
  'POST /pushes/{id}/jobs': {},
  'POST /pushes/{id}/jobs/{job_id}/complete': {},
  'POST /pushes/{id}/jobs/{job_id}/fail': { error: { title: 'taken', message: 'over' } },
  'PUT /source-groups/{id}/sources/{locator}': { taken: 'over' },
};
/** What an operation cannot do without. */
const queryOf = (operation: string, ids: Belongings['ids']): string => {
  if (operation === 'GET /schedule/occurrences') return '?rrule=FREQ=DAILY';
  return operation === 'GET /agent/threads/{thread_id}/events' ? `?run_id=${ids['/agent/runs']}` : '';
};
/** Refused to restricted keys whatever they name: see the journeys of authz, redaction, provider-secrets, webhooks and proofs. */
const OF_THE_TENANT = /^\/(?:audit\/|authz-|redaction-policies|secrets|webhooks)/;
/** Takes no JSON: the journey sends a form itself. */
const FORMS = new Set(['POST /local-file-groups/{id}/files']);
/** Makes something of the caller's own, and so tells nothing of others. */
const CREATES = new Set([
  ...KINDS.flatMap(({ path }) => [`POST ${path}`, `POST ${path}/test`]),
  'POST /scrape',
  'POST /tags',
  'POST /tag-source-groups',
  'POST /api-keys',
  // What names a thread or a run of somebody else is tried by the journey itself.
  'POST /agent/runs',
  // Needs a provider: see the journey of completions with one.
  'POST /extract',
]);

/**
 * Every operation of the served document, aimed at somebody's belongings.
 *
 * @throws for a path whose kind is not among them: a new one must be added here
 */
export const attemptsAt = async (
  { base }: Pick<Service, 'base'>,
  { ids }: Belongings,
): Promise<readonly Attempt[]> => {
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApiDocument;
  const operations = operationsOf(document).filter(({ path }) => path.startsWith('/api/v1/'));
  return operations.flatMap(({ method, path: whole }) => {
    const template = whole.slice('/api/v1'.length);
    const operation = `${method} ${template}`;
    if (CREATES.has(operation) || FORMS.has(operation) || OF_THE_TENANT.test(template)) return [];
    const id = ids[/^\/(?:agent\/)?[a-z-]+/.exec(template)?.[0] ?? ''];
    if (template.includes('{') && id === undefined)
      throw new Error(
        `nothing belongs to ${template}: make one in tests/journeys/isolation.test.ts, and add what writes to it above`,
      );
    const within = template
      .replace('{job_id}', ids['/pushes/jobs'] ?? '')
      .replace('{locator}', ids['/pushes/sources'] ?? '');
    const at = (named: string) => within.replace(/\{(?:thread_|run_)?id\}/, named) + queryOf(operation, ids);
    const nowhere = within.includes('{') ? at(randomUUID()) : undefined;
    const path = at(id ?? '');
    return [{ method, path, nowhere, body: BODIES[operation] }];
  });
};
