/** A part of the service that runs until it is told to stop; `run` resolves when it has put everything down. */
export interface Role {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
}
