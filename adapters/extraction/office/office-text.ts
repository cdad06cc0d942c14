import type { TextUnit } from '../../../domain/chunking/chunk.ts';

/** What a reader of office files takes from one. */
export interface OfficeText {
  readonly title: string | null;
  readonly language: string | null;
  readonly units: TextUnit[];
}
