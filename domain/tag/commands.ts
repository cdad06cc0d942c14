export interface CreateTag {
  readonly type: 'create';
  readonly tag_id: string;
  readonly name: string;
  readonly description: string;
  readonly at: number;
}
export interface ChangeTag {
  readonly type: 'change';
  readonly tag_id: string;
  /** Absent, here and below: it stays. */
  readonly name?: string;
  readonly description?: string;
  readonly at: number;
}
export interface DeleteTag {
  readonly type: 'delete';
  readonly tag_id: string;
  readonly at: number;
}
/** That the source group exists was looked up: it has a stream of its own. */
export interface BindTag {
  readonly type: 'bind';
  readonly binding_id: string;
  readonly tag_id: string;
  readonly source_group_id: string;
  readonly at: number;
}
export interface UnbindTag {
  readonly type: 'unbind';
  readonly binding_id: string;
  readonly at: number;
}
export type TagCommand = CreateTag | ChangeTag | DeleteTag | BindTag | UnbindTag;
