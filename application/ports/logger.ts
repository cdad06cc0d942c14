/** Structured log lines. Fields never hold secrets, document text or keys. */
export interface Logger {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
}
export type LogFields = { readonly [name: string]: string | number | boolean | null | undefined };
