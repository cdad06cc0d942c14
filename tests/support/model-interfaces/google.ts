import type { SdkInterface } from './interface.ts';

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
    readonly parts: readonly {
      readonly text?: string;
      readonly functionCall?: object;
      readonly functionResponse?: { readonly response: unknown };
    }[];
  }[];
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly { readonly name: string }[];
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
export const googleInterface: SdkInterface = {
  name: 'google',
  model: 'gemini-2.5-flash',
  secret: SECRET,
  settings: (baseUrl) => ({ provider: 'google', apiKey: SECRET, baseUrl }),
  contentType: 'text/event-stream',
  begins: [],
  piece: (text) => chunk({ content: { role: 'model', parts: [{ text }] } }),
  ends: (finishReason = 'STOP', tokens = 3) => [
    chunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason }, tokens),
  ],
  reasons: { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' },
  calls: (calls, text) => [
    chunk({ content: { role: 'model', parts: [{ text }] } }),
    ...calls.map(({ name, arguments: given }) =>
      chunk({
        content: {
          role: 'model',
          parts: [
            { functionCall: { name, args: JSON.parse(given) as unknown }, thoughtSignature: 'c2lnbmVk' },
          ],
        },
      }),
    ),
    chunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }, 5),
  ],
  thinks: (thought, text) => [
    chunk({ content: { role: 'model', parts: [{ text: thought, thought: true }] } }),
    chunk({ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }, 3),
  ],
  fails: (message) => `data: ${JSON.stringify(error(503, message))}\r\n\r\n`,
  garbage: ['data: {"candidates": 17}\r\n\r\n'],
  refusal: (status, message) => [{}, error(status, message)],
  read: ({ path, headers, body }) => {
    const { systemInstruction, contents, generationConfig, tools = [] } = body as unknown as Body;
    return {
      path,
      authorized: headers['x-goog-api-key'] === SECRET,
      system: systemInstruction?.parts.map(({ text }) => text).join('|'),
      turns: contents.map(({ role, parts }) => ({
        role: role === 'model' ? 'assistant' : role,
        text: parts.flatMap(({ text }) => text ?? []).join('|'),
        ...(parts.some(({ text }) => text === undefined) && { hasTools: true }),
      })),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      results: (contents.at(-1)?.parts ?? []).flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
      ),
      maxTokens: generationConfig?.maxOutputTokens,
      temperature: generationConfig?.temperature,
      schema: generationConfig?.responseJsonSchema,
    };
  },
};
