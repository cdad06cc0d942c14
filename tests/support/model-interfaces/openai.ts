import { callParts, chunk, DONE, event, usageOf } from '../model-provider.ts';
import type { ModelInterface } from './interface.ts';

const SECRET = 'sk-secret-0123456789abcdef';

/** OpenAI's Chat Completions, as server-sent events. */
export const openAiInterface: ModelInterface<'openai'> = {
  name: 'openai',
  model: 'a-model',
  secret: SECRET,
  contentType: 'text/event-stream',
  begins: [chunk({ role: 'assistant', content: '' })],
  piece: (content) => chunk({ content }),
  ends: (reason = 'stop', tokens = 3) => [
    chunk({}, reason),
    event({ choices: [], usage: usageOf(tokens) }),
    DONE,
  ],
  reasons: { stop: 'stop', length: 'length', content_filter: 'content_filter' },
  calls: (calls, text) => callParts(calls, text),
  thinks: (thought, text) => [
    chunk({ role: 'assistant', content: '', reasoning_content: thought }),
    chunk({ content: text }, 'stop'),
    DONE,
  ],
  fails: (message) => event({ error: { code: 502, message } }),
  garbage: ['data: 17\n\n'],
  refusal: (_status, message) => [{}, { error: { message, type: 'server_error' } }],
  read: ({ path, headers, body }) => ({
    path,
    authorized: headers.authorization === `Bearer ${SECRET}`,
    system: body.messages.find(({ role }) => role === 'system')?.content,
    turns: body.messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        role,
        text: content ?? '',
        ...(content === null && { hasTools: true }),
      })),
    maxTokens: body.max_tokens,
    temperature: body['temperature'] as number | undefined,
    schema: body.response_format?.json_schema?.schema,
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    results: body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
  }),
};
