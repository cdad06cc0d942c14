import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capped } from '../../../../application/agents/loop/call-tools.ts';
import { passagesIn } from '../../../../domain/agent-loop/passages.ts';
import { passage } from '../../../support/agent/loops.ts';

const SAYS_SO = '(truncated: there was more than is shown)';

describe('a result that is too long', () => {
  it('is never longer than it may be, and only what it was', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 60, max: 400 }), (lines, most) => {
        const text = lines.join('\n');
        const { text: shown, truncated } = capped(text, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(truncated).toBe(text.length > most);
        if (!truncated) return;
        const kept = shown.slice(0, -SAYS_SO.length - 1);
        // The half of a character that is cut is a mark in its place.
        expect(text.startsWith(kept.replace(/\uFFFD$/, ''))).toBe(true);
      }),
    );
  });

  it('keeps a passage one, and shortens its text, to 200 characters at the least', () => {
    const words = 'Falcons hunt. '.repeat(200);
    const line = passage(7, { text: words });
    const shownOf = (most: number) => {
      const { text } = capped(line, most);
      const [found] = passagesIn('search', text);
      expect(text.endsWith(`\n${SAYS_SO}`)).toBe(true);
      expect(found).toMatchObject({ number: 7, contentId: 'content-7', url: 'https://docs.example/7' });
      expect(found!.text.endsWith('…') && words.startsWith(found!.text.slice(0, -1))).toBe(true);
      return { text, words: found!.text };
    };
    const { text } = shownOf(1_000);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text.length).toBeGreaterThan(900);
    expect(shownOf(250).words).toHaveLength(201);
    const split = capped(passage(1, { text: `${'x'.repeat(199)}${'🦅'.repeat(300)}` }), 100).text;
    expect(passagesIn('search', split)[0]!.text.isWellFormed()).toBe(true);
  });
});
