import { describe, expect, it } from 'vitest';
import { citedIn, passagesIn } from '../../../domain/agent-loop/passages.ts';
import { WORKFLOW_TYPES, workflowOf } from '../../../domain/agent-loop/workflows.ts';
import { assignment, messagesOf, passage, play, says } from '../../support/agent/loops.ts';

const rulesOf = (type: string, step: number, model = assignment().model) => {
  const script = [says('{"questions": ["a"]}')];
  const decision = play(workflowOf(type)!, assignment({ model }), script).decisions[step];
  return messagesOf(decision)[0]!.content;
};

describe('a workflow', () => {
  it('says what its model must be able to do, and which fields it reads', () => {
    const told = WORKFLOW_TYPES.map((type) => [type, workflowOf(type)!.needs, workflowOf(type)!.fields]);
    expect(told).toEqual([
      ['chat', null, []],
      ['research', 'toolUse', []],
      ['extract', 'structuredOutput', ['schema', 'max_sources']],
    ]);
  });

  const withoutTools = { ...assignment().model, toolUse: false };

  it.each([
    ['chat with tools', rulesOf('chat', 0), /tools/],
    ['chat without tools', rulesOf('chat', 1, withoutTools), /passages that were found/],
    ['research', rulesOf('research', 2), /Read more with your tools/],
  ])('tells the model to cite, and to make nothing up: %s', (_, rules, means) => {
    expect(rules).toMatch(means);
    expect(rules).toMatch(/After each statement.* like this: \[1\] or \[2\]\[3\]/);
    expect(rules).toMatch(/make nothing up|state nothing that no passage holds/);
    // A sentence that runs into the next one is read as one word.
    expect(rules).not.toMatch(/[.:][A-Z]/);
  });
});

describe('passages', () => {
  it.each(['search', 'get_content', 'ask'])('are shown by %s', (tool) => {
    expect(passagesIn(tool, passage(1))).toHaveLength(1);
  });

  it('are not cited in code that never ends', () => {
    expect(citedIn('So [1].\n```\nx[2]')).toEqual([1]);
  });
});
