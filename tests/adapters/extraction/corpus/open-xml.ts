import { zipFile, type ZipContent } from './zip-file.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN: Readonly<Record<string, readonly [string, string]>> = {
  docx: [
    'word/document.xml',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  ],
  docm: ['word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'],
  pptx: [
    'ppt/presentation.xml',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
  ],
  pptm: ['ppt/presentation.xml', 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml'],
  xlsx: ['xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'],
  xlsm: ['xl/workbook.xml', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'],
};

/** Relationships by id: the last segment of the type, and the target. */
export const relations = (entries: Readonly<Record<string, readonly [string, string]>>): string =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    entries,
  )
    .map(
      ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const packageOf = (type: string, main: string, parts: ZipContent): Buffer => {
  const [path, contentType] = MAIN[type]!;
  return zipFile({
    '[Content_Types].xml': `${HEAD}<Types><Override PartName="/${path}" ContentType="${contentType}"/></Types>`,
    '_rels/.rels': relations({
      rId1: ['officeDocument', path],
      rId2: ['metadata/core-properties', 'docProps/core.xml'],
    }),
    [path]: `${HEAD}${main}`,
    ...parts,
  });
};

export const properties = (title: string): ZipContent => ({
  'docProps/core.xml': `${HEAD}<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title><dc:language>en-GB</dc:language></cp:coreProperties>`,
});

/** @param body of the document, in WordprocessingML with the prefix `w` */
export const docxFile = (body: string, parts: ZipContent = {}, type: 'docx' | 'docm' = 'docx'): Buffer =>
  packageOf(
    type,
    `<w:document xmlns:w="w" xmlns:r="${RELATIONS}"><w:body>${body}</w:body></w:document>`,
    parts,
  );

export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** @param slides each the content of its shape tree, with the prefixes `p` and `a` */
export const pptxFile = (
  slides: readonly string[],
  parts: ZipContent = {},
  type: 'pptx' | 'pptm' = 'pptx',
): Buffer => {
  const numbers = slides.map((_, index) => index + 1);
  const ids = numbers.map((number) => `<p:sldId id="${255 + number}" r:id="rId${number}"/>`).join('');
  return packageOf(
    type,
    `<p:presentation xmlns:p="p" xmlns:r="${RELATIONS}"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    {
      'ppt/_rels/presentation.xml.rels': relations(
        Object.fromEntries(numbers.map((number) => [`rId${number}`, ['slide', `slides/slide${number}.xml`]])),
      ),
      ...Object.fromEntries(
        slides.map((slide, index) => [
          `ppt/slides/slide${index + 1}.xml`,
          `${HEAD}<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="${RELATIONS}"><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
        ]),
      ),
      ...parts,
    },
  );
};

export const shape = (lines: readonly string[], placeholder = ''): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder === '' ? '' : `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

/** @param sheets by name, each the content of its `sheetData` */
export const xlsxFile = (
  sheets: Readonly<Record<string, string>>,
  parts: ZipContent = {},
  type: 'xlsx' | 'xlsm' = 'xlsx',
): Buffer => {
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return packageOf(type, `<workbook xmlns:r="${RELATIONS}"><sheets>${listed.join('')}</sheets></workbook>`, {
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(
        names.map((_, index) => [`rId${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`]]),
      ),
      rIdStrings: ['sharedStrings', 'sharedStrings.xml'],
      rIdStyles: ['styles', 'styles.xml'],
    }),
    ...Object.fromEntries(
      Object.values(sheets).map((data, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${HEAD}<worksheet><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
};

/** Rows of texts (inline) and numbers. */
export const rowsOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map((cells, index) => {
      const written = cells.map((cell, column) => {
        const at = `r="${String.fromCharCode(65 + column)}${index + 1}"`;
        return typeof cell === 'number'
          ? `<c ${at}><v>${cell}</v></c>`
          : `<c ${at} t="inlineStr"><is><t>${cell}</t></is></c>`;
      });
      return `<row r="${index + 1}">${written.join('')}</row>`;
    })
    .join('');

/** `BC` of 55, counted from 1. */
export const columnName = (column: number): string =>
  column === 0
    ? ''
    : columnName(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
