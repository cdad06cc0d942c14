import type { ApiKeyRow } from './api-key-view.ts';
import type { Position } from './event-store.ts';

/**
 * What keys open, told beside the view of keys: from the moment that a mark is there, every look-up that begins then goes
 * by it, however far the view is behind. A mark follows its fact, and the answer to the caller follows the mark.
 */
export interface ApiKeyMarks {
  /** The key with the row's hash opens what the row says. `position` is that of the fact. */
  readonly open: (row: ApiKeyRow, position: Position) => Promise<void>;
  /** The key with this hash opens nothing any more. */
  readonly close: (keyHash: string, position: Position) => Promise<void>;
}
