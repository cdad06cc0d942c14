/** Parameters of a push. It has none, because the pushing process controls everything. */
export interface PushParameters {
  readonly kind: 'push';
}
/** There is no parameter to change. */
export type ImmutablePushParameter = never;
