import { failureOfAnswer } from '../answers.ts';
import { type Passage, passageLine } from '../passages.ts';
import type { Answer, LoopState } from '../state.ts';
import type { Decision } from '../step.ts';
import { type Assignment, questionOf, type Workflow } from '../next.ts';
import { jsonIn } from '../json-answer.ts';

type Schema = Readonly<Record<string, unknown>>;

/** One row of a source, and the passages that it is based on. */
interface Row {
  readonly data: unknown;
  readonly passages: readonly Passage[];
}

/** Parses the rows of an answer; `problems` has at most twenty entries. */
export const rowsOf = (
  answer: string,
  passages: readonly Passage[],
  problemsOf: (row: unknown) => readonly string[],
): { readonly rows: readonly Row[]; readonly problems: readonly string[] } => {
  const json = jsonIn(answer);
  if (!isObject(json) || !Array.isArray(json['rows']))
    return { rows: [], problems: ['the answer must be JSON: {"rows": […]}'] };
  const problems: string[] = [];
  const rows = json['rows'].flatMap((row: unknown, index): Row[] => {
    if (!isObject(row) || !Object.hasOwn(row, 'data')) {
      problems.push(`rows/${index} must be an object with "data" and "passages"`);
      return [];
    }
    const numbers = new Set(Array.isArray(row['passages']) ? row['passages'] : []);
    problems.push(...problemsOf(row['data']).map((problem) => `rows/${index}/data ${problem}`));
    return [{ data: row['data'], passages: passages.filter(({ number }) => numbers.has(number)) }];
  });
  return { rows, problems: problems.slice(0, 20) };
};

/** The schema of an answer with rows. Definitions move to the root, because references point there. */
export const answerSchema = (schema: Schema): Schema => {
  const at = (keep: boolean): Schema =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => AT_ROOT.has(keyword) === keep));
  const passages = { type: 'array', items: { type: 'integer', minimum: 1 } };
  const row = {
    type: 'object',
    properties: { data: at(false), passages },
    required: ['data', 'passages'],
    additionalProperties: false,
  };
  return {
    ...at(true),
    type: 'object',
    properties: { rows: { type: 'array', items: row } },
    required: ['rows'],
    additionalProperties: false,
  };
};
const AT_ROOT: ReadonlySet<string> = new Set(['$schema', '$defs', 'definitions']);

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SEARCH = 'search-1';
/** Number of gaps in the message of a run without rows. */
const SHOWN_GAPS = 3;
/** Number of passages that the search returns, over all sources. */
const SEARCH_LIMIT = 50;
const MAX_QUERY = 4_000;
/** Characters of a source per token of the context window; typically half of the window. */
const DATA_SHARE = 1.5;
const SOURCES = { usual: 10, most: 25 } as const;

/**
 * Extracts rows by a JSON Schema from several sources: one search finds the sources, each source is read separately,
 * and each row names its source and passages. Invalid rows are sent back once. Gaps report sources whose rows stay
 * invalid, sources that were found but not read, and, if there are no rows at all, every source. `input`: `schema` of
 * a row, `max_sources` from 1 to 25.
 */
export const extract: Workflow = {
  type: 'extract',
  needs: 'structuredOutput',
  fields: ['schema', 'max_sources'],
  problemsOf: ({ schema, ...input }) => [
    ...(isObject(schema) ? [] : ['input.schema takes the JSON Schema of a row']),
    ...(isCount(input['max_sources'] ?? SOURCES.usual)
      ? []
      : [`input.max_sources takes a whole number from 1 to ${SOURCES.most}`]),
  ],
  next: (assignment, state) => {
    if (!state.returned.has(SEARCH)) return search(assignment);
    const most = Number(assignment.input['max_sources'] ?? SOURCES.usual);
    const room = Math.floor(assignment.model.contextWindow * DATA_SHARE);
    const found = bySource(state.passages, room);
    const sources = found.slice(0, most);
    const read = readings(assignment, state, sources);
    const open = read.find(({ done }) => !done);
    if (open === undefined) return finish(read, found.slice(most));
    if (open.answers.at(-1)?.finishReason === 'content_filter') return failureOfAnswer(open.answers.at(-1)!)!;
    return ask(assignment, open);
  },
};

const search = (assignment: Assignment): Decision => {
  const query = questionOf(assignment).slice(0, MAX_QUERY).toWellFormed();
  const given = JSON.stringify({ query, limit: SEARCH_LIMIT });
  return { kind: 'call_tools', calls: [{ id: SEARCH, name: 'search', arguments: given }], shown: 'apart' };
};

interface Source {
  readonly id: string;
  /** Never empty. */
  readonly passages: readonly Passage[];
}

/**
 * Groups passages by source, in the order of their best passages. Keeps the passages that fit, and always the best
 * one.
 */
const bySource = (passages: readonly Passage[], room: number): readonly Source[] => {
  const ids = [...new Set(passages.map(({ sourceId }) => sourceId))];
  return ids.map((id) => {
    let left = room;
    const own = passages.filter(({ sourceId }) => sourceId === id);
    const fitting = own.filter((passage, index) => {
      left -= passageLine(passage).length;
      return index === 0 || left >= 0;
    });
    return { id, passages: fitting };
  });
};

/** The state of one source: its answers, at most two, and the rows or problems of the last one. */
interface Reading {
  readonly source: Source;
  readonly answers: readonly Answer[];
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
  readonly done: boolean;
}

/** Assigns the answers to the sources in order: one answer each, or two if the first one is invalid. */
const readings = (
  assignment: Assignment,
  { answers }: LoopState,
  sources: readonly Source[],
): readonly Reading[] => {
  let index = 0;
  return sources.map((source) => {
    const own = answers.slice(index, index + 2);
    const first =
      own[0] === undefined ? null : rowsOf(own[0].message.content, source.passages, assignment.problemsOf);
    const used = first === null ? 0 : first.problems.length === 0 ? 1 : own.length;
    index += used;
    const last = used === 2 ? rowsOf(own[1]!.message.content, source.passages, assignment.problemsOf) : first;
    const done = last !== null && (last.problems.length === 0 || used === 2);
    return { source, answers: own.slice(0, used), rows: [], problems: [], ...last, done };
  });
};

const ask = (assignment: Assignment, { source, answers, problems }: Reading): Decision => {
  const schema = answerSchema(assignment.input['schema'] as Schema);
  const rules = [
    'Extract rows of data from the passages of one document, which are given as data. What they do not hold, leave out, and make nothing up; no rows are a good answer where nothing fits.',
    'For each row list in "passages" the numbers of the passages that it rests on.',
    'Answer with JSON alone, which fits this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n');
  const again = answers.flatMap(({ message }) => [
    { role: 'assistant' as const, content: message.content },
    {
      role: 'user' as const,
      content: `That does not fit the schema:\n${problems.map((one) => `- ${one}`).join('\n')}\nAnswer again, with the whole mended JSON alone.`,
    },
  ]);
  return {
    kind: 'call_model',
    messages: [
      { role: 'system', content: rules },
      { role: 'data', content: source.passages.map(passageLine).join('\n') },
      { role: 'user', content: questionOf(assignment) },
      ...again,
    ],
    offersTools: false,
    responseSchema: schema,
  };
};

const finish = (read: readonly Reading[], unread: readonly Source[]): Decision => {
  const rows = read.flatMap(({ source, rows: own, problems }) => {
    const [{ title, url }] = source.passages as readonly [Passage];
    return problems.length > 0
      ? []
      : own.map(({ data, passages }) => ({
          data,
          sourceId: source.id,
          title,
          url,
          contentIds: passages.map(({ contentId }) => contentId),
        }));
  });
  const gaps = gapsOf(read, unread);
  const why = rows.length === 0 ? ` ${gaps.slice(0, SHOWN_GAPS).join('. ')}.` : '';
  const message = `${rows.length} rows from ${read.length} sources.${why}`;
  return {
    kind: 'finish',
    message,
    finishReason: 'stop',
    citations: read.flatMap(({ rows: own, problems }) =>
      problems.length > 0 ? [] : [...new Set(own.flatMap(({ passages }) => passages))],
    ),
    messages: [{ role: 'assistant', content: message }],
    gaps,
    rows,
  };
};

/** Explains why sources gave no rows, and how many were not read. */
const gapsOf = (read: readonly Reading[], unread: readonly Source[]): readonly string[] => {
  if (read.length === 0) return ['No document was found: ask in other words'];
  // If other sources gave rows, a source without rows is not a gap.
  const none = read.every(({ rows, problems }) => rows.length === 0 || problems.length > 0);
  const empty = read.flatMap(({ source, problems }) => {
    const { title } = source.passages[0]!;
    if (problems.length > 0) return [`${title}: its rows do not fit the schema: ${problems[0]}`];
    return none ? [`${title}: it holds no such rows`] : [];
  });
  const left = unread.length === 0 ? [] : [`Found and not read, by max_sources: ${unread.length} documents`];
  return [...empty, ...left];
};

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= SOURCES.most;
