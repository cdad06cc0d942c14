import type { Extract } from '../../../application/answers/extract/extract.ts';
import type { ExtractFrom } from '../../../application/answers/extract/extraction.ts';
import { ok } from '../json-response.ts';
import { usageField } from '../completions/completion-record.ts';
import { onBehalfOfIn } from '../request-headers.ts';
import { HttpProblem } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';
import { Id, closed, patterned } from '../schemas/common.ts';
import { Usage } from '../schemas/completion.ts';
import { filterFields } from '../schemas/search.ts';
import { Content } from '../schemas/source.ts';
import type { StopSignals } from '../stop-signals.ts';
import { orReason, prepareStream } from '../stream-response.ts';
import { filterOf } from './search.ts';
import { contentRecord } from './sources.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

export interface ExtractRouteDeps {
  readonly extract: Extract;
  readonly stop: StopSignals;
}

export const extractRoutes = ({ extract, stop }: ExtractRouteDeps): readonly AnyRoute[] => [
  route({
    tag: 'completions',
    scope: 'inference:run',
    method: 'post',
    path: '/extract',
    operationId: 'extract',
    summary: 'Extract data by a JSON Schema from contents, with citations',
    description:
      'Needs a language model. Documents and contents that are named are read whole or refused with 400; of what a ' +
      'query finds, the best are read that the model has room for. An answer that does not fit the schema is mended ' +
      'once, and then 502.',
    body: ExtractRequest,
    reads: ['catalog', 'tag'],
    answers: { 200: Extraction },
    problems: [
      'not_found',
      'filter_invalid',
      'authz_policy_not_found',
      'schema_invalid',
      'not_configured',
      'provider_error',
      'provider_timeout',
    ],
    handler: async ({ caller, body, req, res }) => {
      const { schema, prompt, citation = true } = body;
      const request = {
        schema,
        ...(prompt !== undefined && { prompt }),
        from: fromOf(body),
        citation,
        onBehalfOf: onBehalfOfIn(body),
      };
      // Used for its signal: a disconnected client waits for no response.
      const stream = prepareStream(req, res, stop.refusing);
      const { data, finishReason, model, citations, usage } = await orReason(stream, () =>
        extract(caller, request, stream.signal),
      );
      return ok({
        data,
        finish_reason: finishReason,
        model,
        citations: citations.map(contentRecord),
        ...usageField(usage),
      });
    },
  }),
];

/** Fields that do not belong to the search. */
const OTHER: ReadonlySet<string> = new Set(
  'schema prompt citation authz_policy principal_id source_ids content_ids'.split(' '),
);

/** @throws HttpProblem invalid_request, filter_invalid */
const fromOf = (body: ExtractRequest): ExtractFrom => {
  const {
    source_ids: sourceIds,
    content_ids: contentIds,
    query,
    limit = 20,
    use_postfilter: usePostfilter = false,
  } = body;
  if ([sourceIds, contentIds, query].filter((given) => given !== undefined).length !== 1) {
    throw new HttpProblem('invalid_request', 'give exactly one of source_ids, content_ids and query');
  }
  if (query !== undefined) return { kind: 'search', query, limit, usePostfilter, filter: filterOf(body) };
  // Defaults are already filled in: fields that only a search uses cannot be distinguished from them.
  const filtering = Object.keys(body).find((name) => !OTHER.has(name) && !DEFAULTED.has(name));
  if (filtering !== undefined) throw new HttpProblem('invalid_request', `${filtering} goes with query only`);
  if (sourceIds !== undefined) return { kind: 'sources', ids: sourceIds };
  return { kind: 'contents', ids: contentIds ?? [] };
};

const DEFAULTED: ReadonlySet<string> = new Set(['limit', 'use_postfilter', 'tag_filter_logic']);

export const ExtractRequest = closed(
  {
    schema: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        'JSON Schema (draft 2020-12) of the data, at most 32,000 characters. Without `pattern`, `patternProperties` and ' +
        'recursion; `$ref` leads to `$defs` of this schema only; formats: date, time, date-time, email, uri, uuid',
    }),
    prompt: Type.Optional(
      patterned('\\S', 'must not be blank', {
        maxLength: 4000,
        description: 'What is looked for, where the schema does not say it',
      }),
    ),
    source_ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 20, description: 'Read these documents, whole' }),
    ),
    content_ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 200, description: 'Read these contents' }),
    ),
    query: Type.Optional(
      patterned('\\S', 'must not be blank', {
        maxLength: 4000,
        description:
          'Read what this search finds, as far as the model can read it: filters and `limit` go with it',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    citation: Type.Optional(Type.Boolean({ default: true })),
    ...filterFields,
  },
  {
    description: 'Exactly one of `source_ids`, `content_ids` and `query` says what is read',
    examples: [
      { query: 'default port', schema: { type: 'object', properties: { port: { type: 'integer' } } } },
    ],
  },
);
export type ExtractRequest = Static<typeof ExtractRequest>;

export const Extraction = Type.Object({
  data: Type.Unknown({ description: 'Valid against the schema' }),
  citations: Type.Array(Content, { description: 'Contents that the data rest on, as the model says' }),
  finish_reason: Type.Enum(['stop', 'length', 'content_filter']),
  model: Type.String({ description: 'What extracted' }),
  usage: Type.Optional(Usage),
});
export type Extraction = Static<typeof Extraction>;
