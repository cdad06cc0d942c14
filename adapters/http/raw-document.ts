const text = (description: string) => ({ description, schema: { type: 'string' } });
const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const whole = {
  etag: text('SHA-256 of the bytes, in hex and quoted'),
  'content-disposition': text('attachment'),
  'accept-ranges': text('bytes'),
};

/** How the OpenAPI document describes the download of a stored file. */
export const RAW_ANSWERS = {
  200: { description: 'The stored bytes', headers: whole, content: bytes },
  206: {
    description: 'The range that was asked for',
    headers: { ...whole, 'content-range': text('Which bytes of how many') },
    content: bytes,
  },
  304: { description: 'The copy that If-None-Match names is still right', headers: { etag: whole.etag } },
};
export const RAW_HEADERS = {
  range:
    'One range of bytes; several that the file has are answered with the whole file, none that it has with 416',
  'if-none-match': 'Tags of copies at hand',
  'if-range': 'Tag of the copy that the range is to complete',
};
