/** A part of a form as it arrives. */
export type UploadPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      /** As the client wrote it, with or without folders. */
      readonly fileName: string;
      /** As the client claims; absent: it claims nothing. */
      readonly mediaType?: string;
      /** To be read to its end before the next part is asked for. */
      readonly body: AsyncIterable<Uint8Array>;
    };
