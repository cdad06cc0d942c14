import type { Request, Response } from 'express';
import type { UploadPart } from '../../../application/sources/uploads/upload-area.ts';
import { HttpProblem } from '../problem.ts';
import { mustBePlain, openFormBody } from './form-body.ts';
import { isForm, readForm, untilLeft } from './read-form.ts';

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}[ \t]*(?:;|$)/;
/** The default type of clients that do not specify one. */
const OF_NO_DOCUMENT = /^application\/x-www-form-urlencoded/i;

/**
 * Reads a document as a stream: the body itself, with the type in its Content-Type, or the part `file` of a form.
 * Nothing is read from the connection before the first part is requested.
 *
 * @throws HttpProblem unsupported_media_type immediately; between parts, or as an error of the bytes, also
 * payload_too_large and invalid_request
 */
export const readDocument = (req: Request, res: Response): AsyncIterable<UploadPart> => {
  const mediaType = req.headers['content-type'] ?? '';
  if (isForm(req)) return opensOnRead(() => readForm(req, res, { files: 'file', most: 1 }));
  if (!MEDIA_TYPE.test(mediaType) || OF_NO_DOCUMENT.test(mediaType))
    throw new HttpProblem(
      'unsupported_media_type',
      'set the Content-Type of the document, such as text/markdown or application/pdf',
    );
  mustBePlain(req, 'document');
  return opensOnRead(() => {
    const { stream, leave } = openFormBody(req, res, { noun: 'document' });
    // Without a listener, an error of a body that is not read would end the process.
    stream.on('error', () => {});
    return untilLeft(single({ kind: 'file', fileName: '', mediaType, body: stream }), leave);
  });
};

async function* opensOnRead(open: () => AsyncIterable<UploadPart>): AsyncGenerator<UploadPart> {
  yield* open();
}

async function* single(part: UploadPart): AsyncGenerator<UploadPart> {
  yield part;
}
