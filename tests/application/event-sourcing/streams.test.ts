import { sha256 } from '../../../adapters/system/identity.ts';
import { AGGREGATES } from '../../../application/event-sourcing/aggregates.ts';
import {
  CATEGORIES,
  conversationStream,
  dataSourceStream,
  derivedId,
  tagStream,
} from '../../../application/event-sourcing/streams.ts';
import type { Execute } from '../../../application/event-sourcing/execute.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { callerOf } from '../../support/conversations.ts';
import { expect, it } from 'vitest';

it('the categories of streams are frozen, for events are stored under them', () => {
  expect(CATEGORIES).toEqual([
    'dataSource',
    'ingestionSetting',
    'source',
    'apiKey',
    'conversation',
    'tag',
    'redactionPolicy',
    'authzPolicy',
    'authzSubject',
    'secret',
    'webhook',
    'agentThread',
    'agentRun',
    'idempotency',
  ]);
});

it('no category holds a dash, which ends it in the name of a stream', () => {
  for (const { category } of AGGREGATES) expect(category).toMatch(/^[A-Za-z]+$/);
  expect(conversationStream('0199-1')).toBe('conversation-0199-1');
});

/** Mistakes that the compiler reports, and one call that is none. */
const misplaced = async (execute: Execute): Promise<void> => {
  const { context } = callerOf('acme');
  await execute.load(tag, tagStream('acme'), 'acme');
  // @ts-expect-error a tag in the stream of a data source
  await execute.load(tag, dataSourceStream('1'), 'acme');
  // @ts-expect-error a stream without a category
  await execute.load(tag, 'acme', 'acme');
  // @ts-expect-error a cancel of a tag
  await execute(dataSource, tagStream('1'), { type: 'cancel', at: 1 }, context);
  // @ts-expect-error the same where the history is read
  await execute.history(dataSource, tagStream('1'), 'acme');
};

it('an aggregate is kept in streams of its own, for which the compiler sees', async () => {
  const calls: string[] = [];
  const execute = async (): Promise<void> => void calls.push('execute');
  const load = async (): Promise<void> => void calls.push('load');
  const history = async (): Promise<void> => void calls.push('history');
  await misplaced(Object.assign(execute, { load, history }) as never);
  expect(calls).toStrictEqual(['load', 'load', 'load', 'execute', 'history']);
});

it('never changes what names have been given: documents and keys are found by it', () => {
  expect(derivedId(sha256, 'source', 'a data source', 'https://example.com/')).toBe(
    'fd0ccb5d-09a2-893b-ad6a-9c878da92553',
  );
});
