import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import type { Execute, Executed } from '../../../application/event-sourcing/execute.ts';
import { load, sweeperContext, workerContext } from '../../../application/jobs/load-work.ts';
import {
  stopReasonOf,
  type StopReason,
  type Work,
  type WorkHandler,
  WorkLost,
} from '../../../application/jobs/work-handler.ts';
import type { Decider, StreamOf } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** An aggregate of the tests: something that is asked for, and that one worker at a time is at. */
type ErrandEvent =
  | { readonly type: 'ErrandAsked' }
  | { readonly type: 'ErrandBegun'; readonly by: string; readonly epoch: number }
  | { readonly type: 'ErrandPutBack'; readonly reason: string }
  | { readonly type: 'ErrandCanceled' }
  | { readonly type: 'ErrandDone' };
export type ErrandCommand =
  | { readonly type: 'ask' }
  | { readonly type: 'begin'; readonly by: string }
  | { readonly type: 'put_back'; readonly epoch: number; readonly reason: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'finish'; readonly epoch: number };
export interface ErrandState {
  readonly status: 'none' | 'asked' | 'begun' | 'canceled' | 'done';
  readonly epoch: number;
}

const first = (name: string) => ({ name, schemaVersion: 1 });
export const STORED_ERRANDS = {
  ErrandAsked: first('ErrandAsked'),
  ErrandBegun: first('ErrandBegun'),
  ErrandPutBack: first('ErrandPutBack'),
  ErrandCanceled: first('ErrandCanceled'),
  ErrandDone: first('ErrandDone'),
};

const decide = (command: ErrandCommand, { status, epoch }: ErrandState): readonly ErrandEvent[] => {
  const demand = (allowed: boolean): void => {
    if (!allowed)
      throw new DomainError('conflict', `an errand that is ${status} at ${epoch}: ${command.type}`);
  };
  if (command.type === 'ask') return [{ type: 'ErrandAsked' }];
  if (command.type === 'cancel') return [{ type: 'ErrandCanceled' }];
  if (command.type === 'begin') {
    demand(status === 'asked');
    return [{ type: 'ErrandBegun', by: command.by, epoch: epoch + 1 }];
  }
  demand(status === 'begun' && command.epoch === epoch);
  return command.type === 'finish'
    ? [{ type: 'ErrandDone' }]
    : [{ type: 'ErrandPutBack', reason: command.reason }];
};

const STATUS = {
  ErrandAsked: 'asked',
  ErrandBegun: 'begun',
  ErrandPutBack: 'asked',
  ErrandCanceled: 'canceled',
  ErrandDone: 'done',
} as const;

const errand: Decider<ErrandCommand, ErrandEvent, ErrandState, 'errand'> = {
  category: 'errand',
  initial: { status: 'none', epoch: 0 },
  decide,
  evolve: ({ epoch }, event) => ({
    status: STATUS[event.type],
    epoch: event.type === 'ErrandBegun' ? event.epoch : epoch,
  }),
};
/** The program knows its own events alone. */
const known = errand as unknown as Decider<ErrandCommand, DomainEvent, ErrandState, 'errand'>;

export const errandStream = (id: string): StreamOf<'errand'> => `errand-${id}`;

export type SendErrand = (
  id: string,
  command: ErrandCommand,
  context: CommandContext,
) => Promise<Executed<unknown, ErrandState>>;

export const sendBy =
  (execute: Execute): SendErrand =>
  (id, command, context) =>
    execute(known, errandStream(id), command, context);

export interface ErrandHandlerDeps {
  readonly kind: string;
  readonly execute: Execute;
  readonly send: SendErrand;
  readonly owner: string;
  readonly run: (id: string, ...work: Parameters<Work<void>>) => Promise<void>;
}

/** A third kind of work, as small as one can be: what an author of the next kind has to write. */
export const createErrandHandler = ({ kind, execute, send, owner, run }: ErrandHandlerDeps): WorkHandler => ({
  kind,
  idName: 'errandId',
  run: async ({ lease, isLost, watched }) => {
    const { id } = lease;
    const found = await load(execute, known, errandStream(id));
    if (found === null) return 'gone';
    if (isLost()) return 'lost';
    const context = workerContext(found, owner);
    const { state, revision } = await send(id, { type: 'begin', by: owner }, context);
    const { epoch } = state;
    const stopReason = (event: DomainEvent) => stopReasonAfter(event as never, epoch);
    const claim = { stream: errandStream(id), revision: revision as bigint, stopReason };
    const told = await watched(claim, async (signal, assertLeaseHeld, yieldSlot) => {
      await run(id, signal, assertLeaseHeld, yieldSlot);
      return signal.aborted ? stopReasonOf(signal) : null;
    }).catch((error: unknown): StopReason => {
      if (error instanceof WorkLost) return 'lease_lost';
      throw error;
    });
    if (told === 'fenced' || told === 'lease_lost') return 'lost';
    if (told === null) await send(id, { type: 'finish', epoch }, context);
    if (told === 'shutdown') await send(id, { type: 'put_back', epoch, reason: told }, context);
    return told === 'shutdown' ? 'stopped' : 'done';
  },
  abandoned: async ({ id, worker, claim }) => {
    const found = await load(execute, known, errandStream(id));
    const { epoch } = claim as ErrandState;
    if (found === null) return;
    await send(id, { type: 'put_back', epoch, reason: worker }, sweeperContext(found, owner));
  },
});

const stopReasonAfter = (event: ErrandEvent, epoch: number): StopReason | undefined => {
  if (event.type === 'ErrandCanceled') return 'canceled';
  return event.type === 'ErrandBegun' && event.epoch !== epoch ? 'fenced' : undefined;
};
