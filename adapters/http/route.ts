import type { Request, Response } from 'express';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../application/access/caller.ts';
import type { ViewName } from '../../application/ports/read-gate.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import type { JsonAnswer } from './answer.ts';
import type { ProblemType } from './problem.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Returned by a handler that has written the response itself. */
export const STREAMED: unique symbol = Symbol('streamed');

/** `part`: schema of each line or of each `data`, where these are JSON. */
export interface StreamDescription {
  readonly description: string;
  readonly part?: TSchema;
}

/** JSON bodies by status. */
type Answers = { readonly [status: number]: TSchema };
type Answer<A extends Answers> = {
  [S in keyof A & number]: JsonAnswer<S, Static<A[S]>>;
}[keyof A & number];

export interface Input<Q extends TSchema, B extends TSchema> {
  readonly caller: Caller;
  /** The `{id}` of the path: a UUID in lower case; empty where the path has none. */
  readonly id: string;
  /** Everything in `{…}` of the path, checked. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  readonly idempotencyKey: string | undefined;
  /** The media type that the caller prefers among those that the route has. */
  readonly mediaType: string;
  readonly req: Request;
  readonly res: Response;
}

/** One operation: the document, the checks and the types all come from this. */
export interface Route<Q extends TSchema, B extends TSchema, A extends Answers> {
  readonly method: Method;
  /** As OpenAPI writes it, below the base path: `/crawls/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly scope: Scope;
  readonly query?: Q;
  readonly body?: B;
  /** The body is a form with files, which the handler reads itself; as OpenAPI describes it. */
  readonly form?: { readonly description: string; readonly schema: TSchema };
  /** The body is a document of any type, or a form with it, which the handler reads itself. */
  readonly document?: { readonly description: string; readonly form: TSchema };
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** What it accepts (202) has a place, which the answer tells as one of 201 does. */
  readonly locates?: true;
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Views that a read with `x-min-position` waits for. */
  readonly reads?: readonly ViewName[];
  /** Changes something: the answer carries `x-position`, and a conflict is possible. */
  readonly writes?: true;
  /**
   * Views that the answer to a write waits for, though not for long: all that its facts come to, so that the caller's
   * next read mostly shows them. Default: all views. A read of a stream names those that lists of the same things read:
   * they shall show what it has shown.
   */
  readonly settles?: readonly ViewName[];
  readonly answers: A;
  /** Media types of streams beside JSON. */
  readonly streams?: Readonly<Record<string, StreamDescription>>;
  /** When there is nothing to answer with (204). */
  readonly noContent?: string;
  /** Headers that some answers of 200 have beside those that every operation has, with their descriptions. */
  readonly streamHeaders?: Readonly<Record<string, string>>;
  /** Problems of this operation beside those that every operation can have. */
  readonly problems?: readonly ProblemType[];
  /** Answers that are no JSON, as OpenAPI response objects by status. */
  readonly otherAnswers?: Readonly<Record<number, object>>;
  /** Request headers beside those that every operation reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly handler: (input: Input<Q, B>) => Promise<Answer<A> | typeof STREAMED>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a table of routes forgets what each of them is generic in
export type AnyRoute = Route<any, any, any>;

export const route = <Q extends TSchema, B extends TSchema, const A extends Answers>(
  definition: Route<Q, B, A>,
): AnyRoute => definition;
