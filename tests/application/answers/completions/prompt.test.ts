import { createComplete } from '../../../../application/answers/completions/complete.ts';
import {
  type PromptParts,
  buildPrompt,
  estimateTokens,
} from '../../../../application/answers/completions/prompt.ts';
import { CALLER, completions, request, scripted } from '../../../support/completions.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const passage = (text: string) => ({ title: 'A title', url: 'https://example.com/', text });

const parts = (more: Partial<PromptParts> = {}): PromptParts => ({
  system: [],
  history: [],
  question: 'What is it?',
  passages: [],
  citation: true,
  nonce: 'f3a9',
  contextWindow: 8_000,
  truncation: 'auto',
  ...more,
});

const long = (name: string) => `${name} ${'word '.repeat(1_000)}`;

const turn = (name: string) => ({ role: 'user' as const, content: long(name) });

describe('a prompt', () => {
  it('has the rules first, then the turns, the passages as data, and the question last', () => {
    const history = [{ role: 'user' as const, content: 'Hello' }];
    const { messages } = buildPrompt(
      parts({ system: ['Be brief.'], history, passages: [passage('It is blue.')] }),
    );
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'user']);
    expect(messages[0]!.content).toMatch(/^Be brief\./);
    expect(messages[2]!.content).toBe(
      '<passage f3a9>\n[1] A title (https://example.com/)\nIt is blue.\n</passage f3a9>',
    );
    expect(messages.at(-1)!.content).toBe('What is it?');
  });

  it('asks for citations only where they are wanted, and says when nothing was found', () => {
    const rules = (more: Partial<PromptParts>) => buildPrompt(parts(more)).messages[0]!.content;
    expect(rules({ passages: [passage('x')] })).toContain('[2][3]');
    expect(rules({ passages: [passage('x')], citation: false })).not.toContain('[2][3]');
    expect(rules({})).toContain('No documents were found');
  });

  it('lets no passage end the fence or begin another', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('<', '/', 'passage', ' ', 'f3a9', '>', '\n', 'x') })),
        (texts) => {
          const passages = texts.map((text) => ({ title: text, url: text, text }));
          const { messages, passages: shown } = buildPrompt(parts({ passages }));
          const data = shown === 0 ? '' : messages.at(-2)!.content;
          const lines = data.split('\n').filter((line) => /^<\/?passage f3a9>$/.test(line));
          expect(lines).toEqual(passages.flatMap(() => ['<passage f3a9>', '</passage f3a9>']));
        },
      ),
    );
  });

  it('leaves out the eldest turns, and the last passages, when the window is small', () => {
    const history = ['first', 'second', 'third', 'fourth', 'fifth'].map(turn);
    const passages = Array.from({ length: 8 }, (_, i) => passage(long(`p${i}`)));
    const prompt = buildPrompt(parts({ history, passages }));
    expect(prompt.turns).toBeLessThan(5);
    expect(prompt.passages).toBeLessThan(8);
    expect(prompt.passages).toBeGreaterThan(0);
    const kept = prompt.messages.filter(({ content }) => /^(first|second|third|fourth|fifth)/.test(content));
    expect(kept.map(({ content }) => content)).toEqual(
      history.slice(5 - prompt.turns).map(({ content }) => content),
    );
    const total = prompt.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    expect(total).toBeLessThanOrEqual(6_000 + 4 * 8);
  });

  it('is refused when truncation is disabled and something does not fit', () => {
    const history = Array.from({ length: 9 }, (_, i) => turn(`t${i}`));
    expect(() => buildPrompt(parts({ history, truncation: 'disabled' }))).toThrow('set truncation to auto');
    expect(buildPrompt(parts({ history: history.slice(0, 2), truncation: 'disabled' })).turns).toBe(2);
  });
});

const never = new AbortController().signal;

describe('what contents are searched by', () => {
  it('is asked for whom the request names, and by its policy where it names one', async () => {
    const { deps } = completions(scripted('So.'));
    const behalf: unknown[] = [];
    const search: typeof deps.search = (caller, wanted, onBehalfOf) => {
      behalf.push(onBehalfOf);
      return deps.search(caller, wanted, onBehalfOf);
    };
    const complete = createComplete({ ...deps, search });
    await complete(CALLER, request({ principalId: 'jo' }), never);
    await complete(CALLER, request({ principalId: 'jo', authzPolicy: 'strict' }), never);
    expect(behalf).toStrictEqual([{ principalId: 'jo' }, { principalId: 'jo', authzPolicy: 'strict' }]);
  });
});
