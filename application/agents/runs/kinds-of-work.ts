/** The kind of the leases on runs. Stored, so it must not change. */
export const AGENT_RUN = 'agent_run';
