/** Bounds of one page, and of its part of the browser. */
export interface PageLimits {
  /** From its opening until it is read, whatever it does. */
  readonly timeoutMs: number;
  /** How long it may take to become quiet; then it is read as it stands. */
  readonly readyMs: number;
  /** So long nothing may be loading, and nothing may change, for it to be quiet. */
  readonly quietMs: number;
  /** Requests of its scripts, styles and frames; what is more is not sent. */
  readonly requests: number;
  /** That it may send and receive by the network; then it has none any more. */
  readonly bytes: number;
  /** Of the HTML that is answered. */
  readonly htmlBytes: number;
  /** Of each process that works for it. */
  readonly memoryBytes: number;
}

/** What the process that drives the browser is told once, as its only argument, in JSON. */
export interface HostSettings {
  /** Absolute path of the browser. */
  readonly executable: string;
  /** A folder of its own, for whatever the browser writes. Deleted with it. */
  readonly folder: string;
  readonly sandbox: boolean;
  readonly userAgent: string;
  /** See `createAddressPolicy`. */
  readonly allowAddresses: readonly string[];
  readonly limits: PageLimits;
}

/** An HTML page as its server sent it. */
export interface PageSource {
  /** Absolute, http or https: where it was found, and where its scripts think that they are. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

export type RenderFailure = 'timed_out' | 'too_large' | 'out_of_memory' | 'browser_failed';

export type RenderOutcome =
  /** `leadsTo`: where scripts or a refresh wanted to go instead, absolute; the page stayed. */
  | { readonly kind: 'rendered'; readonly html: Uint8Array; readonly leadsTo: string | null }
  | { readonly kind: 'failed'; readonly code: RenderFailure; readonly message: string };

export const failedRender = (code: RenderFailure, message: string): RenderOutcome => ({
  kind: 'failed',
  code,
  message,
});

/** Messages to the process that drives the browser. Pages are open side by side. */
export type ToHost =
  | { readonly type: 'open'; readonly id: number; readonly source: PageSource }
  /** Nobody waits for it any more. */
  | { readonly type: 'close'; readonly id: number }
  | { readonly type: 'answer'; readonly question: number; readonly allowed: boolean };

export type FromHost =
  /** `browser` is the process of the browser, which leads its group. */
  | { readonly type: 'ready'; readonly browser: number }
  | { readonly type: 'unstartable'; readonly message: string }
  /** Whether a page may load this. */
  | { readonly type: 'ask'; readonly id: number; readonly question: number; readonly url: string }
  | { readonly type: 'done'; readonly id: number; readonly outcome: RenderOutcome };
