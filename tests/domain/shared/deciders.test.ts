import { describe, expect, it } from 'vitest';
import { agentRun } from '../../../domain/agent-run/index.ts';
import { agentThread } from '../../../domain/agent-thread/index.ts';
import { apiKey } from '../../../domain/api-key/index.ts';
import { authzPolicy, authzSubject } from '../../../domain/authz/index.ts';
import { conversation } from '../../../domain/conversation/index.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../../domain/redaction/index.ts';
import { secret } from '../../../domain/secret/index.ts';
import { plainShape } from '../../../domain/shared/decider.ts';
import { source } from '../../../domain/source/index.ts';
import { tag } from '../../../domain/tag/index.ts';

describe('what stored streams and states are called', () => {
  it.each([
    [agentRun, 'agentRun', 'agent-run'],
    [agentThread, 'agentThread', 'agent-thread'],
    [apiKey, 'apiKey', 'apiKey'],
    [authzPolicy, 'authzPolicy', 'authzPolicy'],
    [authzSubject, 'authzSubject', 'authzSubject'],
    [conversation, 'conversation', undefined],
    [dataSource, 'dataSource', 'dataSource'],
    [ingestionSetting, 'ingestionSetting', 'ingestionSetting'],
    [redactionPolicy, 'redactionPolicy', 'redactionPolicy'],
    [secret, 'secret', 'secret'],
    [source, 'source', 'source'],
    [tag, 'tag', 'tag'],
  ])('is frozen: %#', ({ category, shape }, stream, state) => {
    expect([category, shape?.name]).toEqual([stream, state]);
  });
});

it('a state that JSON can hold is written as it is, and weighs as one', () => {
  const shape = plainShape<{ readonly count: number }>('counted', 7);
  const state = { count: 3 };
  expect(shape).toMatchObject({ name: 'counted', version: 7 });
  expect(shape.toJson(state)).toEqual(state);
  expect(shape.fromJson({ count: 3 })).toEqual(state);
  expect(shape.entries(state)).toBe(1);
});
