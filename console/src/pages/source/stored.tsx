import { useEffect, useState } from 'react';
import { useClient } from '../../session.ts';
import { Failure, Loading } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { safePage } from './safe-page.ts';

interface StoredFile {
  readonly url: string;
  /** Of files that are text. */
  readonly text?: string;
}

const TEXT =
  /^(?:text\/|message\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript|x-ndjson|toml|sql|x-sh))/;

/**
 * The stored bytes: pictures and PDFs as such, pages without all that runs or loads, text as text. The rest can be kept
 * as a file.
 */
export const Stored = ({
  id,
  mediaType,
  name,
}: {
  readonly id: string;
  readonly mediaType: string;
  readonly name: string;
}) => {
  const client = useClient();
  const [file, setFile] = useState<StoredFile | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isSource, setSource] = useState(false);
  const isPicture = /^image\/(png|jpeg|webp|gif)/.test(mediaType);
  const isPdf = mediaType.startsWith('application/pdf');
  const isPage = /^(text\/html|application\/xhtml\+xml)/.test(mediaType);
  const isText = TEXT.test(mediaType);
  useEffect(() => {
    const over = new AbortController();
    let url: string | undefined;
    const read = async (): Promise<void> => {
      const response = await client.raw('GET', '/sources/{id}/raw', { path: { id }, signal: over.signal });
      const [, charset = 'utf-8'] = /charset=([\w-]+)/.exec(response.headers.get('content-type') ?? '') ?? [];
      const bytes = await response.arrayBuffer();
      // Under its own type a page would run in the origin of the console, where somebody opens it.
      const type = isPdf ? 'application/pdf' : isPicture ? mediaType : 'application/octet-stream';
      url = URL.createObjectURL(new Blob([bytes], { type }));
      setFile({ url, ...(isText && { text: decoded(bytes, charset) }) });
    };
    read().catch((error: unknown) => over.signal.aborted || setFailure(error));
    return () => {
      over.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [client, id, isPdf, isPicture, isText, mediaType]);
  if (failure !== null) return <Failure error={failure} />;
  if (file === null) return <Loading />;
  const { url, text } = file;
  return (
    <>
      <div className="actions">
        <a className="button" href={url} download={name}>
          {words.document.keep}
        </a>
        {isPage && (
          <label className="check">
            <input type="checkbox" checked={isSource} onChange={({ target }) => setSource(target.checked)} />
            <span>{words.document.sourceText}</span>
          </label>
        )}
      </div>
      <p className="faint">{words.document.storedHint}</p>
      {isPdf && !navigator.pdfViewerEnabled ? (
        <p className="faint">{words.document.noViewer}</p>
      ) : isPdf ? (
        <iframe className="stored" title={words.document.stored} src={`${url}#view=FitH&navpanes=0`} />
      ) : isPicture ? (
        <img className="stored" alt="" src={url} />
      ) : isPage && !isSource ? (
        <>
          <p className="faint">{words.document.pageHint}</p>
          <iframe
            className="stored page-as-stored"
            title={words.document.stored}
            sandbox=""
            srcDoc={safePage(text ?? '')}
          />
        </>
      ) : text === undefined ? (
        <p className="faint">{words.document.notShown(mediaType)}</p>
      ) : (
        <pre className="stored">{text}</pre>
      )}
    </>
  );
};

const decoded = (bytes: ArrayBuffer, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
