export interface CreateTag {
  readonly type: 'create';
  readonly tagId: string;
  readonly name: string;
  readonly description: string;
  readonly at: number;
}
export interface ChangeTag {
  readonly type: 'change';
  readonly tagId: string;
  /** Absent, here and below: it stays. */
  readonly name?: string;
  readonly description?: string;
  readonly at: number;
}
export interface DeleteTag {
  readonly type: 'delete';
  readonly tagId: string;
  readonly at: number;
}
/** That the source group exists was looked up: it has a stream of its own. */
export interface BindTag {
  readonly type: 'bind';
  readonly bindingId: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly at: number;
}
export interface UnbindTag {
  readonly type: 'unbind';
  readonly bindingId: string;
  readonly at: number;
}
export type TagCommand = CreateTag | ChangeTag | DeleteTag | BindTag | UnbindTag;
