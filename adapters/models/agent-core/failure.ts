import { RuntimeFailed } from '../../../application/ports/agent-runtime.ts';

const busy = (): RuntimeFailed =>
  new RuntimeFailed('runtime_busy', 'the runtime is too busy', { retryable: true });
const refused = (why: string): RuntimeFailed =>
  new RuntimeFailed('runtime_refused', `the runtime was not asked: ${why}`);
const away = (why: string): RuntimeFailed =>
  new RuntimeFailed('runtime_unavailable', `the runtime cannot be reached: ${why}`, { retryable: true });
export const brokeOff = (): RuntimeFailed =>
  new RuntimeFailed(
    'runtime_broke_off',
    'the runtime broke off in its answer: it may have acted; its session tells what it did',
    { mayStillRun: true },
  );
/** @param told untrusted error text of the agent in the runtime */
export const agentFailed = (told: string): RuntimeFailed =>
  new RuntimeFailed('runtime_error', `the agent in the runtime failed: ${told.trim().slice(0, 500)}`);

const NO_ACCESS = 'the service has no valid credentials for it: its operator must set them';
// https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html#API_InvokeAgentRuntime_Errors
const BY_NAME: { readonly [name: string]: () => RuntimeFailed } = {
  ThrottlingException: busy,
  ThrottledException: busy,
  RetryableConflictException: busy,
  ServiceQuotaExceededException: () => refused('a quota of its account is used up'),
  RuntimeClientError: () => agentFailed('its own log says why'),
  AccessDeniedException: () =>
    refused('its operator must grant bedrock-agentcore:InvokeAgentRuntime to the service'),
  ResourceNotFoundException: () => refused('there is none with this ARN'),
  ValidationException: () => refused('it takes no such request'),
  UnauthorizedException: () => refused(NO_ACCESS),
  UnrecognizedClientException: () => refused(NO_ACCESS),
  InvalidSignatureException: () => refused(NO_ACCESS),
  ExpiredTokenException: () => refused(NO_ACCESS),
  CredentialsProviderError: () => refused(NO_ACCESS),
};
/** No connection was established: nothing was sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The SDK's message when a connection was not established in time. */
const CONNECT_TIMEOUT_MESSAGE = /without establishing a connection/;

/**
 * Classifies an error of the SDK before any response. The SDK's own message is not passed on, because it may repeat
 * what was sent.
 */
export const failureOf = (error: unknown): RuntimeFailed => {
  if (error instanceof RuntimeFailed) return error;
  const told = (error ?? {}) as {
    readonly name?: unknown;
    readonly code?: unknown;
    readonly message?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const known = typeof told.name === 'string' ? BY_NAME[told.name] : undefined;
  if (known !== undefined) return known();
  if (told.message === 'Region is missing')
    return refused('its operator must set KNOWLEDGER_AGENT_RUNTIME_REGION');
  const status = told.$metadata?.httpStatusCode;
  if (status === undefined) {
    const code = typeof told.code === 'string' ? told.code : '';
    if (NOT_CONNECTED.has(code)) return away(code);
    return CONNECT_TIMEOUT_MESSAGE.test(String(told.message)) ? away('no connection in time') : brokeOff();
  }
  if (status === 429) return busy();
  // A gateway that stopped waiting does not know what the runtime is doing.
  if (status === 504) return brokeOff();
  return status >= 500 ? away(`it answered ${status}`) : refused(`it answered ${status}`);
};
