import type { Cookie } from '../cookies.ts';

/** Limits of one page, and of its share of the browser. */
export interface PageLimits {
  /** Time from opening the page until it is read, whatever it does. */
  readonly timeoutMs: number;
  /** Maximum time until the page is quiet; then it is read as it is. */
  readonly readyMs: number;
  /** A page is quiet when nothing is loading and nothing has changed for this long. */
  readonly quietMs: number;
  /** Requests of its scripts, styles and frames; further requests are aborted. */
  readonly requests: number;
  /** Bytes that the page may send and receive; then it loses the network. */
  readonly bytes: number;
  /** Size of the resulting HTML. */
  readonly htmlBytes: number;
  /** Memory of each process that works for the page. */
  readonly memoryBytes: number;
}

/** Settings of the process that drives the browser: its only argument, in JSON. */
export interface HostSettings {
  /** Absolute path of the browser. */
  readonly executable: string;
  /** A separate folder for everything that the browser writes. Deleted with the browser. */
  readonly folder: string;
  readonly sandbox: boolean;
  readonly userAgent: string;
  /** See `createAddressPolicy`. */
  readonly allowAddresses: readonly string[];
  readonly limits: PageLimits;
}

/** An HTML page as its server sent it. */
export interface PageSource {
  /** Absolute, http or https: the URL of the page, also for its scripts. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Those of its host. */
  readonly cookies?: readonly Cookie[];
}

export type RenderFailure = 'timed_out' | 'too_large' | 'out_of_memory' | 'browser_failed';

export type RenderOutcome =
  | {
      readonly kind: 'rendered';
      readonly html: Uint8Array;
      /** Absolute URL that scripts or a refresh tried to navigate to, perhaps its own; the page stayed. */
      readonly leadsTo: string | null;
      /** Those that its host has now. */
      readonly cookies?: readonly Cookie[];
    }
  | { readonly kind: 'failed'; readonly code: RenderFailure; readonly message: string };

export const failedRender = (code: RenderFailure, message: string): RenderOutcome => ({
  kind: 'failed',
  code,
  message,
});

/** Messages to the process that drives the browser. Several pages are open concurrently. */
export type ToHost =
  | { readonly type: 'open'; readonly id: number; readonly source: PageSource }
  /** The caller no longer waits for the page. */
  | { readonly type: 'close'; readonly id: number }
  | { readonly type: 'answer'; readonly question: number; readonly allowed: boolean };

export type FromHost =
  /** `browser` is the process group of the browser. */
  | { readonly type: 'ready'; readonly browser: number }
  | { readonly type: 'unstartable'; readonly message: string }
  /** Asks whether a page may load this URL. */
  | { readonly type: 'ask'; readonly id: number; readonly question: number; readonly url: string }
  | { readonly type: 'done'; readonly id: number; readonly outcome: RenderOutcome };
