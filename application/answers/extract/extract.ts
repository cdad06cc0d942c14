import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import {
  type FinishReason,
  type ModelRequest,
  type ModelUsage,
  ProviderError,
  logProviderFailure,
} from '../../ports/language-model.ts';
import { mustNotBeEmpty } from '../empty-answer.ts';
import { extractionPrompt, repairMessages } from './extraction-prompt.ts';
import {
  type ExtractDeps,
  type ExtractRequest,
  type Extraction,
  readContents,
  redactData,
} from './extraction.ts';
import type { FindProblems } from '../../ports/compilers.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The parsed answer of the model, or its problems. */
type ReadAnswer =
  | { readonly ok: true; readonly data: unknown; readonly passages: readonly number[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * The schema of the answer: the data, and the numbers of the passages that it is based on. Definitions move to the
 * root, because references point there.
 */
const envelopeOf = (schema: Schema): Schema => {
  const entries = Object.entries(schema);
  const data = Object.fromEntries(entries.filter(([keyword]) => !AT_ROOT.has(keyword)));
  return {
    ...Object.fromEntries(entries.filter(([keyword]) => AT_ROOT.has(keyword))),
    type: 'object',
    properties: { data, passages: { type: 'array', items: { type: 'integer', minimum: 1 } } },
    required: ['data', 'passages'],
    additionalProperties: false,
  };
};
const AT_ROOT: ReadonlySet<string> = new Set(['$schema', '$defs', 'definitions']);

/** Parses an answer. With citations it is an envelope with the data and the numbers of passages. */
const readAnswer = (text: string, findProblems: FindProblems, inEnvelope: boolean): ReadAnswer => {
  const answer = parsed(text);
  if (answer === undefined) return { ok: false, problems: ['the answer is not JSON, or nested too deep'] };
  if (!inEnvelope) return checked(answer.json, [], findProblems);
  const { json } = answer;
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'data'))
    return { ok: false, problems: ['the answer must be an object with "data" and "passages"'] };
  const { data, passages } = json as { readonly data: unknown; readonly passages?: unknown };
  const numbers = Array.isArray(passages) ? passages.filter((number) => Number.isInteger(number)) : [];
  return checked(data, numbers, findProblems);
};

const checked = (data: unknown, passages: readonly number[], findProblems: FindProblems): ReadAnswer => {
  const problems = findProblems(data);
  return problems.length === 0 ? { ok: true, data, passages } : { ok: false, problems };
};

/** Models without schema enforcement often put JSON into a Markdown code fence. */
const parsed = (text: string): { readonly json: unknown } | undefined => {
  const body = text.trim();
  const inner = /^```(?:json)?\n([^]*)\n```$/.exec(body)?.[1] ?? body;
  try {
    const json: unknown = JSON.parse(inner);
    return isShallow(json) ? { json } : undefined;
  } catch {
    return undefined;
  }
};

/** Deeper JSON could be neither validated nor serialized. */
const MAX_LEVELS = 100;
const isShallow = (json: unknown): boolean => {
  let level: readonly unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return false;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return true;
};

export type Extract = (caller: Caller, request: ExtractRequest, signal: AbortSignal) => Promise<Extraction>;

/** Maximum characters of an answer. */
const MAX_ANSWER = 200_000;
const INVALID_AFTER_REDACTION = 'the extracted data no longer conforms to the schema after redaction';

/**
 * Extracts data by a schema from contents that the caller may see. If the answer is invalid, the model is asked once
 * to correct it.
 *
 * @throws DomainError not_configured without a model that supports schemas; schema_invalid; not_found, filter_invalid,
 *   authz_policy_not_found; invalid_request when the contents do not fit in the context window
 * @throws ProviderError also when the second answer is invalid, or the data is invalid after redaction;
 *   ProviderTimeout
 */
export const createExtract =
  (deps: ExtractDeps): Extract =>
  async (caller, request, signal) => {
    try {
      return await extract(deps, caller, request, signal);
    } catch (error) {
      if (!signal.aborted) logProviderFailure(deps.log, 'language model', error);
      throw error;
    }
  };

const extract = async (
  deps: ExtractDeps,
  caller: Caller,
  request: ExtractRequest,
  signal: AbortSignal,
): Promise<Extraction> => {
  const { model, maxTokens, schemas, ids } = deps;
  if (!model.structuredOutput) {
    throw new DomainError('not_configured', 'extraction needs a language model, and none is set up here');
  }
  const findProblems = schemas.compile(request.schema);
  // Before the model is called: when the policies cannot be read, it must not be called.
  const rules = await deps.rulesFor(caller.tenant);
  const contents = await readContents(deps, caller, request);
  const { citation } = request;
  const responseSchema = citation ? envelopeOf(request.schema) : request.schema;
  const { messages, passages, maxOutputTokens } = extractionPrompt({
    answerSchema: responseSchema,
    prompt: request.prompt,
    passages: contents,
    citation,
    nonce: ids.newId().replaceAll('-', '').slice(-12),
    contextWindow: model.contextWindow,
    maxTokens,
    requireAll: request.from.kind !== 'search',
  });
  const modelRequest = { messages, responseSchema, maxOutputTokens };
  let reply = await ask(deps, modelRequest, signal);
  let { usage } = reply;
  let read = readAnswer(reply.text, findProblems, citation);
  if (!read.ok && reply.reason === 'stop') {
    const again = [...messages, ...repairMessages(reply.text, read.problems)];
    reply = await ask(deps, { ...modelRequest, messages: again }, signal);
    usage = sumUsage(usage, reply.usage);
    read = readAnswer(reply.text, findProblems, citation);
  }
  if (!read.ok) throw unfit(reply.reason);
  const data = redactData(read.data, rules);
  if (findProblems(data).length > 0) throw failed(INVALID_AFTER_REDACTION);
  const named = new Set(read.passages);
  return {
    data,
    citations: contents.slice(0, passages).filter((_, index) => named.has(index + 1)),
    finishReason: reply.reason,
    model: model.name,
    usage,
  };
};

/** Null if one part is unknown, because half of a sum would look like the whole. */
const sumUsage = (one: ModelUsage | null, other: ModelUsage | null): ModelUsage | null =>
  one === null || other === null
    ? null
    : {
        inputTokens: one.inputTokens + other.inputTokens,
        outputTokens: one.outputTokens + other.outputTokens,
      };

interface Reply {
  readonly text: string;
  readonly reason: FinishReason;
  readonly usage: ModelUsage | null;
}

const ask = async ({ model }: ExtractDeps, request: ModelRequest, signal: AbortSignal): Promise<Reply> => {
  let text = '';
  for await (const event of model.stream(request, signal)) {
    if (event.kind === 'tool_call' || event.kind === 'reasoning') continue; // no tools are offered
    if (event.kind === 'finish') {
      mustNotBeEmpty(text, event.reason);
      return { text, reason: event.reason, usage: event.usage };
    }
    text += event.text;
    if (text.length > MAX_ANSWER) throw failed('the answer of the model is too long');
  }
  throw failed('the model ended without a finish');
};

const unfit = (reason: FinishReason): ProviderError => {
  switch (reason) {
    case 'stop':
      return failed(
        'the answers of the model did not conform to the schema, even after a request to correct them',
      );
    case 'length':
      return failed('the answer of the model was cut: extract from less, or ask for less');
    case 'content_filter':
      return failed('the provider of the language model withheld the answer');
  }
};

const failed = (message: string): ProviderError => new ProviderError(message, { retryable: false });
