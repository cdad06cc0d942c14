import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from './may.tsx';
import { usePages } from './navigation.ts';
import type { Need } from './needs.ts';
import { ADMINISTRATION, NEEDS } from './pages/administration/tabs.ts';
import { signOut, useClient } from './session.ts';
import { Dialog } from './ui/dialog.tsx';
import { words } from './words.ts';

interface Entry {
  readonly label: string;
  readonly needs?: readonly Need[];
  readonly run: () => void;
}

/** Everything that can be gone to or done, by typing a part of its name. */
export const Palette = ({ close }: { readonly close: () => void }) => {
  const navigate = useNavigate();
  const client = useClient();
  const may = useMay();
  const pages = usePages();
  const [typed, setTyped] = useState('');
  const name = typed.trim().slice(0, 200);
  const sources = useQuery({
    queryKey: ['palette', name],
    enabled: name !== '' && may('knowledge:read'),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.get('/source-groups', { query: { name, limit: 8 }, signal }),
  });
  const named = name === '' ? [] : (sources.data?.source_groups ?? []);
  const [at, setAt] = useState(0);
  const all: readonly Entry[] = [
    ...pages.map(({ to, label }) => ({ label, run: () => void navigate({ to }) })),
    {
      label: words.pages.conversations,
      needs: ['inference:run'],
      run: () => void navigate({ to: '/conversations' }),
    },
    {
      label: words.sources.new,
      needs: ['ingestion:manage everywhere'],
      run: () => void navigate({ to: '/sources/new' }),
    },
    {
      label: words.agents.new,
      needs: ['inference:run'],
      run: () => void navigate({ to: '/agents', search: { new: '1' } }),
    },
    ...ADMINISTRATION.map((tab) => ({
      label: `${words.pages.administration}: ${words.administration.tabs[tab]}`,
      needs: [NEEDS[tab]],
      run: () => void navigate({ to: '/administration', search: { tab } }),
    })),
    {
      label: `${words.overview.failed}: ${words.pages.sources}`,
      needs: ['knowledge:read'],
      run: () => void navigate({ to: '/sources', search: { status: 'failure' } }),
    },
    { label: words.actions.signOut, run: signOut },
    ...named.map(({ id, name: label, source_type: type }) => ({
      label,
      run: () => void navigate({ to: '/sources/$type/$id', params: { type, id } }),
    })),
    ...(typed.trim() === ''
      ? []
      : [
          {
            label: `${words.search.search}: ${typed}`,
            needs: ['knowledge:read'] as const,
            run: () => void navigate({ to: '/search', search: { q: typed } }),
          },
        ]),
  ];
  const fitting = all.filter(
    ({ label, needs = [] }) => label.toLowerCase().includes(typed.trim().toLowerCase()) && may(...needs),
  );
  const chosen = Math.min(at, fitting.length - 1);
  return (
    <Dialog title={words.keys.palette} close={close}>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={`palette-${chosen}`}
        aria-label={words.keys.palette}
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, fitting.length - 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
          else if (event.key === 'Enter') {
            fitting[chosen]?.run();
            close();
          } else return;
          event.preventDefault();
        }}
      />
      <div id="palette" role="listbox" aria-label={words.keys.palette} className="palette">
        {fitting.map(({ label, run }, i) => (
          <div
            // Sources may have one name.
            key={`${i} ${label}`}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onMouseMove={() => setAt(i)}
            onClick={() => {
              run();
              close();
            }}
            onKeyDown={() => undefined}
          >
            {label}
          </div>
        ))}
      </div>
    </Dialog>
  );
};
