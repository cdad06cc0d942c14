/** What a run is asked for with, where a test says nothing else: a chat of nobody in particular, executed here. */
export const RUN_FACTS = {
  principalId: null,
  workflowType: 'chat',
  provider: null,
  executionMode: 'LOCAL',
  runtimeArn: null,
  inputHistoryMode: 'delta_v1',
  keyId: 'k',
  scopes: ['inference:run'],
  sourceGroupIds: null,
  authzPolicy: null,
  titled: false,
  at: 1,
} as const;
