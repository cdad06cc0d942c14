import type { AskedCompletion } from '../model-provider.ts';
import type { SdkInterface } from './interface.ts';

const event = (data: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
};
const startBlock = (block: object, index = 0): string =>
  event({ type: 'content_block_start', index, content_block: block });
const start = (block: object): string =>
  event({ type: 'message_start', message: MESSAGE }) + startBlock(block) + event({ type: 'ping' });
const change = (delta: object, index = 0): string => event({ type: 'content_block_delta', index, delta });
const ends = (stopReason: string, outputTokens: number, blocks = 1): readonly string[] => [
  ...Array.from({ length: blocks }, (_, index) => event({ type: 'content_block_stop', index })),
  event({
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  }),
  event({ type: 'message_stop' }),
];

interface Body {
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly {
      readonly type: string;
      readonly text?: string;
      /** Of a result. */
      readonly content?: readonly { readonly text: string }[] | string;
    }[];
  }[];
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly output_config?: { readonly format?: { readonly schema: unknown } };
  readonly tools?: readonly { readonly name: string; readonly input_schema: unknown }[];
}
const bodyOf = ({ body }: AskedCompletion): Body => body as unknown as Body;

const SECRET = 'sk-ant-api03-secret-0123456789';

/** Anthropic's Messages, as server-sent events. */
export const anthropicInterface: SdkInterface = {
  name: 'anthropic',
  model: 'claude-sonnet-4-5',
  secret: SECRET,
  settings: (baseUrl) => ({ provider: 'anthropic', apiKey: SECRET, baseUrl }),
  contentType: 'text/event-stream; charset=utf-8',
  begins: [start({ type: 'text', text: '' })],
  piece: (text) => change({ type: 'text_delta', text }),
  ends: (reason = 'end_turn', tokens = 3) => ends(reason, tokens),
  reasons: { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' },
  thinks: (thought, text) => [
    start({ type: 'thinking', thinking: '', signature: '' }),
    change({ type: 'thinking_delta', thinking: thought }),
    change({ type: 'signature_delta', signature: 'c2lnbmVk' }),
    startBlock({ type: 'text', text: '' }, 1),
    change({ type: 'text_delta', text }, 1),
    ...ends('end_turn', 3, 2),
  ],
  fails: (message) => event({ type: 'error', error: { type: 'overloaded_error', message } }),
  garbage: [event({ type: 'message_start', message: 17 })],
  refusal: (status, message) => {
    const types: Record<number, string> = {
      400: 'invalid_request_error',
      401: 'authentication_error',
      429: 'rate_limit_error',
    };
    return [
      { 'request-id': 'req_1' },
      { type: 'error', error: { type: types[status] ?? 'api_error', message } },
    ];
  },
  read: (asked) => {
    const {
      system,
      messages,
      max_tokens: maxTokens,
      temperature,
      output_config: outputConfig,
      tools,
    } = bodyOf(asked);
    const { 'x-api-key': key, 'anthropic-version': version } = asked.headers;
    return {
      path: asked.path,
      authorized: key === SECRET && version === '2023-06-01' && maxTokens !== undefined,
      system: system?.map(({ text }) => text).join('|'),
      turns: messages.map(({ role, content }) => ({
        role,
        text: content.flatMap(({ text }) => text ?? []).join('|'),
        ...(content.some(({ type }) => type.startsWith('tool_')) && { hasTools: true }),
      })),
      maxTokens: maxTokens,
      temperature,
      schema: outputConfig?.format?.schema ?? tools?.find(({ name }) => name === 'json')?.input_schema,
      tools: (tools ?? []).map(({ name }) => name).filter((name) => name !== 'json'),
      results: (messages.at(-1)?.content ?? [])
        .filter(({ type }) => type === 'tool_result')
        .map(({ content = '' }) =>
          typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
        ),
    };
  },
  calls: (calls, text) => [
    start({ type: 'text', text: '' }),
    change({ type: 'text_delta', text }),
    ...calls.flatMap(({ id, name, arguments: given }, i) => [
      startBlock({ type: 'tool_use', id, name, input: {} }, i + 1),
      ...(given.match(/[^]{1,5}/g) ?? []).map((part) =>
        change({ type: 'input_json_delta', partial_json: part }, i + 1),
      ),
    ]),
    ...ends('tool_use', 5, calls.length + 1),
  ],
  // An older model is made to call a tool, whose arguments are the answer.
  inSchema: (json, asked) =>
    bodyOf(asked).tools === undefined
      ? undefined
      : [
          start({ type: 'tool_use', id: 'toolu_1', name: 'json', input: {} }),
          ...(json.match(/.{1,5}/gs) ?? []).map((partialJson) =>
            change({ type: 'input_json_delta', partial_json: partialJson }),
          ),
          ...ends('tool_use', 5),
        ],
};
