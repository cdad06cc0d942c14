import Type, { type Static } from 'typebox';
import { OPERATORS } from '../../../domain/filter/filter.ts';
import { closed, Id, pageFields, patterned } from './common.ts';
import { authorizationFields, Content, FileType, SourceType, trialFields } from './source.ts';

const Logic = () => Type.Enum(['AND', 'OR'], { default: 'AND' });
const Value = Type.Unknown({ description: 'Any type; it must be readable as the type of the key' });

/** Recursive, so it is referenced by name. */
export const Filter = closed(
  {
    logic: Type.Optional(Logic()),
    filters: Type.Optional(
      Type.Array(
        closed({
          key: Type.String({ minLength: 1, maxLength: 200 }),
          operator: Type.Enum([...OPERATORS]),
          val: Type.Optional(Value),
          min: Type.Optional(Value),
          max: Type.Optional(Value),
        }),
      ),
    ),
    groups: Type.Optional(Type.Array(Type.Unsafe<object>({ $ref: 'Filter' }))),
  },
  { description: 'At most 50 conditions, nested at most 5 deep' },
);
const NamedFilter = (description: string) =>
  Type.Optional(Type.Unsafe<object>({ $ref: 'Filter', description }));

const ON_CHUNKS =
  'On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under)';

const tagTexts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description }));

/** Completions use the same filters. */
export const filterFields = {
  tags: tagTexts(
    'Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing',
  ),
  tag_ids: tagTexts('Ids of tags, as `tags`'),
  tag_filter_logic: Type.Optional(
    Type.Enum(['AND', 'OR'], {
      default: 'OR',
      description:
        'Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together',
    }),
  ),
  source_group_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: 100,
      description: 'Only contents of these source groups; of none, an empty list',
    }),
  ),
  source_types: Type.Optional(Type.Array(SourceType, { maxItems: 100 })),
  file_types: Type.Optional(Type.Array(FileType, { maxItems: 100 })),
  date_from: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Unix timestamp, inclusive' }),
  ),
  date_to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 253_402_300_799,
      description: 'Unix timestamp, inclusive; not before `date_from`',
    }),
  ),
  domains: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100 })),
  metadata: NamedFilter('On the metadata of sources'),
  source_metadata: NamedFilter('On the metadata of sources'),
  chunk_metadata: NamedFilter(ON_CHUNKS),
  metadata_filter: NamedFilter(ON_CHUNKS),
  use_postfilter: Type.Optional(Type.Boolean({ default: false })),
  ...authorizationFields,
};

export const SearchRequest = closed(
  {
    query: patterned('\\S', 'must not be blank', {
      maxLength: 4000,
      description:
        'Words, names or a question. `"a phrase"` must stand in title or text word for word, `-word` and `-"a phrase"` must not: looked for among the 1,000 best matches',
    }),
    mode: Type.Optional(Type.Enum(['hybrid', 'keyword', 'vector'], { default: 'hybrid' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
    rerank: Type.Optional(
      Type.Boolean({ default: false, description: '422 `not_configured` where no reranker is set up' }),
    ),
    min_score: Type.Optional(Type.Number()),
    collapse: Type.Optional(
      Type.Enum(['source', 'none'], {
        default: 'source',
        description:
          '`source`: at most two contents of a source among the first ten while there are others, and of contents that are word for word the same the best alone. So scores may rise again further down. `none`: all, strictly by score',
      }),
    ),
    explain: Type.Optional(
      Type.Boolean({ default: false, description: 'Shows in `features` how each score came about' }),
    ),
    ...filterFields,
    ...trialFields,
  },
  { examples: [{ query: 'How do I take a backup?', limit: 5 }] },
);
export type SearchRequest = Static<typeof SearchRequest>;

const Rank = Type.Optional(Type.Integer({ minimum: 1 }));
const Highlight = Type.Object(
  { start: Type.Integer(), end: Type.Integer() },
  { description: 'In UTF-16 code units, as JavaScript counts: `text.slice(start, end)`' },
);

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Features = Type.Object(
  {
    retrieval: Share('Score of the retrievers: words, vector, or both'),
    title_terms: Share('Terms that query and title have in common'),
    exact_title: Share('1: the title is the query'),
    phrase: Share('Neighbouring words of the query that are neighbours in the text too'),
    sentence: Share('Words of the query in one sentence, weighted by rarity'),
    page: Share('Other hits of the same page'),
    definition: Share('1: the text defines the term that is the query; 0.5: it explains it under a heading'),
  },
  {
    description:
      'With `explain`: the evidence whose weighted sum is the score. Absent behind the first 30 hits, and with the mode `vector`',
  },
);

export const SearchResults = Type.Object({
  results: Type.Array(
    Type.Object({
      content: Content,
      score: Type.Number(),
      ranks: Type.Object({ keyword: Rank, vector: Rank }),
      features: Type.Optional(Features),
      highlights: Type.Array(Highlight, {
        description:
          'Where `content.text` has words of the query, or other forms of them, in its order; at most 100',
      }),
    }),
  ),
  query_id: Type.String({ format: 'uuid' }),
  corrected_query: Type.Optional(
    Type.String({
      description:
        'What was searched for by keywords in place of `query`: of some of its words no content has any form, and near ones are there. Absent where nothing was corrected',
    }),
  ),
  total_candidates: Type.Integer({
    description:
      'Contents that match, shown or not. With phrases or excluded words, those of the best 1000 that meet them',
  }),
  mode: Type.Enum(['hybrid', 'keyword', 'vector'], {
    description: 'How it was searched in fact: `keyword` where the query has no vector',
  }),
  embedded_share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Share of the tenant's contents that the embedding model has embedded. From 0.5 on searches use its vectors, or from 0.9 on where an earlier model has more. `hybrid` finds contents without a vector by their words alone, `vector` does not find them. Absent without an embedding provider, and with `keyword`",
    }),
  ),
  reranked: Type.Boolean({ description: "Whether order and scores are the reranker's" }),
});

export const QueryRequest = closed(
  {
    sort: Type.Optional(Type.Enum(['timestamp', 'title'], { default: 'timestamp' })),
    ...pageFields,
    ...filterFields,
  },
  { examples: [{ source_types: ['crawl', 'local_file'], sort: 'title', limit: 20 }] },
);
export type QueryRequest = Static<typeof QueryRequest>;
