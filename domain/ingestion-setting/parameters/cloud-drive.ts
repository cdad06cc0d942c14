/** Of a folder of a cloud drive, with all that is in it. */
export interface CloudDriveParameters {
  readonly kind: 'cloud_drive';
  /** As people open it in a browser. */
  readonly folderUrl: string;
  /** The secret that the drive is asked with; null: none yet, and no job succeeds. */
  readonly secretId: string | null;
}
/** Everything but the place itself, which makes the data source this one. */
export type CloudDriveFixed = 'folderUrl';
