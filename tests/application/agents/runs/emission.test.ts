import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { collectText } from '../../../../application/agents/runs/collected-text.ts';
import { keptOf, type WholeEvent } from '../../../../application/agents/runs/emission.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';

const RULES = compileRules([{ name: 'mail', kind: 'email' }], textPatterns);
const JO = 'jo@example.org';
/** What is kept, with the text of the body read. */
const kept = (event: WholeEvent) => {
  const { emission, body } = keptOf(event, RULES);
  return { emission, body: body === null ? null : (JSON.parse(body) as unknown) };
};

describe('what is kept of something that happened in a run', () => {
  it('is the fact alone of a step, and of what was cited', () => {
    expect(kept({ kind: 'step', step: 2 })).toEqual({ emission: { kind: 'step', step: 2 }, body: null });
    expect(kept({ kind: 'citations', contentIds: ['a', 'b'] })).toEqual({
      emission: { kind: 'citations', contentIds: ['a', 'b'] },
      body: null,
    });
  });

  it('of an answer of a model is what it took, and nothing else of its provider; the message is a body', () => {
    const answered = { kind: 'model_answered', step: 1, model: 'small', finishReason: 'tool_calls' } as const;
    const usage = { inputTokens: 5, outputTokens: 7, address: 'secret' };
    const call = { id: 'c', name: 'mail.send', arguments: `{"to":"${JO}"}` };
    const message = { role: 'assistant', content: `to ${JO}`, toolCalls: [call] } as const;
    expect(kept({ ...answered, usage, message })).toEqual({
      emission: { ...answered, usage: { inputTokens: 5, outputTokens: 7 } },
      body: {
        message: {
          role: 'assistant',
          content: 'to [mail]',
          tool_calls: [{ id: 'c', name: 'mail.send', arguments: '{"to":"[mail]"}' }],
        },
      },
    });
    const plain = { role: 'assistant', content: 'Yes.' } as const;
    expect(kept({ ...answered, usage: null, message: plain })).toEqual({
      emission: { ...answered, usage: null },
      body: { message: plain },
    });
  });

  it('of an answer of a tool is how it came; what it says is a body, with its parts where it has some', () => {
    const answered = {
      kind: 'tool_answered',
      step: 1,
      callId: 'c',
      isError: true,
      truncated: false,
    } as const;
    const message = { role: 'tool', tool_call_id: 'c', content: 'to [mail]' };
    expect(kept({ ...answered, result: `to ${JO}` })).toEqual({ emission: answered, body: { message } });
    expect(kept({ ...answered, result: `to ${JO}`, structured: { to: JO } })).toEqual({
      emission: answered,
      body: { message, structured: { to: '[mail]' } },
    });
  });
});

describe('pieces of an answer that are collected', () => {
  it('are kept once, and as told once there were any', () => {
    const text = collectText(3, { ...RULES, rules: [] });
    expect([text.step, text.length(), text.take(), text.isTold()]).toEqual([3, 0, '', false]);
    text.push('It ');
    text.push('is so.');
    expect(text.length()).toBe(9);
    expect([text.take(), text.isTold(), text.length(), text.take()]).toEqual(['It is so.', true, 0, '']);
    expect(text.isTold()).toBe(true);
  });

  it('are held back where they may yet be forbidden, up to the end', () => {
    const text = collectText(1, RULES);
    text.push('Ask jo@exam');
    expect(text.take()).not.toContain('jo');
    text.push('ple.org');
    expect(text.takeAll()).toContain('[mail]');
    expect(text.takeAll()).toBe('');
  });
});
