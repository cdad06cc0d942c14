import { Container, ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import { isTransient } from '../../adapters/postgres/transient.ts';
import { createTagOperations } from '../../application/sources/tags/operations.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { createJobHandler } from '../../application/sources/ingestion/job-handler.ts';
import { createIsTransient } from '../../application/jobs/transient.ts';
import { createRetryingEventStore } from '../../application/jobs/retrying-event-store.ts';
import { runWorker } from '../../application/jobs/worker.ts';
import { role } from '../../composition/roles.ts';
import { TOKENS as T } from '../../composition/tokens.ts';
import { type Provide, providing, type Token } from '../../composition/wiring.ts';

interface Greeting {
  readonly text: string;
}
interface GreetingDeps {
  readonly name: string;
  readonly age: number;
  readonly mark?: string;
}
const greet = ({ name, age, mark = '.' }: GreetingDeps): Greeting => ({
  text: `${name}, ${age}${mark}`,
});

const tokenOf = <Service>(name: string): Token<Service> => Symbol(name) as never;
const NAME = tokenOf<string>('name');
const AGE = tokenOf<number>('age');
const GREETING = tokenOf<Greeting>('greeting');

const containerWith = (wire: (provide: Provide) => void): Container => {
  const container = new Container();
  container.load(
    new ContainerModule(({ bind }) => {
      bind(AGE).toConstantValue(7);
      bind(NAME).toConstantValue('Ada');
      wire(providing(bind));
    }),
  );
  return container;
};

/** Mistakes that the compiler reports: were one of them none, it would report the comment before it. */
const mistakes = (provide: Provide): void => {
  // @ts-expect-error a missing name
  provide(GREETING, greet, { name: NAME });
  // @ts-expect-error a service of another type
  provide(GREETING, greet, { name: AGE, age: AGE });
  // @ts-expect-error two services swapped
  provide(GREETING, greet, { name: AGE, age: NAME });
  // @ts-expect-error a name that the factory does not know
  provide(GREETING, greet, { name: NAME, age: AGE, marke: NAME });
  // @ts-expect-error a constant that the factory does not know
  provide(GREETING, greet, { name: NAME, age: AGE }, { marke: '!' });
  // @ts-expect-error a constant of another type
  provide(GREETING, greet, { name: NAME, age: AGE }, { mark: 1 });
  // @ts-expect-error a name that is not asked for
  provide(GREETING, ({ nam }) => ({ text: nam }), { name: NAME });
  // @ts-expect-error what is made is something else
  provide(NAME, greet, { name: NAME, age: AGE });
  // @ts-expect-error a string is no token
  provide(GREETING, greet, { name: 'name', age: AGE });
  // @ts-expect-error nor is a symbol
  provide(GREETING, greet, { name: Symbol.for('name'), age: AGE });
  // @ts-expect-error there is no such service
  provide(GREETING, greet, { name: T.Nmae, age: AGE });
};

/** A store that waits for minutes, and one that does not, look alike otherwise. */
const swapped = (provide: Provide): void => {
  const made = { codec: T.EventCodec, ids: T.IdSource } as const;
  // @ts-expect-error requests would wait
  provide(T.Execute, createExecute, { ...made, store: T.RetryingStore });
  // @ts-expect-error jobs would not
  provide(T.RetryingExecute, createExecute, { ...made, store: T.EventStore });
  const waiting = { log: T.Logger, signal: T.Stopping } as const;
  const slept = { sleep: async () => {} };
  // @ts-expect-error it would wait for minutes each time that the inner one has waited
  provide(T.RetryingStore, createRetryingEventStore, { ...waiting, store: T.RetryingStore }, slept);
  // @ts-expect-error the two ways round
  provide(T.EventStore, createRetryingEventStore, { ...waiting, store: T.EventStore }, slept);
  const tags = {
    ...made,
    execute: T.Execute,
    hash: T.Hash,
    clock: T.Clock,
    view: T.TagView,
    store: T.EventStore,
  };
  // @ts-expect-error a request waits for no store
  provide(T.TagOperations, createTagOperations, { ...tags, execute: T.RetryingExecute });
  // @ts-expect-error nor what it reads
  provide(T.TagOperations, createTagOperations, { ...tags, store: T.RetryingStore });
  const shared = {
    executeAtOnce: T.Execute,
    clock: T.Clock,
    log: T.Logger,
    tracing: T.Tracing,
    owner: T.Owner,
  } as const;
  const jobs = {
    ...shared,
    execute: T.RetryingExecute,
    ingest: T.Ingest,
    ledger: T.UnitLedger,
  } as const;
  const judging = { isTransient: createIsTransient(isTransient) };
  provide(T.IngestionJobs, createJobHandler, jobs, judging);
  // @ts-expect-error a job would not wait
  provide(T.IngestionJobs, createJobHandler, { ...jobs, execute: T.Execute }, judging);
  // @ts-expect-error a sweep of all data sources would
  provide(T.IngestionJobs, createJobHandler, { ...jobs, executeAtOnce: T.RetryingExecute }, judging);
  const work = role('worker', runWorker);
  const needs = {
    leases: T.WorkLeases,
    store: T.EventStore,
    codec: T.EventCodec,
    clock: T.Clock,
    log: T.Logger,
    owner: T.Owner,
  } as const;
  const set = {
    handlers: [],
    slots: 1,
    leaseMs: 1,
    idle: async () => {},
    every: () => ({ stop: () => {} }),
  };
  provide(T.Worker, work, needs, set);
  // @ts-expect-error the look for a cancel would wait
  provide(T.Worker, work, { ...needs, store: T.RetryingStore }, set);
};

describe('wiring by name', () => {
  it.each([
    ['mistakes', mistakes, 11],
    ['stores and executes that are swapped', swapped, 11],
  ])('leaves it to the compiler to refuse %s', (_, wired, count) => {
    let accepted = 0;
    wired((() => (accepted += 1)) as unknown as Provide);
    expect(accepted).toBe(count);
  });

  it('hands each service over under its name, in whatever order they are written', () => {
    const container = containerWith((provide) => provide(GREETING, greet, { age: AGE, name: NAME }));
    expect(container.get(GREETING)).toStrictEqual({ text: 'Ada, 7.' });
  });

  it('hands constants over as they are', () => {
    const container = containerWith((provide) =>
      provide(GREETING, greet, { name: NAME }, { age: 8, mark: '!' }),
    );
    expect(container.get(GREETING)).toStrictEqual({ text: 'Ada, 8!' });
  });

  it('makes a service once, and not before somebody needs it', () => {
    let made = 0;
    const container = containerWith((provide) =>
      provide(GREETING, ({ name }) => ({ text: `${name} ${(made += 1)}` }), { name: NAME }),
    );
    expect(made).toBe(0);
    expect(container.get(GREETING)).toBe(container.get(GREETING));
    expect(made).toBe(1);
  });

  it('has a token for each service, and the same one each time', () => {
    expect(T.Execute).toBe(T.Execute);
    expect(T.Execute).not.toBe(T.RetryingExecute);
  });
});
