/** Who caused an event, on whose behalf, and in which trace. Never seen by `decide`. */

export type ActorKind = 'api_key' | 'schedule' | 'worker' | 'system';
export interface Actor {
  readonly kind: ActorKind;
  readonly id: string;
}

/** What a command runs under; becomes the metadata of the events it leads to. */
export interface CommandContext {
  readonly tenant: string;
  readonly actor: Actor;
  /** One per request or job: every event that it led to carries it. */
  readonly correlationId: string;
  /** Id of the command or event that caused this. */
  readonly causationId: string;
  /** W3C trace context, when the caller sent or the service started one. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Aborts when nobody waits for the answer any more: a command that has not begun to write is then given up. */
  readonly signal?: AbortSignal;
}

export interface EventMetadata extends Omit<CommandContext, 'signal'> {
  /** Version of the stored shape of `data`. */
  readonly schemaVersion: number;
}
