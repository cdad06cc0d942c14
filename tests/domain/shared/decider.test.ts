import { expect, it, describe } from 'vitest';
import { agentRun } from '../../../domain/agent-run/index.ts';
import { agentThread } from '../../../domain/agent-thread/decider.ts';
import { apiKey } from '../../../domain/api-key/decider.ts';
import { authzPolicy, authzSubject } from '../../../domain/authz/decider.ts';
import { conversation } from '../../../domain/conversation/index.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../../domain/redaction/index.ts';
import { secret } from '../../../domain/secret/decider.ts';
import { source } from '../../../domain/source/decider.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { union } from '../../../domain/shared/reach.ts';

describe('the category of stored streams', () => {
  it.each([
    [agentRun, 'agentRun'],
    [agentThread, 'agentThread'],
    [apiKey, 'apiKey'],
    [authzPolicy, 'authzPolicy'],
    [authzSubject, 'authzSubject'],
    [conversation, 'conversation'],
    [dataSource, 'dataSource'],
    [ingestionSetting, 'ingestionSetting'],
    [redactionPolicy, 'redactionPolicy'],
    [secret, 'secret'],
    [source, 'source'],
    [tag, 'tag'],
  ])('is frozen: %#', ({ category }, stream) => {
    expect(category).toBe(stream);
  });
});

it.each([
  [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'b', 'c'],
  ],
  [[], ['a'], ['a']],
  [['a'], null, null],
  [null, ['a'], null],
  [null, null, null],
])('%j and %j together reach %j', (one, other, both) => expect(union(one, other)).toEqual(both));
