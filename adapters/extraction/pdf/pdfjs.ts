import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Pdfjs from 'pdfjs-dist';
import { ExtractionFailure } from '../extraction-failure.ts';

type Library = Pick<typeof Pdfjs, 'getDocument' | 'VerbosityLevel' | 'OPS'>;

let loaded: Promise<Library> | undefined;

/** The library takes a quarter of a second to load: only readers of PDF load it. */
const loadPdfjs = (): Promise<Library> => {
  loaded ??= load();
  return loaded;
};

const load = async (): Promise<Library> => {
  // The library references these browser classes while it loads; only drawing would use them.
  const target = globalThis as Record<string, unknown>;
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) target[name] ??= function Absent() {};
  return import('pdfjs-dist/legacy/build/pdf.mjs');
};

/** Folders of the package with data for fonts of other scripts. */
const dataFolders = () => {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const folder = (name: string): string => `${join(root, name)}/`;
  return {
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
  };
};

/** An A4 page at 600 dpi has 35 million pixels. Larger images are skipped. */
const MAX_IMAGE_PIXELS = 40_000_000;

/**
 * Opens a document, passes it to `use` with the operator numbers of pages, and closes it.
 *
 * @throws {ExtractionFailure} `encrypted` when a password is needed, `truncated`, `parser_failed` when the file is
 * broken
 */
export const withPdf = async <Result>(
  bytes: Uint8Array,
  use: (document: Pdfjs.PDFDocumentProxy, operators: Readonly<Record<string, number>>) => Promise<Result>,
): Promise<Result> => {
  const { getDocument, VerbosityLevel, OPS } = await loadPdfjs();
  const task = getDocument({
    data: new Uint8Array(bytes),
    ...dataFolders(),
    maxImageSize: MAX_IMAGE_PIXELS,
    disableFontFace: true,
    useSystemFonts: false,
    // Forms with XFA pages: without this option they only say that another program is needed.
    enableXfa: true,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    return await use(await task.promise, OPS);
  } catch (error) {
    throw asFailure(error, bytes);
  } finally {
    await task.destroy();
  }
};

const asFailure = (error: unknown, bytes: Uint8Array): unknown => {
  if (!(error instanceof Error) || error instanceof ExtractionFailure) return error;
  if (error.name === 'PasswordException') {
    return new ExtractionFailure('encrypted', 'the PDF needs a password', { cause: error });
  }
  if (isCut(bytes))
    return new ExtractionFailure('truncated', 'the PDF is truncated: its end is missing', { cause: error });
  return new ExtractionFailure('parser_failed', `it is not readable as a PDF (${error.name})`, {
    cause: error,
  });
};

/**
 * The end marker is in the last kilobyte (ISO 32000-1, annex H, implementation note 18); some writers add a little
 * more.
 */
const isCut = (bytes: Uint8Array): boolean =>
  !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-4_096).includes('%%EOF');
