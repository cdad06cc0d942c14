/** What a process may do for the service. Any number of processes may do each. */
export const ROLES = ['api', 'worker', 'projector', 'scheduler'] as const;
export type RoleName = (typeof ROLES)[number];

/** A part of the service that runs until it is told to stop; `run` resolves when it has put everything down. */
export interface Role {
  readonly name: RoleName;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** The role that runs `work` with what it is given. */
export const role =
  <Deps>(name: RoleName, work: (deps: Deps, signal: AbortSignal) => Promise<void>) =>
  (deps: Deps): Role => ({ name, run: (signal) => work(deps, signal) });
