import type { BodyRef, RunEmitted, RunFacts, RunHandedOver, RunStarted, RunSucceeded } from './events.ts';

/** The first command of a run. Idempotent. */
export type QueueRun = RunFacts & { readonly type: 'queue' };
type Claim = Omit<RunStarted, 'type'> & { readonly type: 'claim' };
/** At most once per run: a run is never sent to a runtime twice. */
type HandOver = Omit<RunHandedOver, 'type'> & { readonly type: 'hand_over' };
type Emit = Omit<RunEmitted, 'type'> & { readonly type: 'emit' };
type Complete = Omit<RunSucceeded, 'type'> & { readonly type: 'complete' };
interface Fail {
  readonly type: 'fail';
  readonly code: string;
  readonly message: BodyRef | null;
  readonly at: number;
}
/** The worker has lost its lease. `code`: whether the worker was lost or stopped in an orderly way. */
interface LeaseLost {
  readonly type: 'lease_lost';
  readonly code: 'worker_lost' | 'worker_stopped';
  readonly at: number;
}
interface StatusCommand {
  readonly type: 'queue_timeout' | 'cancel' | 'cancel_done' | 'cancel_timeout';
  readonly at: number;
}
export type AgentRunCommand =
  | QueueRun
  | Claim
  | HandOver
  | Emit
  | Complete
  | Fail
  | LeaseLost
  | StatusCommand;
