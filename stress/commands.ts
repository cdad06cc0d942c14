/** The commands that the clients send, each about one stream of the log. */
export type CommandName =
  | 'createCrawl'
  | 'sync'
  | 'cancel'
  | 'deleteCrawl'
  | 'changeSetting'
  | 'replaceMetadata'
  | 'deleteMetadata'
  | 'issueKey'
  | 'revokeKey';

export interface Command {
  readonly name: CommandName;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The stream that it writes to; what creates learns it from the answer. */
  readonly stream?: string;
  /** Only where the API takes one. */
  readonly idempotencyKey?: string;
}

/** One request. Every event that it causes carries its trace id. */
export interface Try {
  readonly traceId: string;
  /** Null: the connection was cut, or nobody listened. */
  readonly status: number | null;
}

export interface Sent {
  readonly command: Command;
  readonly tries: readonly Try[];
  /** The last answer; null when none came within the time. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers have every shape
  readonly answer: { readonly status: number; readonly body: any; readonly position: string | null } | null;
}

export const isAcknowledged = ({ answer }: Sent): boolean =>
  answer !== null && answer.status >= 200 && answer.status < 300;
