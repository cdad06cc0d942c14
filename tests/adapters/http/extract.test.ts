import { snakeKeys } from '../../../domain/shared/key-case.ts';
import { describe, expect, it } from 'vitest';
import type { ExtractRequest } from '../../../application/answers/extract/extraction.ts';
import { ProviderError } from '../../../application/ports/language-model.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { content, ID, OTHER_ID } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const PATH = '/api/v1/extract';
const schema = { type: 'object', properties: { begins: { type: 'boolean' } } };
const asking = async () => {
  const asked: ExtractRequest[] = [];
  const app = await runApp((fakes) => ({
    extract: (caller, request, signal) => {
      asked.push(request);
      return fakes.extract(caller, request, signal);
    },
  }));
  return {
    asked,
    post: (body: object, key?: string) => app.ask('POST', PATH, { body, ...(key && { key }) }),
  };
};

describe('POST /extract', () => {
  it('answers data and citations', async () => {
    const { asked, post } = await asking();
    const answer = await post({ schema, source_ids: [ID], prompt: 'Where?', principal_id: 'jo' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      data: { begins: true },
      citations: [snakeKeys(content)],
      finish_reason: 'stop',
      model: 'small-1',
    });
    expect(asked).toEqual([
      {
        schema,
        prompt: 'Where?',
        from: { kind: 'sources', ids: [ID] },
        citation: true,
        onBehalfOf: { principalId: 'jo' },
      },
    ]);
  });

  it('takes contents by their ids, or a query with filters', async () => {
    const { asked, post } = await asking();
    expect((await post({ schema, content_ids: [OTHER_ID], citation: false })).status).toBe(200);
    const search = { query: 'how', limit: 5, file_types: ['html'], authz_policy: 'default' };
    expect((await post({ schema, ...search })).status).toBe(200);
    expect(asked.map(({ from }) => from)).toMatchObject([
      { kind: 'contents', ids: [OTHER_ID] },
      { kind: 'search', query: 'how', limit: 5, usePostfilter: false, filter: { fileTypes: ['html'] } },
    ]);
    expect(asked.map(({ citation }) => citation)).toEqual([false, true]);
    expect(asked[1]!.onBehalfOf).toEqual({ authzPolicy: 'default' });
  });

  it.each([
    ['nothing to read', {}, 400, 'invalid_request'],
    ['two of them', { source_ids: [ID], query: 'how' }, 400, 'invalid_request'],
    ['a filter without a query', { source_ids: [ID], tags: ['a'] }, 400, 'invalid_request'],
    ['too many sources', { source_ids: Array(21).fill(ID) }, 400, 'invalid_request'],
    ['too many contents', { content_ids: Array(201).fill(ID) }, 400, 'invalid_request'],
    ['no ids', { source_ids: [] }, 400, 'invalid_request'],
    ['an id that is none', { source_ids: ['1'] }, 400, 'invalid_id'],
    ['a blank query', { query: ' ' }, 400, 'invalid_request'],
    ['a schema that is no object', { source_ids: [ID], schema: true }, 400, 'invalid_request'],
    ['an unknown source', { source_ids: ['0199d2a0-0000-7000-8000-0000000000aa'] }, 404, 'not_found'],
  ])('refuses %s', async (_what, more, status, type) => {
    const { post } = await asking();
    const answer = await post({ schema, ...more });
    expect([answer.status, answer.json().error.type]).toEqual([status, type]);
  });

  it.each([
    [422, 'schema_invalid', new DomainError('schema_invalid', 'schema: pattern is refused')],
    [422, 'not_configured', new DomainError('not_configured', 'extraction needs a language model')],
    [502, 'provider_error', new ProviderError('it does not fit', { retryable: false })],
  ])('answers %i %s', async (status, type, error) => {
    const app = await runApp(() => ({ extract: () => Promise.reject(error) }));
    const answer = await app.ask('POST', PATH, { body: { schema, source_ids: [ID] } });
    expect([answer.status, answer.json().error]).toEqual([status, { type, message: error.message }]);
  });

  it('needs the scope for inference', async () => {
    const { post } = await asking();
    expect((await post({ schema, source_ids: [ID] }, 'kn_knowledge:read')).status).toBe(403);
    expect((await post({ schema, source_ids: [ID] }, 'kn_inference:run')).status).toBe(200);
  });
});
