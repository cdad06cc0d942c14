import type { ReportedError } from '../provider/failure.ts';

type Fields = Readonly<Record<string, unknown>>;
type HeaderOf = (name: string) => string | null;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * What an answer says of its error, whichever of the providers it is of: `{error: {type, message}}` (Anthropic),
 * `{error: {status, message, details}}` (Google), `{message}` with the code in a header (Bedrock).
 */
export const reportedBy = (header: HeaderOf, body: string): ReportedError => {
  const answer = parsed(body);
  const error = fieldsOf(answer['error']);
  const detail = detailsOf(error).find(({ reason }) => wordOf(reason) !== null);
  // `ThrottlingException:http://internal.amazon.com/…`
  const amazon = header('x-amzn-errortype')?.split(':', 1)[0];
  return {
    code: wordOf(detail?.['reason']) ?? wordOf(error['type']) ?? wordOf(error['status']) ?? wordOf(amazon),
    message: wordOf(error['message']) ?? wordOf(answer['message']) ?? wordOf(answer['Message']),
  };
};

/** Milliseconds that a body asks to wait, as Google's does in place of a header; 0 where it does not. */
export const askedInBody = (body: string): number => {
  for (const { retryDelay } of detailsOf(fieldsOf(parsed(body)['error']))) {
    const seconds = /^(\d{1,9}(?:\.\d+)?)s$/.exec(wordOf(retryDelay) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return 0;
};

/** The error of a part of the stream, as the SDK's packages describe it. */
export const reportedInStream = (value: unknown): ReportedError | null => {
  const { type, code, message, statusCode, responseBody } = fieldsOf(value);
  // The SDK says 424 for an error that Bedrock tells to ask again after.
  const isStatus = typeof statusCode === 'number' && statusCode !== 200 && statusCode !== 424;
  const status = isStatus ? statusCode : undefined;
  const inBody = typeof responseBody === 'string' ? parsed(responseBody)['type'] : null;
  const word = wordOf(type) ?? wordOf(inBody) ?? wordOf(code);
  if (status === undefined && word === null) return null;
  return { code: word, message: wordOf(message), ...(status !== undefined && { status }) };
};

const detailsOf = ({ details }: Fields): readonly Fields[] =>
  Array.isArray(details) ? details.map(fieldsOf) : [];

const parsed = (json: string): Fields => {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return {};
  }
};
