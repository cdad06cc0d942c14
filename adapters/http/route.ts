import type { Request, Response } from 'express';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../application/access/caller.ts';
import type { ViewName } from '../../application/ports/read-gate.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import type { JsonResponse } from './json-response.ts';
import type { ProblemType } from './problem.ts';
import { type RecordKey, withAsOf } from './rewind.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Returned by a handler that has written the response itself. */
export const STREAMED: unique symbol = Symbol('streamed');

/** `part`: schema of each line or each `data`, if these are JSON. */
export interface StreamDescription {
  readonly description: string;
  readonly part?: TSchema;
}

/** JSON bodies by status. */
type Responses = { readonly [status: number]: TSchema };
type Answer<A extends Responses> = {
  [S in keyof A & number]: JsonResponse<S, Static<A[S]>>;
}[keyof A & number];

export interface Input<Q extends TSchema, B extends TSchema> {
  readonly caller: Caller;
  /** The `{id}` of the path: a UUID in lower case; empty when the path has none. */
  readonly id: string;
  /** All parameters of the path, validated. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  readonly idempotencyKey: string | undefined;
  /** The caller's preferred media type among those of the route. */
  readonly mediaType: string;
  /** Ends the turn of a route `inTurn` before its response: what follows waits for others. */
  readonly leaveTurn: () => void;
  readonly req: Request;
  readonly res: Response;
}

/** One operation: the source of the OpenAPI document, the checks and the types. */
export interface Route<Q extends TSchema, B extends TSchema, A extends Responses> {
  readonly method: Method;
  /** An OpenAPI path below the base path: `/crawls/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** Null: every caller may use it. */
  readonly scope: Scope | null;
  readonly query?: Q;
  readonly body?: B;
  /** The body is a form with files, which the handler reads itself; described as in OpenAPI. */
  readonly form?: { readonly description: string; readonly schema: TSchema };
  /** The body is a document of any type, or a form with it, which the handler reads itself. */
  readonly document?: { readonly description: string; readonly form: TSchema };
  /** Much work for this process: the body is read when it is the tenant's turn. 503 at once where that is too late. */
  readonly inTurn?: true;
  /** The body is optional. */
  readonly bodyOptional?: true;
  /** A 202 response has a Location, like a 201. */
  readonly locates?: true;
  /** Accepts an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Views that a read with `x-min-position` waits for. */
  readonly reads?: readonly ViewName[];
  /** Changes something: the response has `x-position`, and a conflict is possible. */
  readonly writes?: true;
  /**
   * Views for which the response to a write waits briefly: all views that its events affect, so that the caller's next
   * read mostly shows them. Default: all views. A read of a stream names the views of lists of the same things, so that
   * these show what the stream has shown.
   */
  readonly settles?: readonly ViewName[];
  /**
   * With `as_of` it shows the past, by operations that know `Caller.past`: the field that names a record of the answer, or
   * of the lists in it.
   */
  readonly rewinds?: RecordKey;
  /** A deletion destroys the key of the texts of a record: what is shown of the past then has none, and says so. */
  readonly erases?: true;
  readonly answers: A;
  /** Media types of streams in addition to JSON. */
  readonly streams?: Readonly<Record<string, StreamDescription>>;
  /** Description of the 204 response, if there is one. */
  readonly noContent?: string;
  /** Headers that only some 200 responses have, with their descriptions. */
  readonly streamHeaders?: Readonly<Record<string, string>>;
  /** Problems of this operation in addition to those of every operation. */
  readonly problems?: readonly ProblemType[];
  /** Responses that are not JSON, as OpenAPI response objects by status. */
  readonly otherResponses?: Readonly<Record<number, object>>;
  /** Request headers in addition to those of every operation, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly handler: (input: Input<Q, B>) => Promise<Answer<A> | typeof STREAMED>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a table of routes erases their type parameters
export type AnyRoute = Route<any, any, any>;

export const route = <Q extends TSchema, B extends TSchema, const A extends Responses>(
  definition: Route<Q, B, A>,
): AnyRoute =>
  definition.rewinds === undefined ? definition : { ...definition, query: withAsOf(definition.query) };
