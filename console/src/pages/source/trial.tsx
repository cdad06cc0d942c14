import { useMutation } from '@tanstack/react-query';
import type { ConnectionTest, ScrapedPage } from 'knowledger-client';
import type { Kind } from '../../kinds.ts';
import { useClient } from '../../session.ts';
import { useBodySchema } from '../../ui/body-schema.ts';
import { Failure, Loading } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

type Values = Readonly<Record<string, unknown>>;

/** Tests address and secret as they stand in a form, and keeps nothing: a crawl shows what it would read. */
export const Trial = ({ kind, values }: { readonly kind: Kind; readonly values: Values }) => {
  const client = useClient();
  const { data: schema } = useBodySchema(kind.schema ?? '');
  const place = kind.place === null ? undefined : values[kind.place];
  const test = useMutation({
    mutationFn: async (typed: Values): Promise<ConnectionTest | ScrapedPage> => {
      if (kind.type === 'crawl')
        return client.post('/scrape', {
          body: {
            url: String(place),
            formats: ['markdown', 'metadata'],
            ...(typed['use_browser'] === true && { use_browser: true }),
          },
        });
      const known = Object.entries(typed).filter(([name]) => name !== 'rrule' && schema?.properties[name]);
      const body = { name: place, ...Object.fromEntries(known) };
      return (await (await client.raw('POST', `${kind.path}/test`, { body })).json()) as ConnectionTest;
    },
  });
  if (kind.place === null) return null;
  return (
    <div className="try" aria-live="polite">
      <button
        type="button"
        disabled={test.isPending || place === undefined || schema === undefined}
        onClick={() => test.mutate(values)}
      >
        {words.create.test}
      </button>
      {test.isPending && <Loading />}
      {!test.isIdle && test.variables !== values && <p className="faint">{words.create.olderValues}</p>}
      {test.error !== null && <Failure error={test.error} named={words.fields.sources[kind.type]} />}
      {test.data !== undefined && <Found found={test.data} />}
    </div>
  );
};

const PREVIEWED = 400;

const Found = ({ found }: { readonly found: ConnectionTest | ScrapedPage }) => {
  if (!('reached' in found))
    return (
      <blockquote className="preview">
        <strong>{found.metadata?.title}</strong>
        <p>{found.markdown?.slice(0, PREVIEWED)}</p>
      </blockquote>
    );
  const { reached, items = 0, more = false, first_item: first, error } = found;
  if (!reached)
    return (
      <div className="failure" role="alert">
        <p>
          <strong>{error?.title}</strong>
        </p>
        <p>{error?.message}</p>
      </div>
    );
  return (
    <p className="reached">
      {first === undefined ? words.create.nothingThere : words.create.reached(items, more, first)}
    </p>
  );
};
