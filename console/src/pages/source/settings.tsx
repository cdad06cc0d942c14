import { useQuery } from '@tanstack/react-query';
import type { Occurrences } from 'knowledger-client';
import type { Kind } from '../../kinds.ts';
import { useClient } from '../../session.ts';
import { shown } from '../../ui/format.ts';
import { Card, Loaded, Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

export const Settings = ({ kind, settingId }: { readonly kind: Kind; readonly settingId: string }) => {
  const client = useClient();
  const read = async <Answer,>(path: string, signal: AbortSignal, query = {}): Promise<Answer> => {
    const response = await client.raw('GET', `${kind.settings}/{id}${path}`, {
      path: { id: settingId },
      query,
      signal,
    });
    return (await response.json()) as Answer;
  };
  const setting = useQuery({
    queryKey: ['setting', settingId],
    queryFn: ({ signal }) => read<Readonly<Record<string, unknown>>>('', signal),
  });
  const next = useQuery({
    queryKey: ['occurrences', settingId],
    queryFn: ({ signal }) => read<Occurrences>('/occurrences', signal, { limit: 10 }),
  });
  return (
    <div className="columns">
      <Card title={words.source.settings}>
        <Loaded query={setting}>
          {(record) => (
            <dl className="facts">
              {Object.entries(record).map(([name, value]) => (
                <div key={name}>
                  <dt>{name.replaceAll('_', ' ')}</dt>
                  <dd>{shown(value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </Loaded>
      </Card>
      <Card title={words.source.next}>
        <Loaded query={next}>
          {({ occurrences }) =>
            occurrences.length === 0 ? (
              <p className="faint">{words.source.noSchedule}</p>
            ) : (
              <ul className="list">
                {occurrences.map((at) => (
                  <li key={at}>
                    <Time at={at} exact />
                    <Time at={at} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
};
