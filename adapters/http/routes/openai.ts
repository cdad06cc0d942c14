import Type from 'typebox';
import { type Caller, ownPrincipal } from '../../../application/access/caller.ts';
import type {
  Cited,
  Completion,
  RunningCompletion,
} from '../../../application/answers/completions/completion.ts';
import type { ModelOffer } from '../../../application/answers/completions/model-choice.ts';
import { type Links, linksFrom } from '../../../application/agents/tools/links.ts';
import { type Embedder, EmbedderUnavailable, EmbeddingRefused } from '../../../application/ports/embedder.ts';
import type { ContentRecord } from '../../../application/ports/catalog.ts';
import type { Clock } from '../../../application/ports/identity.ts';
import { ok } from '../json-response.ts';
import { type CitedPage, type CitedText, createCitedText, withoutLinks } from '../openai/cited-text.ts';
import { withOwnPrincipal } from '../own-principal.ts';
import { HttpProblem } from '../problem.ts';
import { type AnyRoute, route, STREAMED } from '../route.ts';
import { CompletionCreate } from '../schemas/completion.ts';
import { ChatCreate, EmbeddingsCreate } from '../schemas/openai.ts';
import { EVENT_STREAM, orReason, prepareStream, reasonOr, type StreamResponse } from '../stream-response.ts';
import type { CreateCheck } from '../validation.ts';
import { type CompletionRouteDeps, failureOf, requestOf } from './completions.ts';
import type { Request } from 'express';

export interface OpenAiRouteDeps extends CompletionRouteDeps {
  readonly offer: ModelOffer;
  /** Null when no model of embeddings is configured. */
  readonly embedder: Embedder | null;
  readonly clock: Clock;
  readonly check: CreateCheck;
  readonly publicUrl?: string | undefined;
  /** Whether the console is served, where people read cited documents. */
  readonly hasConsole: boolean;
  /** Whether citations in a text are links, with a list of sources behind it. */
  readonly linksCitations: boolean;
}

export const OPENAI_PATH = '/v1';
/** The model that answers from the knowledge base by whatever the service answers with. */
const OWN_MODEL = 'knowledger';

/**
 * The API of OpenAI over the knowledge base: for clients that know a base URL, a key and a model. Requests may have the
 * fields of `POST /completions` beside their own, such as `source_group_ids` and `citation`.
 */
export const openAiRoutes = (deps: OpenAiRouteDeps): readonly AnyRoute[] => {
  const checkCompletion = deps.check(CompletionCreate, 'body');
  const completionOf = (caller: Caller, body: ChatCreate): CompletionCreate => {
    const asked = askedOf(caller, body, deps.offer);
    checkCompletion(asked);
    return withOwnPrincipal(caller, CompletionCreate, asked as unknown as CompletionCreate);
  };
  const models = [OWN_MODEL, ...(deps.offer.isConfigured ? deps.offer.models.map(({ name }) => name) : [])];
  const common = { tag: 'openai', description: '' } as const;
  return [
    route({
      ...common,
      scope: 'inference:run',
      method: 'post',
      path: '/chat/completions',
      operationId: 'createChatCompletion',
      summary: 'Answer a question from the contents, in the form of OpenAI',
      body: ChatCreate,
      inTurn: true,
      idempotent: true,
      reads: ['catalog', 'tag'],
      answers: { 200: Type.Unknown() },
      handler: async ({ caller, body, idempotencyKey, leaveTurn, req, res }) => {
        const request = completionOf(caller, body);
        const stream = prepareStream(req, res, deps.stop.refusing);
        return orReason(stream, async () => {
          const running = await deps.complete(caller, requestOf(request), stream.signal, idempotencyKey);
          leaveTurn();
          if (running.replayed) res.setHeader('idempotent-replayed', 'true');
          const chat = chatOf(running.assistantMessageId, request.model ?? OWN_MODEL, deps.clock.now());
          const said = createCitedText(deps.linksCitations);
          const pieces = piecesOf(running, said, linksOf(req, deps));
          if (body.stream !== true) {
            let content = '';
            for await (const piece of pieces) {
              content += piece.content;
              if (piece.completion !== undefined)
                return ok(chat.whole(piece.completion, content, said.annotations()));
            }
            throw new Error('a completion ended without an answer');
          }
          await sendChunks(stream, deps.keepAliveMs, async function* chunks() {
            yield chat.chunk({ role: 'assistant', content: '' });
            try {
              for await (const { content, completion } of pieces) {
                const annotations = completion === undefined ? [] : said.annotations();
                if (content !== '' || annotations.length > 0)
                  yield chat.chunk({ content, ...(annotations.length > 0 && { annotations }) });
                if (completion === undefined) continue;
                yield chat.chunk({}, completion.choices[0].finishReason);
                if (body.stream_options?.include_usage === true)
                  yield { ...chat.chunk({}), choices: [], usage: usageOf(completion) };
              }
              yield '[DONE]';
            } catch (error) {
              const { message, code } = failureOf(reasonOr(stream.signal, error), deps.log);
              yield { error: { message, type: code, code } };
            }
          });
          return STREAMED;
        });
      },
    }),
    route({
      ...common,
      scope: 'inference:run',
      method: 'get',
      path: '/models',
      operationId: 'listModels',
      summary: 'The models that answer',
      answers: { 200: Type.Unknown() },
      handler: async () => ok({ object: 'list', data: models.map(modelRecord) }),
    }),
    route({
      ...common,
      scope: 'inference:run',
      method: 'get',
      path: '/models/{model}',
      operationId: 'getModel',
      summary: 'A model that answers',
      answers: { 200: Type.Unknown() },
      handler: async ({ params: { model = '' } }) => {
        if (!models.includes(model)) throw noModel(models);
        return ok(modelRecord(model));
      },
    }),
    route({
      ...common,
      scope: 'inference:run',
      method: 'post',
      path: '/embeddings',
      operationId: 'createEmbeddings',
      summary: 'Vectors of texts, by the model that embeds the contents',
      body: EmbeddingsCreate,
      inTurn: true,
      answers: { 200: Type.Unknown() },
      handler: async ({ body, req, res }) => {
        const { embedder } = deps;
        if (embedder === null)
          throw new HttpProblem('not_configured', 'no model of embeddings is set up here');
        if (body.model !== OWN_MODEL && body.model !== embedder.model) throw noModel([embedder.model]);
        const { signal } = prepareStream(req, res, deps.stop.refusing);
        const vectors = await embedded(embedder, [body.input].flat(), body.input_type ?? 'document', signal);
        const encode = body.encoding_format === 'base64' ? inBase64 : (vector: Float32Array) => [...vector];
        const data = vectors.map((vector, index) => ({
          object: 'embedding',
          index,
          embedding: encode(vector),
        }));
        return ok({ object: 'list', model: embedder.model, data });
      },
    }),
  ];
};

/** The text of an answer as its readers get it, in pieces; the last one comes with the whole completion. */
async function* piecesOf(
  { events }: RunningCompletion,
  said: CitedText,
  linkOf: (content: ContentRecord) => string,
): AsyncGenerator<{ readonly content: string; readonly completion?: Completion }> {
  for await (const event of events) {
    if (event.kind === 'delta') yield { content: said.push(event.text, pagesOf(event.cited, linkOf)) };
    if (event.kind === 'finished') yield { content: said.end(), completion: event.completion };
  }
}

const embedded = async (
  embedder: Embedder,
  texts: readonly string[],
  kind: 'document' | 'query',
  signal: AbortSignal,
): Promise<readonly Float32Array[]> => {
  try {
    return await embedder.embed(texts, kind, signal);
  } catch (error) {
    if (error instanceof EmbeddingRefused) throw new HttpProblem('invalid_request', error.message);
    if (error instanceof EmbedderUnavailable) throw new HttpProblem('provider_error', error.message);
    throw error;
  }
};

const inBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const modelRecord = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'knowledger' });
const noModel = (models: readonly string[]): HttpProblem =>
  new HttpProblem('not_found', `model must be one of ${models.join(', ')}`);

/** Messages before the last ones are too many for every window. */
const MAX_MESSAGES = 200;

/** The request as the fields of `POST /completions`, not yet checked. */
const askedOf = (caller: Caller, body: ChatCreate, offer: ModelOffer): Readonly<Record<string, unknown>> => {
  const given = body as Readonly<Record<string, unknown>>;
  const taken = Object.keys(CompletionCreate.properties).filter(
    (name) => !READ_HERE.has(name) && name in given,
  );
  // Of a person who has signed in it says nothing: that one asks.
  const isPrincipal =
    typeof body.user === 'string' && given['principal_id'] === undefined && ownPrincipal(caller) === null;
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  const isOffered = offer.isConfigured && offer.models.some(({ name }) => name === body.model);
  return {
    ...Object.fromEntries(taken.map((name) => [name, given[name]])),
    messages: body.messages.slice(-MAX_MESSAGES).flatMap(messageOf),
    // Programs that know no other API name its models: any other name is that of the knowledge base.
    ...(isOffered && { model: body.model }),
    // Clients send it to every model; one that only quotes has none.
    ...(typeof body.temperature === 'number' && offer.isConfigured && { temperature: body.temperature }),
    ...(typeof maxTokens === 'number' && { max_tokens: maxTokens }),
    ...(isPrincipal && { principal_id: body.user }),
  };
};
const READ_HERE = new Set(['messages', 'stream', 'model', 'temperature', 'max_tokens']);

/** Calls of tools are left out: none are offered. */
const messageOf = ({
  role,
  content,
}: ChatCreate['messages'][number]): readonly { readonly role: string; readonly content: string }[] => {
  if (role === 'tool' || role === 'function' || content === null || content === undefined) return [];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const other = parts.find(({ type }) => type !== 'text');
  if (other !== undefined)
    throw new HttpProblem(
      'invalid_request',
      `messages hold text only, not ${other.type}: upload files as sources`,
    );
  const text = parts.map((part) => part.text ?? '').join('\n');
  if (role === 'assistant') return [{ role, content: withoutLinks(text) }];
  return [{ role: role === 'developer' ? 'system' : role, content: text }];
};

/** The answers of one request, whole or in chunks. */
const chatOf = (messageId: string, model: string, now: number) => {
  const id = `chatcmpl-${messageId}`;
  return {
    whole: (
      { choices: [choice], created, ...of }: Completion,
      content: string,
      annotations: readonly unknown[],
    ) => ({
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null, annotations },
          logprobs: null,
          finish_reason: choice.finishReason,
        },
      ],
      usage: usageOf(of),
      conversation_id: of.conversationId,
    }),
    chunk: (delta: object, finishReason: string | null = null) => ({
      id,
      object: 'chat.completion.chunk',
      created: Math.floor(now / 1_000),
      model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    }),
  };
};

/** Null where the provider does not report it. */
const usageOf = ({ usage }: Pick<Completion, 'usage'>) =>
  usage && {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };

const KEEP_ALIVE_MS = 15_000;

const sendChunks = async (
  stream: StreamResponse,
  everyMs = KEEP_ALIVE_MS,
  chunks: () => AsyncIterable<object | string>,
): Promise<void> => {
  stream.start(EVENT_STREAM);
  const beat = setInterval(() => stream.writeIfIdle(': keep-alive\n\n'), everyMs);
  try {
    for await (const chunk of chunks()) {
      const data = typeof chunk === 'string' ? chunk : JSON.stringify(chunk);
      if (!(await stream.write(`data: ${data}\n\n`)) && stream.gone()) break;
    }
  } finally {
    clearInterval(beat);
  }
  stream.end();
};

/** Where people read a cited content: files that the service keeps are shown by the console, which asks for a key. */
const linksOf = (
  req: Request,
  { publicUrl, hasConsole }: OpenAiRouteDeps,
): ((content: ContentRecord) => string) => {
  const base = publicUrl ?? URL.parse(`${req.protocol}://${req.headers.host ?? ''}`)?.origin ?? '';
  const { external }: Links = linksFrom(base);
  return ({ url, sourceId }) =>
    hasConsole && url.startsWith('/') ? `${base}/console/documents/${sourceId}` : external(url);
};

const pagesOf = (
  cited: Cited | undefined,
  linkOf: (content: ContentRecord) => string,
): readonly CitedPage[] =>
  cited === undefined
    ? []
    : [
        ...cited.citations.map((content, i) => ({
          mark: `${i + 1}`,
          title: content.title,
          url: linkOf(content),
        })),
        ...cited.webCitations.map(({ title, url }, i) => ({ mark: `W${i + 1}`, title, url })),
      ];
