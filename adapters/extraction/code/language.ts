import type { Parser, SyntaxNode } from '@lezer/common';

/** How definitions look in the syntax trees of one programming language. Names are those of its grammar. */
export interface Language {
  readonly load: () => Promise<Parser>;
  /** What holds definitions, with the node that they are in: classes, namespaces. */
  readonly containers: Readonly<Record<string, string>>;
  /** What is read as a whole: functions, types. */
  readonly definitions: readonly string[];
  /** What stands around a definition: `export`, decorators. */
  readonly wrappers: readonly string[];
  /** What names a definition. */
  readonly names: readonly string[];
  /** Where that is not the first of `names`; null: as usual. */
  readonly nameOf?: (node: SyntaxNode, text: string) => string | null;
}
