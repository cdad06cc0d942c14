import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelTool } from '../../../../../application/ports/language-model.ts';
import { callsTools, chunk, DONE, raw } from '../../../../support/model-provider.ts';
import { open, REQUEST } from '../open-model.ts';
import { openAiInterface as wire } from '../../../../support/model-interfaces/openai.ts';

const TOOLS: readonly ModelTool[] = [
  { name: 'find', description: 'Finds.', parameters: { type: 'object', properties: {} } },
];
const callsIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => {
    if (event.kind !== 'tool_call') return [];
    const { kind: _, ...call } = event;
    return [call];
  });

/** What is made of these pieces of `delta.tool_calls`, each in a chunk of its own. */
const read = async (...pieces: readonly object[]) => {
  const { ask, provider } = await open(wire);
  const chunks = pieces.map((piece) => chunk({ tool_calls: [piece] }));
  provider.next.push(raw([...chunks, chunk({}, 'tool_calls'), DONE]));
  return callsIn(await ask({ tools: TOOLS }));
};

describe('calls of tools', () => {
  it('are put together from pieces that come in turns', async () => {
    const calls = [
      { id: 'a', name: 'find', arguments: '{"query": "peregrine falcons"}' },
      { id: 'b', name: 'find', arguments: '{}' },
    ];
    const { ask, provider } = await open(wire);
    provider.next.push(callsTools(calls));
    expect(callsIn(await ask({ tools: TOOLS }))).toEqual(calls);
  });

  it('are passed on as the model wrote them, though their arguments are no JSON and the tool is unknown', async () => {
    expect(await read({ index: 0, id: 'a', function: { name: 'nothing', arguments: '{"que' } })).toEqual([
      { id: 'a', name: 'nothing', arguments: '{"que' },
    ]);
  });

  it('are told apart where a server sends each whole, without an index or all with the same', async () => {
    const expected = [
      { id: 'a', name: 'find', arguments: '{"n":1}' },
      { id: 'b', name: 'find', arguments: '{"n":2}' },
    ];
    const whole = expected.map(({ id, ...function_ }) => ({ id, function: function_ }));
    expect(await read(...whole)).toEqual(expected);
    expect(await read(...whole.map((one) => ({ ...one, index: 0 })))).toEqual(expected);
  });

  it('get ids of their own where the server gives none, or the same to all', async () => {
    const piece = (index: number, id?: string) => ({
      index,
      id,
      function: { name: 'find', arguments: '{}' },
    });
    const ids = async (...ofCalls: readonly (string | undefined)[]) =>
      (await read(...ofCalls.map((id, index) => piece(index, id)))).map(({ id }) => id);
    expect(await ids(undefined, undefined)).toEqual(['call_1', 'call_2']);
    expect(await ids('x', 'x')).toEqual(['x', 'call_2']);
  });

  it('may bring arguments as an object, and the name with every piece', async () => {
    expect(
      await read(
        { index: 0, id: 'a', function: { name: 'find', arguments: { n: 1 } } },
        { index: 0, function: { name: 'find', arguments: '' } },
      ),
    ).toEqual([{ id: 'a', name: 'find', arguments: '{"n":1}' }]);
  });

  it('that are too many, or too long, are refused', async () => {
    const { fail, provider } = await open(wire, { limits: { maxCharacters: 20 } });
    provider.next.push(callsTools([{ id: 'a', name: 'find', arguments: `{"a": "${'x'.repeat(30)}"}` }]));
    expect((await fail()).error.message).toContain('over 20 characters');
    const many = Array.from({ length: 129 }, (_, i) => ({
      id: `${i}`,
      function: { name: 'f', arguments: '' },
    }));
    await expect(read(...many)).rejects.toThrow('more than 128 calls');
  });

  it('of an answer that breaks off are never told', async () => {
    const { ask, provider } = await open(wire, { retry: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0 } });
    provider.otherwise = raw([chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'find' } }] })]);
    await expect(ask({ tools: TOOLS })).rejects.toThrow('broke off');
  });
});

describe('a conversation with tools', () => {
  it('goes to the provider in its own names', async () => {
    const { ask, provider } = await open(wire);
    const call = { id: 'a', name: 'find', arguments: '{"n": 1}' };
    const messages = [
      ...REQUEST.messages,
      { role: 'assistant' as const, content: '', toolCalls: [call, { ...call, id: 'b', arguments: '{"n' }] },
      { role: 'tool' as const, toolCallId: 'a', content: 'One.' },
      { role: 'tool' as const, toolCallId: 'b', content: 'The arguments are no JSON.' },
    ];
    await ask({ messages, tools: TOOLS });
    const { tools, messages: sent } = provider.asked[0]!.body;
    expect(tools).toEqual([{ type: 'function', function: TOOLS[0] }]);
    const sentCall = (id: string, given: string) => ({
      id,
      type: 'function',
      function: { name: 'find', arguments: given },
    });
    expect(sent.slice(-3)).toEqual([
      { role: 'assistant', content: null, tool_calls: [sentCall('a', '{"n": 1}'), sentCall('b', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'One.' },
      { role: 'tool', tool_call_id: 'b', content: 'The arguments are no JSON.' },
    ]);
  });
});
