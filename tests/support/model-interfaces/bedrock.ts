import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { SdkInterface } from './interface.ts';

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

/** One binary frame of AWS's event stream. */
export const frame = (kind: 'event' | 'exception', type: string, data: object): Uint8Array =>
  codec.encode({
    headers: {
      ':message-type': { type: 'string', value: kind },
      [`:${kind}-type`]: { type: 'string', value: type },
      ':content-type': { type: 'string', value: 'application/json' },
    },
    body: Buffer.from(JSON.stringify({ ...data, p: 'abcdef' })),
  });
const event = (type: string, data: object): Uint8Array => frame('event', type, data);
const ends = (stopReason: string, outputTokens: number, blocks = 1): readonly Uint8Array[] => [
  ...Array.from({ length: blocks }, (_, index) => event('contentBlockStop', { contentBlockIndex: index })),
  event('messageStop', { stopReason }),
  event('metadata', {
    usage: { inputTokens: 7, outputTokens, totalTokens: 7 + outputTokens },
    metrics: { latencyMs: 12 },
  }),
];

interface Body {
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly {
      readonly text?: string;
      readonly toolUse?: object;
      readonly toolResult?: { readonly content: readonly { readonly text: string }[] };
    }[];
  }[];
  readonly inferenceConfig?: { readonly maxTokens?: number; readonly temperature?: number };
  readonly toolConfig?: {
    readonly tools: readonly {
      readonly toolSpec: { readonly name: string; readonly inputSchema: { readonly json: unknown } };
    }[];
  };
}

const SECRET = 'wJalrXUtnFEMI-secret-0123456789';
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/;
const EXCEPTIONS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

/** Bedrock's ConverseStream, in binary frames. */
export const bedrockInterface: SdkInterface = {
  name: 'bedrock',
  model: 'amazon.nova-lite-v1:0',
  secret: SECRET,
  settings: (baseUrl) => ({
    provider: 'bedrock',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: SECRET },
    baseUrl,
  }),
  contentType: 'application/vnd.amazon.eventstream',
  begins: [event('messageStart', { role: 'assistant' })],
  piece: (text) => event('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
  ends: (reason = 'end_turn', tokens = 3) => ends(reason, tokens),
  reasons: { stop: 'end_turn', length: 'max_tokens', content_filter: 'guardrail_intervened' },
  thinks: (thought, text) => [
    event('messageStart', { role: 'assistant' }),
    event('contentBlockDelta', {
      contentBlockIndex: 0,
      delta: { reasoningContent: { text: thought } },
    }),
    event('contentBlockDelta', {
      contentBlockIndex: 0,
      delta: { reasoningContent: { signature: 'c2lnbmVk' } },
    }),
    event('contentBlockDelta', { contentBlockIndex: 1, delta: { text } }),
    ...ends('end_turn', 3, 2),
  ],
  fails: (message) => frame('exception', 'serviceUnavailableException', { message }),
  garbage: [Buffer.from(frame('event', 'messageStart', {}).map((byte, i) => (i === 40 ? 255 : byte)))],
  refusal: (status, message) => [
    { 'x-amzn-errortype': `${EXCEPTIONS[status]}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
    { message },
  ],
  read: ({ path, headers, body }) => {
    const { system, messages, inferenceConfig, toolConfig } = body as unknown as Body;
    const tools = (toolConfig?.tools ?? []).map(({ toolSpec }) => toolSpec);
    return {
      path,
      authorized: SIGNED.test(headers.authorization ?? '') && headers['x-amz-date'] !== undefined,
      system: system?.map(({ text }) => text).join('|'),
      turns: messages.map(({ role, content }) => ({
        role,
        text: content.flatMap(({ text }) => text ?? []).join('|'),
        ...(content.some(({ text }) => text === undefined) && { hasTools: true }),
      })),
      maxTokens: inferenceConfig?.maxTokens,
      temperature: inferenceConfig?.temperature,
      schema: tools.find(({ name }) => name === 'json')?.inputSchema.json,
      tools: tools.map(({ name }) => name).filter((name) => name !== 'json'),
      results: (messages.at(-1)?.content ?? []).flatMap(({ toolResult }) =>
        toolResult === undefined ? [] : [toolResult.content.map(({ text }) => text).join('')],
      ),
    };
  },
  calls: (calls, text) => [
    event('messageStart', { role: 'assistant' }),
    event('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
    ...calls.flatMap(({ id, name, arguments: given }, i) => [
      event('contentBlockStart', {
        contentBlockIndex: i + 1,
        start: { toolUse: { toolUseId: id, name } },
      }),
      ...(given.match(/[^]{1,5}/g) ?? []).map((input) =>
        event('contentBlockDelta', { contentBlockIndex: i + 1, delta: { toolUse: { input } } }),
      ),
    ]),
    ...ends('tool_use', 5, calls.length + 1),
  ],
  inSchema: (json) => [
    event('messageStart', { role: 'assistant' }),
    event('contentBlockStart', {
      contentBlockIndex: 0,
      start: { toolUse: { toolUseId: 'tooluse_1', name: 'json' } },
    }),
    ...(json.match(/.{1,5}/gs) ?? []).map((input) =>
      event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input } } }),
    ),
    ...ends('tool_use', 5),
  ],
};
