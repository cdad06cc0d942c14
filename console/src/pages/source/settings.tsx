import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Occurrences } from 'knowledger-client';
import { useState } from 'react';
import type { Kind } from '../../kinds.ts';
import { useClient } from '../../session.ts';
import { useAddress } from '../../ui/address.ts';
import { shown } from '../../ui/format.ts';
import { History, HistoryButton } from '../../ui/history.tsx';
import { Card, Failure, Loaded, Time } from '../../ui/parts.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import type { BodySchema } from '../../ui/schema.ts';
import { emptyOf, type Values } from '../../ui/schema-form.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { words } from '../../words.ts';
import { attemptsOf } from './attempts.ts';
import { Calendar } from './calendar.tsx';
import { SourceFields } from './source-fields.tsx';
import { Trial } from './trial.tsx';
import { useTrail } from './trail.ts';

/** Times of a schedule that the API tells at once. */
const MOST = 100;

export const Settings = ({
  kind,
  id,
  settingId,
}: {
  readonly kind: Kind;
  readonly id: string;
  readonly settingId: string;
}) => {
  const client = useClient();
  const [isSaved, setSaved] = useState(false);
  const { trail } = useTrail(kind, id);
  const read = async <Answer,>(path: string, signal: AbortSignal, query = {}): Promise<Answer> => {
    const asked = { path: { id: settingId }, query, signal };
    const response = await client.raw('GET', `${kind.settings}/{id}${path}`, asked);
    return (await response.json()) as Answer;
  };
  const setting = useQuery({
    queryKey: ['setting', settingId],
    queryFn: ({ signal }) => read<Values>('', signal),
  });
  const next = useQuery({
    queryKey: ['occurrences', settingId],
    queryFn: ({ signal }) => read<Occurrences>('/occurrences', signal, { limit: MOST }),
  });
  const today = (
    <div className="columns">
      <Card title={words.source.settings}>
        <Loaded query={setting}>
          {(record) => (
            <Form
              key={shown(record)}
              kind={kind}
              settingId={settingId}
              record={record}
              done={() => setSaved(true)}
            />
          )}
        </Loaded>
        {isSaved && <p role="status">{words.source.saved}</p>}
      </Card>
      <Card title={words.source.schedule}>
        <Loaded query={next}>
          {({ occurrences }) => (
            <>
              <p className={occurrences.length === 0 ? 'faint' : ''}>
                {occurrences.length === 0 ? (
                  words.source.noSchedule
                ) : (
                  <>
                    {words.source.next}: <Time at={occurrences[0]} exact="planned" /> (
                    <Time at={occurrences[0]} />)
                  </>
                )}
              </p>
              <Calendar attempts={attemptsOf(trail)} next={occurrences} />
              {occurrences.length === MOST && <small>{words.source.planMore(MOST)}</small>}
            </>
          )}
        </Loaded>
      </Card>
    </div>
  );
  const isPast = useAddress().asked.at !== undefined;
  return (
    <>
      <div className="list-tools">
        <HistoryButton />
      </div>
      {isPast ? <History path={`${kind.settings}/{id}`} id={settingId} /> : today}
    </>
  );
};

/** Sends only what differs from the record: an absent field stays as it is. */
const Form = ({
  kind,
  settingId,
  record,
  done,
}: {
  readonly kind: Kind;
  readonly settingId: string;
  readonly record: Values;
  readonly done: () => void;
}) => {
  const client = useClient();
  const queries = useQueryClient();
  const known = useBodySchema(kind.change!);
  const [values, setValues] = useState(record);
  const { saved, question } = useUnsaved(shown(values) !== shown(record), words.forms.unsaved);
  const save = useMutation({
    mutationFn: async ({ properties }: BodySchema) => {
      const changed = Object.entries(properties).filter(
        ([name]) => shown(values[name]) !== shown(record[name]),
      );
      const body = Object.fromEntries(
        changed.map(([name, property]) => [name, values[name] ?? emptyOf(property)]),
      );
      await client.raw('PUT', `${kind.settings}/{id}`, { path: { id: settingId }, body });
    },
    onSuccess: async () => {
      saved();
      done();
      await queries.invalidateQueries();
    },
  });
  return (
    <Loaded query={known}>
      {(schema) => (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(schema);
          }}
        >
          <SourceFields kind={kind} schema={schema} values={values} change={setValues} isWhole />
          <Trial kind={kind} values={values} />
          {save.error !== null && <Failure error={save.error} named={words.fields.sources[kind.type]} />}
          <div className="actions">
            <button type="submit" className="main" disabled={save.isPending || values === record}>
              {words.actions.save}
            </button>
          </div>
          {question}
        </form>
      )}
    </Loaded>
  );
};
