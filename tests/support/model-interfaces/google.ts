import type { ModelInterface } from './interface.ts';

const chunk = (candidate: object, tokens = 0): string =>
  `data: ${JSON.stringify({
    candidates: [{ index: 0, ...candidate }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: tokens, totalTokenCount: 7 + tokens },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r1',
  })}\r\n\r\n`;

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};
const error = (code: number, message: string) => ({ error: { code, message, status: STATUS[code] } });

interface Body {
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  readonly contents: readonly {
    readonly role: string;
    readonly parts: readonly { readonly text: string }[];
  }[];
  readonly generationConfig?: {
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: unknown;
  };
}

const SECRET = 'AIzaSyA-secret-0123456789';

/** Gemini's streamGenerateContent, as server-sent events. */
export const googleInterface: ModelInterface = {
  name: 'google',
  model: 'gemini-2.5-flash',
  secret: SECRET,
  settings: (baseUrl) => ({ provider: 'google', apiKey: SECRET, baseUrl }),
  contentType: 'text/event-stream',
  begins: [chunk({ content: { role: 'model', parts: [{ text: 'let me think', thought: true }] } })],
  piece: (text) => chunk({ content: { role: 'model', parts: [{ text }] } }),
  ends: (finishReason = 'STOP', tokens = 3) => [
    chunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason }, tokens),
  ],
  reasons: { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' },
  fails: (message) => `data: ${JSON.stringify(error(503, message))}\r\n\r\n`,
  garbage: ['data: {"candidates": 17}\r\n\r\n'],
  refusal: (status, message) => [{}, error(status, message)],
  read: ({ path, headers, body }) => {
    const { systemInstruction, contents, generationConfig } = body as unknown as Body;
    return {
      path,
      authorized: headers['x-goog-api-key'] === SECRET,
      system: systemInstruction?.parts.map(({ text }) => text).join('|'),
      turns: contents.map(({ role, parts }) => ({
        role: role === 'model' ? 'assistant' : role,
        text: parts.map(({ text }) => text).join('|'),
      })),
      maxTokens: generationConfig?.maxOutputTokens,
      temperature: generationConfig?.temperature,
      schema: generationConfig?.responseJsonSchema,
    };
  },
};
