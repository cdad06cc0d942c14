import type { ModelMessage, ModelRequest } from '../../../../application/ports/language-model.ts';
import { readArguments } from '../provider/tool-arguments.ts';
import type { SdkMessage, SdkPrompt, SdkRequest } from './sdk-model.ts';

/**
 * A request as the SDK's models take it. Instructions hold for all of the conversation and come first, as one: the
 * providers refuse others. So do they blank messages, and a conversation that begins with an answer, as one has whose
 * eldest question was left out: neither is sent.
 */
export const callOptions = ({
  messages,
  tools = [],
  maxOutputTokens,
  temperature,
  responseSchema,
}: ModelRequest): Omit<SdkRequest, 'abortSignal'> => {
  const said = messages.filter((message) => message.content.trim() !== '' || isOfTools(message));
  const system = said.filter(({ role }) => role === 'system').map(({ content }) => content);
  const turns = said.filter(({ role }) => role !== 'system');
  const first = turns.findIndex(({ role }) => role === 'user');
  const names = new Map(
    turns.flatMap((turn) => callsOf(turn).map(({ id, name }): [string, string] => [id, name])),
  );
  const prompt = resultsTogether(turns.slice(Math.max(0, first)).map((turn) => sdkMessage(turn, names)));
  return {
    prompt: system.length === 0 ? prompt : [{ role: 'system', content: system.join('\n\n') }, ...prompt],
    includeRawChunks: true,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: parameters,
      })),
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(responseSchema !== undefined && {
      responseFormat: { type: 'json', name: 'answer', schema: responseSchema },
    }),
  };
};

const callsOf = (message: ModelMessage) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []);

const isOfTools = (message: ModelMessage): boolean => message.role === 'tool' || callsOf(message).length > 0;

/** Gemini takes the results of calls that were asked for together in one message alone. */
const resultsTogether = (prompt: SdkPrompt): SdkPrompt => {
  const merged: SdkPrompt = [];
  for (const message of prompt) {
    const before = merged.at(-1);
    if (message.role === 'tool' && before?.role === 'tool') before.content.push(...message.content);
    else merged.push(message);
  }
  return merged;
};

/** @param names of the tools, by the ids of their calls: some providers want them with the results */
const sdkMessage = (message: ModelMessage, names: ReadonlyMap<string, string>): SdkMessage => {
  const { role, content } = message;
  if (role === 'tool') {
    const { toolCallId } = message;
    const output = { type: 'text' as const, value: content };
    const toolName = names.get(toolCallId) ?? 'unknown';
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }] };
  }
  const text = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }];
  if (role !== 'assistant') return { role: 'user', content: text };
  const calls = callsOf(message).map(({ id, name, arguments: given, signature }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: readArguments(given) ?? {},
    ...(signature !== undefined && { providerOptions: JSON.parse(signature) as SignedOptions }),
  }));
  return { role, content: [...text, ...calls] };
};

type SignedOptions = NonNullable<SdkMessage['providerOptions']>;
