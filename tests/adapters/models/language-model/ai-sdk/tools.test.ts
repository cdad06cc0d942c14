import { describe, expect, it } from 'vitest';
import { sends } from '../../../../support/model-interfaces/interface.ts';
import { CONTRACT_CALLS } from '../../../contracts/language-model.ts';
import { SDK_INTERFACES, open, REQUEST } from '../open-model.ts';

const TOOLS = [
  {
    name: 'look_up',
    description: 'Looks up.',
    parameters: { type: 'object', properties: { word: { type: 'string' } } },
  },
];

describe.each(SDK_INTERFACES)('tools of %s', (_name, wire) => {
  it('are offered by name, and what the model says before its calls is said', async () => {
    const { ask, provider } = await open(wire);
    provider.next.push(sends(wire, wire.calls(CONTRACT_CALLS, 'Wait.')));
    const events = await ask({ tools: TOOLS });
    expect(wire.read(provider.asked[0]!).tools).toEqual(['look_up']);
    expect(events[0]).toEqual({ kind: 'delta', text: 'Wait.' });
  });

  it('are not called by a model that was offered none', async () => {
    const { ask, provider } = await open(wire);
    provider.next.push(sends(wire, wire.calls(CONTRACT_CALLS, 'Wait.')));
    expect((await ask()).map(({ kind }) => kind)).toEqual(['delta', 'finish']);
  });

  it('have their calls and results sent back, with what the provider wants to see again', async () => {
    const { ask, provider } = await open(wire);
    provider.next.push(sends(wire, wire.calls(CONTRACT_CALLS, 'Wait.')));
    const called = (await ask({ tools: TOOLS })).flatMap((event) =>
      event.kind === 'tool_call' ? [event] : [],
    );
    const toolCalls = called.map(({ kind: _kind, ...call }) => call);
    const results = toolCalls.map(({ id }, i) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: `Result ${i}.`,
    }));
    const asked = { role: 'assistant' as const, content: 'Wait.', toolCalls };
    await ask({ tools: TOOLS, messages: [...REQUEST.messages, asked, ...results] });
    const sent = wire.read(provider.asked[1]!);
    expect(sent.turns.map(({ role, hasTools }) => [role, hasTools])).toEqual([
      ['user', undefined],
      ['assistant', true],
      ['user', true],
    ]);
    expect(sent.results.map((text) => /Result \d/.exec(text)?.[0])).toEqual(['Result 0', 'Result 1']);
    const signed = JSON.stringify(provider.asked[1]!.body).includes('c2lnbmVk');
    expect(signed).toBe(wire.name === 'google');
  });
});
