import { expect, it } from 'vitest';
import type { TagView } from '../../application/ports/source-group-view.ts';
import { createRetryingEventStore } from '../../application/jobs/transient.ts';
import { createJobHandler } from '../../application/sources/ingestion/job-handler.ts';
import { createTagOperations } from '../../application/sources/tags/operations.ts';
import type { CORE } from '../../composition/modules/core.ts';
import { provide, token } from '../../composition/wiring.ts';

interface Name {
  readonly first: string;
}
interface Greeting {
  readonly text: string;
}
const NAME = token<Name>('name');
const AGE = token<{ readonly years: number }>('age');
const GREETING = token<Greeting>('greeting');

const greet = ({ name }: { readonly name: Name }): Greeting => ({ text: `Hello, ${name.first}.` });

/** Mistakes that the compiler reports: were one of them none, it would report the comment before it. */
const mistakes = [
  // @ts-expect-error a missing name
  () => provide(GREETING, {}, greet),
  // @ts-expect-error a service of another type
  () => provide(GREETING, { name: AGE }, greet),
  // @ts-expect-error a name that is not asked for
  () => provide(GREETING, { name: NAME }, ({ nam }) => ({ text: nam })),
  // @ts-expect-error what is made is something else
  () => provide(NAME, { name: NAME }, greet),
  // @ts-expect-error a string is no token
  () => provide(GREETING, { name: 'name' }, greet),
  // @ts-expect-error nor is a symbol
  () => provide(GREETING, { name: Symbol.for('name') }, greet),
];

type Core = typeof CORE extends abstract new () => infer T ? T : never;
type Jobs = Parameters<typeof createJobHandler>[0];

/** A store that waits for minutes, and one that does not, look alike otherwise. */
const swapped = [
  ({ store, log, stopping: signal }: Core) => {
    const waiting = { log, signal, sleep: async () => {} };
    const retrying = createRetryingEventStore({ ...waiting, store });
    // @ts-expect-error it would wait for minutes each time that the inner one has waited
    return createRetryingEventStore({ ...waiting, store: retrying });
  },
  (core: Core, view: TagView) => [
    createTagOperations({ ...core, view }),
    // @ts-expect-error a request waits for no store
    createTagOperations({ ...core, view, execute: core.retryingExecute }),
  ],
  ({ execute, retryingExecute }: Core, jobs: Omit<Jobs, 'execute' | 'executeAtOnce'>) => [
    createJobHandler({ ...jobs, execute: retryingExecute, executeAtOnce: execute }),
    // @ts-expect-error a job would not wait
    createJobHandler({ ...jobs, execute, executeAtOnce: execute }),
    // @ts-expect-error a sweep of all data sources would
    createJobHandler({ ...jobs, execute: retryingExecute, executeAtOnce: retryingExecute }),
  ],
];

it('wrong wirings are refused by the compiler', () => {
  expect([mistakes.length, swapped.length]).toEqual([6, 3]);
});
