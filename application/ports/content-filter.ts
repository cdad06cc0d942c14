import type { Filter } from '../../domain/filter/filter.ts';

/**
 * Tags that the source group of a content carries, by name and by id: one of them (OR), or all of them (AND). A tag that
 * there is not is carried by nothing. Names are compared as they are written.
 */
export interface TagFilter {
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly logic: 'AND' | 'OR';
}

/** Conditions on contents; all that are given must hold. An empty list of values lets nothing through. */
export interface ContentFilter {
  readonly sourceGroupIds?: readonly string[];
  readonly tags?: TagFilter;
  readonly sourceTypes?: readonly string[];
  readonly fileTypes?: readonly string[];
  /** Bounds on `timestamp`, Unix seconds, inclusive. */
  readonly dateFrom?: number;
  readonly dateTo?: number;
  /** The host of the URL is one of these or lies under one. */
  readonly domains?: readonly string[];
  /** On the metadata of the source, and of the chunk itself. */
  readonly sourceMetadata?: readonly Filter[];
  readonly chunkMetadata?: readonly Filter[];
}
