/** What is read of an annotation of a page, as pdfjs gives it (ISO 32000-1, section 12.5). */
interface Annotation {
  readonly subtype?: unknown;
  readonly annotationFlags?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
  readonly fieldType?: unknown;
  readonly password?: unknown;
  readonly fieldValue?: unknown;
}

/** Flags `Hidden` and `NoView`. */
const NOT_SHOWN = 2 | 32;

/**
 * Text that a page shows beside its content: notes written onto it, and what was filled into its forms, in their order.
 * Comments that only open with a click are not shown, nor are passwords.
 */
export const annotationTexts = (annotations: readonly unknown[]): readonly string[] =>
  annotations
    .map((annotation) => annotation as Annotation)
    .filter(({ annotationFlags }) => (Number(annotationFlags ?? 0) & NOT_SHOWN) === 0)
    .flatMap(textsOf)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');

const textsOf = ({
  subtype,
  contentsObj,
  fieldType,
  fieldValue,
  password,
}: Annotation): readonly string[] => {
  if (subtype === 'FreeText') return typeof contentsObj?.str === 'string' ? [contentsObj.str] : [];
  if (subtype !== 'Widget' || password === true) return [];
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return [];
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string');
};
