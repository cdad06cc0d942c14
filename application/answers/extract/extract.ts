import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import {
  type FinishReason,
  type ModelRequest,
  type ModelUsage,
  ProviderError,
  logProviderFailure,
} from '../../ports/language-model.ts';
import { mustSaySomething } from '../empty-answer.ts';
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

/** What the model answered, as far as it can be read. */
type ReadAnswer =
  | { readonly ok: true; readonly data: unknown; readonly passages: readonly number[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * The schema of the answer: the data, and beside them the numbers of the passages that they rest on. Definitions move to
 * the root, where the references to them lead.
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

/** Reads the answer with an envelope, or without one, where no citations are wanted. */
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

/** Models that are not held to a schema like to put JSON into a fence of Markdown. */
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

/** What is nested deeper could be neither checked nor written out. */
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

/** Characters of an answer that are read. */
const MAX_ANSWER = 200_000;
const WITHHELD = 'what was extracted does not fit the schema any more once it is redacted';

/**
 * Extracts data by a schema from contents that the caller may see. An answer that does not fit is sent back once, with
 * what is wrong.
 *
 * @throws DomainError not_configured without a model that knows schemas; schema_invalid; not_found, filter_invalid, authz_policy_not_found;
 *   invalid_request for more than the model can read at once
 * @throws ProviderError also where the second answer does not fit, or not when redacted; ProviderTimeout
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
  // Where the policies cannot be read, nothing is asked.
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
    whole: request.from.kind !== 'search',
  });
  const asked = { messages, responseSchema, maxOutputTokens };
  let said = await ask(deps, asked, signal);
  let { usage } = said;
  let read = readAnswer(said.text, findProblems, citation);
  if (!read.ok && said.reason === 'stop') {
    const again = [...messages, ...repairMessages(said.text, read.problems)];
    said = await ask(deps, { ...asked, messages: again }, signal);
    usage = together(usage, said.usage);
    read = readAnswer(said.text, findProblems, citation);
  }
  if (!read.ok) throw unfit(said.reason);
  const data = redactData(read.data, rules);
  if (findProblems(data).length > 0) throw failed(WITHHELD);
  const named = new Set(read.passages);
  return {
    data,
    citations: contents.slice(0, passages).filter((_, index) => named.has(index + 1)),
    finishReason: said.reason,
    model: model.name,
    usage,
  };
};

/** Half a sum would look like the whole of it. */
const together = (one: ModelUsage | null, other: ModelUsage | null): ModelUsage | null =>
  one === null || other === null
    ? null
    : {
        inputTokens: one.inputTokens + other.inputTokens,
        outputTokens: one.outputTokens + other.outputTokens,
      };

interface Said {
  readonly text: string;
  readonly reason: FinishReason;
  readonly usage: ModelUsage | null;
}

const ask = async ({ model }: ExtractDeps, request: ModelRequest, signal: AbortSignal): Promise<Said> => {
  let text = '';
  for await (const event of model.stream(request, signal)) {
    if (event.kind === 'tool_call') continue; // none is offered
    if (event.kind === 'finish') {
      mustSaySomething(text, event.reason);
      return { text, reason: event.reason, usage: event.usage };
    }
    text += event.text;
    if (text.length > MAX_ANSWER) throw failed('the model answered more than can be read');
  }
  throw failed('the model ended without a finish');
};

const unfit = (reason: FinishReason): ProviderError => {
  switch (reason) {
    case 'stop':
      return failed('the model did not answer by the schema, and not when it was asked again either');
    case 'length':
      return failed('the answer of the model was cut: extract from less, or ask for less');
    case 'content_filter':
      return failed('the provider of the language model withheld the answer');
  }
};

const failed = (message: string): ProviderError => new ProviderError(message, { retryable: false });
