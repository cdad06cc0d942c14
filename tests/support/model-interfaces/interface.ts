import type { ServerResponse } from 'node:http';
import type { ProviderSettings } from '../../../adapters/models/language-model/ai-sdk/providers.ts';
import {
  raw,
  type AskedCompletion,
  type AskedTool,
  type ProviderAnswer,
  type RawOptions,
} from '../model-provider.ts';

type Bytes = string | Uint8Array;

/** What one provider sends, as it goes over the wire, for a server of `model-provider.ts` to send. */
export interface ModelInterface<Name extends string = string> {
  readonly name: Name;
  readonly model: string;
  readonly secret: string;
  readonly contentType: string;
  /** What comes before the first piece of text. */
  readonly begins: readonly Bytes[];
  readonly piece: (text: string) => Bytes;
  /** The end of an answer with so many tokens. `reason` is the provider's own word. */
  readonly ends: (reason?: string, tokens?: number) => readonly Bytes[];
  /** The words for "complete", "cut" and "withheld". */
  readonly reasons: { readonly stop: string; readonly length: string; readonly content_filter: string };
  /** A whole answer that asks for tools behind a text. */
  readonly calls: (calls: readonly AskedTool[], text: string) => readonly Bytes[];
  /** A whole answer behind thoughts that the interface tells apart. */
  readonly thinks: (thought: string, text: string) => readonly Bytes[];
  /** An overload in the midst of an answer. */
  readonly fails: (message: string) => Bytes;
  /** What comes in the right form and makes no sense. */
  readonly garbage: readonly Bytes[];
  /** Status, headers and body of an answer that is an error. */
  readonly refusal: (status: number, message: string) => readonly [Readonly<Record<string, string>>, unknown];
  /** What a request is, in the provider's own names. */
  readonly read: (asked: AskedCompletion) => ReadRequest;
  /** The whole answer to a request with a schema, where it is not the text. */
  readonly inSchema?: (json: string, asked: AskedCompletion) => readonly Bytes[] | undefined;
}

/** Of a provider that the AI SDK knows. */
export interface SdkInterface extends ModelInterface<'anthropic' | 'google' | 'bedrock'> {
  readonly settings: (baseUrl: string) => ProviderSettings;
}

export interface ReadRequest {
  readonly path: string;
  readonly authorized: boolean;
  readonly system: string | undefined;
  readonly turns: readonly { readonly role: string; readonly text: string; readonly hasTools?: boolean }[];
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly schema: unknown;
  /** Names of the tools that it offers, in order. */
  readonly tools: readonly string[];
  /** Of the last turn: what tools have answered. */
  readonly results: readonly string[];
}

/** These parts of an answer. */
export const sends = (
  wire: ModelInterface,
  parts: readonly Bytes[],
  options: Omit<RawOptions, 'contentType'> = {},
): ProviderAnswer => raw(parts, { contentType: wire.contentType, ...options });

/**
 * A whole answer, word by word; a word counts as a token. Where tools are offered it is `calls`, and then what they
 * answered. Requests that the provider would refuse are refused. */
export const says =
  (wire: ModelInterface, text: string, json = '{}', calls: readonly AskedTool[] = []): ProviderAnswer =>
  (asked, response) => {
    const { authorized, turns, maxTokens, schema, tools, results } = wire.read(asked);
    if (!authorized) return void refuses(wire, 401, 'who are you?')(asked, response);
    if (turns[0]?.role !== 'user' || turns.some((turn) => turn.text === '' && turn.hasTools !== true))
      return void refuses(wire, 400, 'not a conversation')(asked, response);
    if (tools.length > 0 && results.length === 0)
      return void sends(wire, wire.calls(calls, 'Wait.'))(asked, response);
    const whole = results.length > 0 ? results.join(' ') : schema === undefined ? text : json;
    const special = schema === undefined ? undefined : wire.inSchema?.(json, asked);
    const words = whole.match(/\s*\S+/g) ?? [];
    const kept = words.slice(0, maxTokens);
    const reason = kept.length < words.length ? wire.reasons.length : wire.reasons.stop;
    const parts = special ?? [...wire.begins, ...kept.map(wire.piece), ...wire.ends(reason, kept.length)];
    return void sends(wire, parts)(asked, response);
  };

/** An error as the provider tells it. */
export const refuses =
  (
    wire: ModelInterface,
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ): ProviderAnswer =>
  (_asked: AskedCompletion, response: ServerResponse): void => {
    const [own, body] = wire.refusal(status, message);
    response.writeHead(status, { 'content-type': 'application/json', ...own, ...headers });
    response.end(JSON.stringify(body));
  };
