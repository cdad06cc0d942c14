import { describe, expect, it } from 'vitest';
import { schemaCompiler } from '../../../../adapters/system/json-schema/schema-compiler.ts';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { createExtract } from '../../../../application/answers/extract/extract.ts';
import type { ExtractDeps } from '../../../../application/answers/extract/extraction.ts';
import { redactData } from '../../../../application/answers/extract/redact-data.ts';
import { type LanguageModel, type ModelEvent } from '../../../../application/ports/language-model.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { CALLER, contentOf, scripted } from '../../../support/completions.ts';
import { silent } from '../../../support/silent.ts';

const FITS = '{"data":{"n":1},"passages":[1]}';
const finish = (
  usage: readonly [number, number] | null,
  reason: 'stop' | 'length' | 'content_filter' = 'stop',
) =>
  ({
    kind: 'finish',
    reason,
    usage: usage && { inputTokens: usage[0], outputTokens: usage[1] },
  }) as const satisfies ModelEvent;

/** Asks a model that says these, one answer after the other. */
const extracting = (...answers: readonly (readonly (string | Error | ModelEvent)[])[]) => {
  const warned: unknown[] = [];
  const models = answers.map((answer) => scripted(...answer));
  let asked = 0;
  const model: LanguageModel = {
    ...scripted(),
    structuredOutput: true,
    stream: (...of) => models[(asked += 1) - 1]!.stream(...of),
  };
  const deps = {
    model,
    maxTokens: null,
    log: { ...silent, warn: (...line: unknown[]) => void warned.push(line) },
    schemas: schemaCompiler,
    rulesFor: async () => compileRules([], textPatterns),
    ids: { newId: () => '0199d2a0-0000-7000-8000-0123456789ab' },
    sources: { content: async () => contentOf(1) },
  } as unknown as ExtractDeps;
  const run = (signal = new AbortController().signal) => {
    const schema = { type: 'object', required: ['n'] };
    const from = { kind: 'contents', ids: [contentOf(1).id] } as const;
    return createExtract(deps)(CALLER, { schema, from, citation: true, onBehalfOf: {} }, signal);
  };
  return { run, warned, models, deps };
};

describe('an extraction', () => {
  it.each([
    [[5, 3], [7, 4], { inputTokens: 12, outputTokens: 7 }],
    [null, [7, 4], null],
    [[5, 3], null, null],
    [null, null, null],
  ] as const)('that took two answers of %j and %j tells of %j', async (one, other, usage) => {
    const { run } = extracting(['{}', finish(one)], [FITS, finish(other)]);
    expect((await run()).usage).toEqual(usage);
  });

  it.each([
    ['the model ended without a finish', [FITS, { kind: 'tool_call', id: 'c', name: 'x', arguments: '{}' }]],
    ['the answer of the model was cut: extract from less, or ask for less', ['{', finish(null, 'length')]],
    ['the provider of the language model withheld the answer', ['{', finish(null, 'content_filter')]],
    ['the model answered more than can be read', [' '.repeat(200_001), FITS, finish(null)]],
  ] as const)('fails as the provider does: %s', async (message, answer) => {
    await expect(extracting([...answer]).run()).rejects.toMatchObject({
      name: 'ProviderError',
      message,
      retryable: false,
    });
  });
});

it('data are redacted in every text, and in nothing else', () => {
  const data = { 'jo@example.com': [1, null, true, { a: 'to jo@example.com', b: null, c: 2.5 }] };
  const rules = compileRules([{ name: 'email', kind: 'email' }], textPatterns);
  expect(redactData(data, rules)).toEqual({
    '[email]': [1, null, true, { a: 'to [email]', b: null, c: 2.5 }],
  });
  expect(redactData(null, rules)).toBeNull();
  expect(redactData(data, compileRules([], textPatterns))).toEqual(data);
});
