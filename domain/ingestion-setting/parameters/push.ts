/** Of a push: the process that feeds it knows all else. */
export interface PushParameters {
  readonly kind: 'push';
}
/** There is nothing to change. */
export type PushFixed = never;
