import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Allowed, useMay } from '../../may.tsx';
import { useClient } from '../../session.ts';
import { Loaded } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

const SHOWN = 20;

/** Source groups to choose from, by the beginning of their names. */
export const GroupPicker = ({
  label,
  isChosen,
  toggle,
}: {
  readonly label: string;
  readonly isChosen: (group: { readonly id: string; readonly tag_ids: readonly string[] }) => boolean;
  readonly toggle: (id: string, chosen: boolean) => void;
}) => {
  const client = useClient();
  const [name, setName] = useState('');
  const query = useQuery({
    queryKey: ['source-groups', 'picker', name],
    enabled: useMay()('knowledge:read'),
    queryFn: ({ signal }) =>
      client.get('/source-groups', { query: { limit: SHOWN, ...(name !== '' && { name }) }, signal }),
  });
  return (
    <fieldset className="field picker">
      <legend>{label}</legend>
      <input
        type="search"
        aria-label={words.administration.groups.filter}
        placeholder={words.administration.groups.filter}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Allowed to={['knowledge:read']}>
        <Loaded query={query}>
          {({ source_groups: groups, pagination: { total } }) => (
            <div className="choices">
              {groups.length === 0 && <span className="faint">{words.administration.groups.none}</span>}
              {groups.map((group) => (
                <label key={group.id} className="check">
                  <input
                    type="checkbox"
                    checked={isChosen(group)}
                    onChange={({ target }) => toggle(group.id, target.checked)}
                  />
                  <span>
                    {group.name} <span className="faint">{words.kinds[group.source_type]}</span>
                  </span>
                </label>
              ))}
              {total > groups.length && (
                <span className="faint">{words.administration.groups.more(total - groups.length)}</span>
              )}
            </div>
          )}
        </Loaded>
      </Allowed>
    </fieldset>
  );
};
