/** Neutral names of four providers of models. What each stands for is configured. */
export const PROVIDERS = ['PROVIDER_A_DIRECT', 'PROVIDER_B', 'PROVIDER_C', 'PROVIDER_D'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Who executes a run: a worker of the service, or a runtime that somebody else operates. */
export const EXECUTION_MODES = ['LOCAL', 'MANAGED_RUNTIME'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** How a request gives the history: all of it, or only what is new. */
export const INPUT_HISTORY_MODES = ['legacy_full', 'delta_v1'] as const;
export type InputHistoryMode = (typeof INPUT_HISTORY_MODES)[number];
