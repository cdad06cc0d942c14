import { schemaCompiler } from '../../../../adapters/system/json-schema/schema-compiler.ts';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import type { Caller } from '../../../../application/access/caller.ts';
import type { CompletionRequest } from '../../../../application/answers/completions/completion.ts';
import type { PrincipalChoice } from '../../../../application/agents/tools/define.ts';
import type { KnowledgeToolDeps } from '../../../../application/agents/tools/deps.ts';
import type { ToolCaller, ToolContext } from '../../../../application/agents/tools/knowledge-tool.ts';
import type { FindProblems, SchemaCompiler } from '../../../../application/ports/compilers.ts';
import type { SourceRecord } from '../../../../application/ports/catalog.ts';
import { createKnowledgeTools } from '../../../../application/agents/tools/tools.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import type { RedactionRule } from '../../../../domain/redaction/index.ts';
import type { Scope } from '../../../../domain/api-key/decider.ts';
import { CALLER, contentOf } from '../../../support/completions.ts';

/** An id of something, numbered. */
export const uuid = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const callerWith = (...scopes: Scope[]): Caller => ({
  ...CALLER,
  grant: { scopes, sourceGroupIds: null },
});
export const AGENT: ToolCaller = {
  caller: callerWith('knowledge:read', 'inference:run'),
  onBehalfOf: {},
};
export const NOBODY_LEAVES: ToolContext = { signal: new AbortController().signal };
export const GROUP = uuid(7);

const known = new Map<string, FindProblems>();
/** Compiles what is the same in every test once. */
const SCHEMAS: SchemaCompiler = {
  compile: (schema) => {
    const text = JSON.stringify(schema);
    const compiled = known.get(text) ?? schemaCompiler.compile(schema);
    known.set(text, compiled);
    return compiled;
  },
};

/** The tools over three contents that were found, and what the operations behind them were asked. */
export const toolsOver = ({
  texts = ['one', 'two', 'three'],
  titles = texts,
  rules = [],
  principal = 'asked',
  ask,
  source = {},
  job = {},
}: {
  readonly texts?: readonly string[];
  /** Of documents and source groups; by default the texts. */
  readonly titles?: readonly string[];
  readonly rules?: readonly RedactionRule[];
  readonly principal?: PrincipalChoice;
  readonly ask?: KnowledgeToolDeps['complete'];
  /** What is other than usual of documents, and of the newest job. */
  readonly source?: Partial<SourceRecord>;
  readonly job?: object;
} = {}) => {
  const asked: unknown[] = [];
  const contents = texts.map((text, i) => ({ ...contentOf(i + 1), text, title: titles[i] ?? '' }));
  const complete = async (_caller: Caller, request: CompletionRequest) => {
    asked.push(request);
    const ids = { conversationId: uuid(1), userMessageId: uuid(2), assistantMessageId: uuid(3) };
    const found = { citations: contents, webCitations: [], webSearchQueries: [], searchSuggestion: '' };
    const message = { role: 'assistant', content: `It is so [1]. ${texts[0]}` } as const;
    const choice = { index: 0, message, finishReason: 'stop', ...found } as const;
    const completion = { ...ids, created: 1, choices: [choice], model: 'extractive', usage: null } as const;
    const events = async function* () {
      yield { kind: 'delta', text: 'x'.repeat(600) } as const;
      yield { kind: 'finished', completion } as const;
    };
    const web = { results: [], queries: [], suggestion: '' };
    return { ...ids, contents, web, events: events(), replayed: false };
  };
  const group = {
    name: titles[0] ?? 'files',
    kind: 'local_file_group',
    status: 'started',
    tagIds: [],
  } as const;
  const groupRecord = {
    ...group,
    id: GROUP,
    sourceCount: 2,
    contentCount: 3,
    ingestionSettingId: uuid(8),
    createdAt: 5_000,
    startedAt: null,
    endedAt: null,
    syncedAt: null,
    error: null,
  };
  const counts = { seen: 2, indexed: 1, unchanged: 0, skipped: 1, failed: 0, bytes: 9 };
  const deps: KnowledgeToolDeps = {
    ids: { newId: () => '0199d2a0-0000-7000-8000-0123456789ab' },
    rulesFor: async () => compileRules(rules, textPatterns),
    complete: ask ?? complete,
    search: async (_caller, wanted, behalf) => {
      asked.push([wanted, behalf]);
      const results = contents.map((content) => ({ content, score: 0.5, ranks: {} }));
      const corrected = wanted.query === 'wolvernie' && { correctedQuery: 'wolverine' };
      return { results, queryId: 'q', totalCandidates: 3, mode: 'keyword', reranked: false, ...corrected };
    },
    sources: {
      content: async (_caller, id, behalf) => {
        asked.push([id, behalf]);
        return contents[0]!;
      },
      list: async (_caller, filter, page, behalf) => {
        asked.push([filter, page, behalf]);
        const rows = titles.map((title, i) => ({ ...sourceOf(uuid(20 + i), title), ...source }));
        return { rows, hasMore: true, total: 9 };
      },
    },
    sourceGroups: {
      list: async () => ({ rows: [groupRecord], hasMore: false, total: 1 }),
      get: async (_caller, id) => {
        asked.push(id);
        return groupRecord;
      },
    },
    dataSources: {
      get: async () =>
        ({ row: { startedAt: 6_000, endedAt: null, error: null, counts, ...job } }) as unknown as ReturnType<
          KnowledgeToolDeps['dataSources']['get']
        >,
    },
  };
  const tools = createKnowledgeTools({ ...deps, schemas: SCHEMAS }, principal);
  const tool = (name: string, caller = AGENT.caller) => {
    const found = tools(caller.grant).find((one) => one.name === name);
    if (found === undefined) throw new Error(`this caller has no tool ${name}`);
    return found;
  };
  const call = (name: string, args: unknown, by = AGENT, context = NOBODY_LEAVES) =>
    tool(name, by.caller).call(by, args, context);
  return { tools, tool, call, asked };
};

const sourceOf = (id: string, title: string): SourceRecord => ({
  id,
  sourceGroupId: GROUP,
  sourceType: 'local_file',
  title,
  url: 'file:///a',
  locator: 'a',
  fileType: 'md',
  language: null,
  mediaType: 'text/markdown',
  size: 1,
  sha256: 'ab',
  status: 'indexed',
  skipReason: null,
  error: null,
  lastSeenTime: 1,
  indexedTime: 1,
  contentCount: 1,
  contentMissing: false,
  metadata: [],
});
