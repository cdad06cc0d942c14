/** What leases on runs are stored with: frozen. */
export const AGENT_RUN = 'agent_run';
