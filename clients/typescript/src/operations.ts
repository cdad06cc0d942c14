import type { Operations } from './types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type PathsOf<M extends Method> = keyof Operations extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never;
type OperationOf<M extends Method, Path extends string> = Operations[`${M} ${Path}` & keyof Operations];
export type AnswerOf<M extends Method, Path extends string> = OperationOf<M, Path>['answer'];
type Needed<Name extends string, Value> = {} extends Value
  ? { readonly [_ in Name]?: Value }
  : { readonly [_ in Name]: Value };
type RequestOf<Operation extends Operations[keyof Operations]> = Needed<'path', Operation['path']> &
  Needed<'query', Operation['query']> &
  (Operation['body'] extends undefined ? object : { readonly body?: Operation['body'] }) & {
    readonly signal?: AbortSignal;
    readonly headers?: Readonly<Record<string, string>>;
  };
export type ArgumentsOf<M extends Method, Path extends string> =
  {} extends RequestOf<OperationOf<M, Path>>
    ? [request?: RequestOf<OperationOf<M, Path>>]
    : [request: RequestOf<OperationOf<M, Path>>];

/** Lists that come in pages, by their paths. */
export type ListPath = {
  [P in PathsOf<'GET'>]: AnswerOf<'GET', P> extends { readonly pagination: unknown } ? P : never;
}[PathsOf<'GET'>];
/** The records of a list: its field that is an array of them. */
export type ItemOf<Answer> = {
  [Name in keyof Answer]: Answer[Name] extends readonly (infer Item extends object)[] ? Item : never;
}[keyof Answer];

/**
 * Work that ends, by the paths of its lists: jobs of data sources and runs of agents. The job of a push is ended by its
 * own client.
 */
export type WorkPath = {
  [P in PathsOf<'GET'>]: P extends `${infer List}/{${'id' | 'run_id'}}`
    ? AnswerOf<'GET', P> extends { readonly status: infer Status }
      ? 'queued' | 'QUEUED' extends infer Waiting
        ? Waiting extends Status
          ? Exclude<List, '/pushes'>
          : never
        : never
      : never
    : never;
}[PathsOf<'GET'>];
export type WorkOf<List extends string> = AnswerOf<'GET', `${List}/{id}` | `${List}/{run_id}`>;
