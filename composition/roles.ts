/** What a process may do for the service. Any number of processes may do each. */
export const ROLES = ['api', 'worker', 'projector', 'scheduler'] as const;
export type RoleName = (typeof ROLES)[number];

/** A part of the service that runs until it is told to stop; `run` resolves when it has put everything down. */
export interface Role {
  readonly name: RoleName;
  readonly run: (signal: AbortSignal) => Promise<void>;
}
