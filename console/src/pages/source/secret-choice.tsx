import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../../session.ts';
import type { Control } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';

const MOST = 100;

/** One of the secrets by its name; by its id where they cannot be listed, or are too many. */
export const SecretChoice = ({ common, value, change }: Control) => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['secrets', 'choice'],
    retry: false,
    queryFn: ({ signal }) => client.get('/secrets', { query: { limit: MOST }, signal }),
  });
  const chosen = typeof value === 'string' ? value : '';
  const choose = (id: string): void => change(id === '' ? undefined : id);
  if (data === undefined || data.pagination.has_more)
    return <input {...common} value={chosen} onChange={({ target }) => choose(target.value)} />;
  return (
    <>
      <select {...common} value={chosen} onChange={({ target }) => choose(target.value)}>
        <option value="">{words.create.noSecret}</option>
        {data.secrets.map(({ id, name, type }) => (
          <option key={id} value={id}>
            {name} ({type})
          </option>
        ))}
      </select>
      <small>
        <Link to="/administration" search={{ tab: 'secrets' }}>
          {words.create.newSecret}
        </Link>
      </small>
    </>
  );
};
