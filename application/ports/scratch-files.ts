/** Bytes for readers that take a file, which nothing else is to know of. */
export interface ScratchFiles {
  /**
   * Has `use` read the bytes at a path of this machine, which others cannot read. The file is gone when this settles;
   * what a process leaves that is killed meanwhile is the system's to clear.
   *
   * @throws what `use` throws
   */
  readonly withFile: <Result>(bytes: Uint8Array, use: (path: string) => Promise<Result>) => Promise<Result>;
}
