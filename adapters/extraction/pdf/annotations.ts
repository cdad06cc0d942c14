/** The used fields of an annotation of a page in pdfjs (ISO 32000-1, section 12.5). */
interface Annotation {
  readonly subtype?: unknown;
  readonly annotationFlags?: unknown;
  readonly contentsObj?: Text;
  readonly titleObj?: Text;
  /** Lines that its appearance shows. */
  readonly textContent?: unknown;
  readonly fieldType?: unknown;
  readonly password?: unknown;
  readonly fieldValue?: unknown;
  readonly fieldName?: unknown;
  readonly alternativeText?: unknown;
  readonly options?: unknown;
  readonly checkBox?: unknown;
  readonly exportValue?: unknown;
  readonly radioButton?: unknown;
  readonly buttonValue?: unknown;
}

interface Text {
  readonly str?: unknown;
}

/** Flags `Hidden` and `NoView`. */
const NOT_SHOWN = 2 | 32;

/** Types that carry a comment, which viewers show next to the page. */
const COMMENTED = new Set(
  'Text Highlight Underline StrikeOut Squiggly Caret Ink Square Circle Line Polygon PolyLine Stamp'.split(
    ' ',
  ),
);

/**
 * Text that a page shows in addition to its content, in order: notes on it, comments with their authors, and form
 * values, including check boxes and their meaning. Passwords are not shown.
 */
export const annotationTexts = (annotations: readonly unknown[]): readonly string[] =>
  annotations
    .map((annotation) => annotation as Annotation)
    .filter(({ annotationFlags }) => (Number(annotationFlags ?? 0) & NOT_SHOWN) === 0)
    .flatMap(textsOf)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');

const textsOf = (annotation: Annotation): readonly string[] => {
  const { subtype, contentsObj, titleObj } = annotation;
  const contents = wordsOf(contentsObj?.str);
  if (subtype === 'FreeText') return [contents === '' ? shownText(annotation) : contents];
  if (subtype === 'Widget') return fieldTexts(annotation);
  if (contents === '' || !COMMENTED.has(String(subtype))) return [];
  const author = wordsOf(titleObj?.str);
  return [`${author === '' ? 'Comment' : `Comment by ${author}`}: ${contents}`];
};

const fieldTexts = (field: Annotation): readonly string[] => {
  const { fieldType, fieldValue, password } = field;
  if (password === true) return [];
  if (fieldType === 'Btn') return buttonTexts(field);
  if (fieldType === 'Ch') return chosen(field);
  if (fieldType !== 'Tx') return [];
  // As its appearance shows it: with currency signs, and formatted dates.
  const shown = shownText(field);
  return [shown === '' ? wordsOf(fieldValue) : shown];
};

const buttonTexts = (field: Annotation): readonly string[] => {
  const { checkBox, exportValue, radioButton, buttonValue, fieldValue } = field;
  const label = wordsOf(field.alternativeText) || wordsOf(field.fieldName);
  const isOn = (value: unknown): boolean => typeof value === 'string' && value === fieldValue;
  if (checkBox === true) return [`${isOn(exportValue) ? '☒' : '☐'} ${label}`];
  return radioButton === true && isOn(buttonValue) ? [`☒ ${label}: ${wordsOf(buttonValue)}`] : [];
};

/** The labels of choices differ from the submitted values. */
const chosen = ({ fieldValue, options }: Annotation): readonly string[] => {
  const known = new Map<unknown, unknown>();
  for (const option of Array.isArray(options) ? (options as readonly unknown[]) : []) {
    const { exportValue, displayValue } = option as Readonly<Record<string, unknown>>;
    known.set(exportValue, displayValue);
  }
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.map((value) => wordsOf(known.get(value) ?? value));
};

const shownText = ({ textContent }: Annotation): string =>
  Array.isArray(textContent) ? textContent.map(wordsOf).join('\n') : '';

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');
