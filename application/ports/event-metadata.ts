/** Who caused an event, for which tenant, and in which trace. `decide` never sees it. */

export type ActorKind = 'api_key' | 'person' | 'schedule' | 'worker' | 'system';
export interface Actor {
  readonly kind: ActorKind;
  readonly id: string;
  /** Of a person, as the issuer of the sign-in told it then. */
  readonly name?: string;
}

/** The context of a command; becomes the metadata of its events. */
export interface CommandContext {
  readonly tenant: string;
  readonly actor: Actor;
  /** One per request or job; stored in every event that results from it. */
  readonly correlationId: string;
  /** Id of the command or event that caused this command. */
  readonly causationId: string;
  /** W3C trace context, if the caller sent one or the service started one. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Aborts when the caller has stopped waiting: a command that has not begun to write is then cancelled. */
  readonly signal?: AbortSignal;
}

export interface EventMetadata extends Omit<CommandContext, 'signal'> {
  /** Version of the stored shape of `data`. */
  readonly schemaVersion: number;
}
