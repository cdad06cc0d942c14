import type { ErrorEnvelope } from './types.ts';

/** An answer that is no success, with the service's own reason. */
export class KnowledgerError extends Error {
  override readonly name = 'KnowledgerError';
  readonly status: number;
  /** Such as `not_found`; the status where a proxy answered instead of the service. */
  readonly type: string;
  /** What else the service told of it. */
  readonly details: unknown;
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | null;

  constructor(
    message: string,
    {
      status,
      type,
      details,
      retryAfter,
    }: Pick<KnowledgerError, 'status' | 'type' | 'details' | 'retryAfter'>,
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export const errorOf = async (response: Response): Promise<KnowledgerError> => {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const text = await response.text();
  let error: Partial<ErrorEnvelope['error']> = {};
  try {
    error = (JSON.parse(text) as Partial<ErrorEnvelope>).error ?? {};
  } catch {
    // A proxy answered.
  }
  return new KnowledgerError(error.message ?? `${response.status} ${response.statusText}`, {
    status: response.status,
    type: error.type ?? String(response.status),
    details: error,
    retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
  });
};
