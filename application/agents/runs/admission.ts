import type { AdmitRun } from '../../../domain/agent-thread/index.ts';
import type { Caller } from '../../access/caller.ts';
import { redactData } from '../../answers/extract/redact-data.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { Body } from '../../ports/vault.ts';
import { newSalt, requestOf, type RulesFor, saltOf, titleOf } from './bodies.ts';
import { type KeptRequest, redactInput, textOfRequest } from './messages.ts';
import type { RunRequest } from './run-request.ts';

/** What is kept of a request, without what policies hide. */
interface Kept {
  readonly kept: KeptRequest;
  readonly title: string | null;
  /** The same, to be put into the vault. */
  readonly bodies: readonly Body[];
}

export const bodiesOf = async (
  deps: { readonly ids: IdSource; readonly rulesFor: RulesFor },
  caller: Caller,
  { input, mcpSessionId, title }: RunRequest,
  runId: string,
  idempotencyKey: string | null,
): Promise<Kept> => {
  const rules = await deps.rulesFor(caller.tenant);
  const kept = { input: redactInput(input, rules), mcpSessionId, idempotencyKey };
  const hidden = title === null ? null : (redactData(title, rules) as string);
  const bodies = [
    { id: requestOf(runId), text: textOfRequest(kept) },
    { id: saltOf(runId), text: newSalt(deps.ids) },
    ...(hidden === null ? [] : [{ id: titleOf(runId), text: hidden }]),
  ];
  return { kept, title: hidden, bodies };
};

export const commandOf = (
  { clock }: { readonly clock: Clock },
  { keyId, grant }: Caller,
  request: RunRequest,
  runId: string,
  ended: readonly string[],
): AdmitRun => ({
  type: 'admit',
  runId,
  starts: request.threadId === undefined,
  ...(request.parentRunId !== undefined && { parentRunId: request.parentRunId }),
  concurrency: request.concurrency,
  ended,
  principalId: request.principalId,
  workflowType: request.workflowType,
  provider: request.provider,
  executionMode: request.executionMode,
  runtimeArn: request.runtimeArn,
  inputHistoryMode: request.inputHistoryMode,
  keyId,
  scopes: grant.scopes,
  sourceGroupIds: grant.sourceGroupIds,
  authzPolicy: request.authzPolicy ?? null,
  titled: request.title !== null,
  at: clock.now(),
});
