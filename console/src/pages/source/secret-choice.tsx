import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../may.tsx';
import { useClient } from '../../session.ts';
import type { Control } from '../../ui/field.tsx';
import { words } from '../../words.ts';
import { SecretEditor } from '../administration/secrets.tsx';

const MOST = 100;

/** One of the secrets by its name, or a new one; by its id where they cannot be listed, or are too many. */
export const SecretChoice = ({ common, value, change }: Control) => {
  const client = useClient();
  const may = useMay();
  const [creates, setCreates] = useState(false);
  const { data } = useQuery({
    queryKey: ['secrets', 'choice'],
    retry: false,
    enabled: may('ingestion:manage everywhere'),
    queryFn: ({ signal }) => client.get('/secrets', { query: { limit: MOST }, signal }),
  });
  const chosen = typeof value === 'string' ? value : '';
  const choose = (id: string): void => change(id === '' ? undefined : id);
  if (data === undefined || data.pagination.has_more)
    return <input {...common} value={chosen} onChange={({ target }) => choose(target.value)} />;
  return (
    <div className="secret-choice">
      <select {...common} value={chosen} onChange={({ target }) => choose(target.value)}>
        <option value="">{words.create.noSecret}</option>
        {data.secrets.map(({ id, name, type }) => (
          <option key={id} value={id}>
            {name} ({words.administration.secrets.types[type]})
          </option>
        ))}
      </select>
      <button type="button" onClick={() => setCreates(true)}>
        {words.administration.secrets.new}
      </button>
      {creates && (
        // What its form sends must not reach the form around it.
        <div onSubmit={(event) => event.stopPropagation()}>
          <SecretEditor row={null} close={() => setCreates(false)} created={({ id }) => choose(id)} />
        </div>
      )}
    </div>
  );
};
