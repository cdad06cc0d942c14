/** Neutral names of four model providers. The configuration maps them to actual providers. */
export const PROVIDERS = ['PROVIDER_A_DIRECT', 'PROVIDER_B', 'PROVIDER_C', 'PROVIDER_D'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Where a run is executed: by a worker of the service, or by a runtime of another operator. */
export const EXECUTION_MODES = ['LOCAL', 'MANAGED_RUNTIME'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** What a request contains: the whole history, or only new messages. */
export const INPUT_HISTORY_MODES = ['legacy_full', 'delta_v1'] as const;
export type InputHistoryMode = (typeof INPUT_HISTORY_MODES)[number];
