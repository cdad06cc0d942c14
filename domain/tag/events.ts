/**
 * Facts of the tags of one tenant and of their bindings to source groups, one stream per tenant: "a name is taken once"
 * and "a pair is bound once" are rules over all of them.
 */

export interface TagCreated {
  readonly type: 'TagCreated';
  readonly tagId: string;
  readonly name: string;
  /** Empty: none. */
  readonly description: string;
  readonly at: number;
}
/** Name and description as they are from now on. */
export interface TagChanged {
  readonly type: 'TagChanged';
  readonly tagId: string;
  readonly name: string;
  readonly description: string;
  readonly at: number;
}
/** The bindings of the tag end with it; its name is free again. */
export interface TagDeleted {
  readonly type: 'TagDeleted';
  readonly tagId: string;
  readonly at: number;
}
/** A source group carries the tag from now on. */
export interface TagBound {
  readonly type: 'TagBound';
  readonly bindingId: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly at: number;
}
export interface TagUnbound {
  readonly type: 'TagUnbound';
  readonly bindingId: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly at: number;
}
export type TagEvent = TagCreated | TagChanged | TagDeleted | TagBound | TagUnbound;
