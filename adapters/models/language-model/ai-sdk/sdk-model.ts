import type { AnthropicProvider } from '@ai-sdk/anthropic';

/** A model of the AI SDK, as each of its packages makes them: one request, one answer, no loop. */
type AnyModel = ReturnType<AnthropicProvider['languageModel']>;

/** What is used of it. */
export interface SdkModel extends Pick<AnyModel, 'doStream'> {
  readonly specificationVersion: string;
}

export type SdkRequest = Parameters<AnyModel['doStream']>[0];
export type SdkPrompt = SdkRequest['prompt'];
export type SdkMessage = SdkPrompt[number];

type Stream = Awaited<ReturnType<AnyModel['doStream']>>['stream'];
/** `raw`: an event of the provider, before what the SDK makes of it. */
export type SdkPart = Stream extends ReadableStream<infer Part> ? Part : never;
/** In `finishReason`, `raw` is the provider's own word: undefined where the stream ended without one. */
export type SdkFinish = Extract<SdkPart, { type: 'finish' }>;
export type SdkToolCall = Extract<SdkPart, { type: 'tool-call' }>;
