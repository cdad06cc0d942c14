import Type, { type Static } from 'typebox';
import { closed, Id, patterned } from './common.ts';
import { Usage } from './completion.ts';
import { filterFields } from './search.ts';
import { Content } from './source.ts';

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
  { description: 'Exactly one of `source_ids`, `content_ids` and `query` says what is read' },
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
