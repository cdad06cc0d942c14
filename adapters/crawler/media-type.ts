export interface MediaType {
  /** Lower case `type/subtype`, or `''` where the header names none. */
  readonly mediaType: string;
  /** As given, without quotes. */
  readonly charset: string | null;
}

/** Reads a Content-Type header (RFC 9110, section 8.3). Where it is sent twice, the last one counts, as in browsers. */
export const parseContentType = (header: string | null): MediaType => {
  if (header === null) return { mediaType: '', charset: null };
  const last = header.split(',').at(-1) ?? '';
  const mediaType = /^\s*([^\s;/,]+\/[^\s;,]+)/.exec(last)?.[1]?.toLowerCase() ?? '';
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(last);
  return { mediaType, charset: charset?.[1] ?? charset?.[2] ?? null };
};

/** Whether links can be read from it. */
export const isHtml = (mediaType: string): boolean =>
  mediaType === 'text/html' || mediaType === 'application/xhtml+xml';

const SNIFFED_BYTES = 512;
const MARKUP = /^(?:ï»¿)?\s*<(?:!doctype html|!--|html|head|body|title|meta|script|table|div|h1|p|a|br)\b/i;

/** A body without a media type, judged by how it begins (a small part of WHATWG MIME Sniffing, section 7.1). */
export const sniffMediaType = (body: Uint8Array): string => {
  const start = body.subarray(0, SNIFFED_BYTES);
  const text = new TextDecoder('windows-1252').decode(start);
  if (MARKUP.test(text)) return 'text/html';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  return start.some(isBinary) ? 'application/octet-stream' : 'text/plain';
};

const isBinary = (byte: number): boolean =>
  byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b;
