/** Parameters of a cloud drive folder, including everything in it. */
export interface CloudDriveParameters {
  readonly kind: 'cloud_drive';
  /** The URL of the folder in a browser. */
  readonly folderUrl: string;
  /** The secret for the drive; null while none is set: then no job succeeds. */
  readonly secretId: string | null;
}
/** The parameter that cannot be changed, because it identifies the data source. */
export type ImmutableCloudDriveParameter = 'folderUrl';
