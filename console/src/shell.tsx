import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Dialog } from './ui/dialog.tsx';
import { isTyping } from './ui/keys.ts';
import { ADMINISTRATION } from './pages/administration/tabs.ts';
import { useLive } from './live.ts';
import { howItStarted, signOut, useClient, usePerson } from './session.ts';
import { nextTheme, theme } from './theme.ts';
import { words } from './words.ts';

const PAGES = [
  { to: '/', label: words.pages.overview, key: '1' },
  { to: '/sources', label: words.pages.sources, key: '2' },
  { to: '/problems', label: words.pages.problems, key: '3' },
  { to: '/search', label: words.pages.search, key: '4' },
  { to: '/events', label: words.pages.events, key: '5' },
  { to: '/agents', label: words.pages.agents, key: '6' },
  { to: '/administration', label: words.pages.administration, key: '7' },
] as const;

export const Shell = () => {
  useLive();
  const router = useRouter();
  // A page whose code is not here yet would be lost while the service restarts.
  useEffect(() => {
    for (const { to } of PAGES) void router.preloadRoute({ to });
  }, [router]);
  const person = usePerson();
  const navigate = useNavigate();
  const { href, pathname } = useLocation();
  // On a narrow screen the chosen page and tab may lie beside it.
  useEffect(() => {
    for (const chosen of document.querySelectorAll('.nav-link.active, .tab[aria-current]'))
      chosen.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [href]);
  const [shows, setShows] = useState<'help' | 'palette' | null>(null);
  const [look, setLook] = useState(theme);
  const [warns, setWarns] = useState(howItStarted() === 'linked');
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        return setShows('palette');
      }
      if (isTyping(event)) return;
      const page = PAGES.find(({ key }) => key === event.key);
      if (page !== undefined) void navigate({ to: page.to });
      else if (event.key === '?') setShows('help');
      else if (event.key === '/') {
        event.preventDefault();
        document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [navigate]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {words.keys.skip}
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          <span className="brand-mark" aria-hidden="true" />
          {words.product}
        </Link>
        <nav aria-label={words.pages.all}>
          {PAGES.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              className="nav-link"
              // Conversations begin there, and have no entry of their own.
              {...(to === '/search' &&
                pathname.startsWith('/conversations') && {
                  className: 'nav-link active',
                  'aria-current': 'page' as const,
                })}
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="bar-end">
          <button type="button" className="quiet" onClick={() => setShows('palette')}>
            {words.keys.palette} <kbd>Ctrl K</kbd>
          </button>
          <button type="button" className="quiet" onClick={() => setLook(nextTheme())}>
            {words.theme[look]}
          </button>
          {person !== null && <span className="person">{person}</span>}
          <button type="button" className="quiet" onClick={signOut}>
            {words.actions.signOut}
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Offline />
        {warns && (
          <div className="notice">
            <small>{words.signIn.linked}</small>
            <button type="button" className="quiet" onClick={() => setWarns(false)}>
              {words.signIn.understood}
            </button>
          </div>
        )}
        <Outlet />
      </main>
      {shows === 'help' && <Help close={() => setShows(null)} />}
      {shows === 'palette' && <Palette close={() => setShows(null)} />}
    </div>
  );
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

const Offline = () =>
  useSyncExternalStore(subscribe, () => navigator.onLine) ? null : (
    <p className="failure partial" role="alert">
      {words.errors.offline}
    </p>
  );

const Help = ({ close }: { readonly close: () => void }) => (
  <Dialog title={words.keys.title} close={close}>
    <dl className="keys">
      {PAGES.map(({ key, label }) => (
        <Row key={key} keys={key} what={label} />
      ))}
      <Row keys="Ctrl K" what={words.keys.palette} />
      <Row keys="/" what={words.keys.search} />
      <Row keys="↓ ↑" what={`${words.keys.next}, ${words.keys.previous.toLowerCase()}`} />
      <Row keys="Enter" what={words.keys.open} />
      <Row keys={words.keys.unfoldKey} what={words.keys.unfold} />
      <Row keys="?" what={words.keys.help} />
    </dl>
  </Dialog>
);

const Row = ({ keys, what }: { readonly keys: string; readonly what: string }) => (
  <div>
    <dt>
      <kbd>{keys}</kbd>
    </dt>
    <dd>{what}</dd>
  </div>
);

/** Everything that can be gone to or done, by typing a part of its name. */
const Palette = ({ close }: { readonly close: () => void }) => {
  const navigate = useNavigate();
  const client = useClient();
  const [typed, setTyped] = useState('');
  const name = typed.trim().slice(0, 200);
  const sources = useQuery({
    queryKey: ['palette', name],
    enabled: name !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.get('/source-groups', { query: { name, limit: 8 }, signal }),
  });
  const named = name === '' ? [] : (sources.data?.source_groups ?? []);
  const [at, setAt] = useState(0);
  const all: readonly { readonly label: string; readonly run: () => void }[] = [
    ...PAGES.map(({ to, label }) => ({ label, run: () => void navigate({ to }) })),
    { label: words.pages.conversations, run: () => void navigate({ to: '/conversations' }) },
    { label: words.sources.new, run: () => void navigate({ to: '/sources/new' }) },
    { label: words.agents.new, run: () => void navigate({ to: '/agents', search: { new: '1' } }) },
    ...ADMINISTRATION.map((tab) => ({
      label: `${words.pages.administration}: ${words.administration.tabs[tab]}`,
      run: () => void navigate({ to: '/administration', search: { tab } }),
    })),
    {
      label: `${words.overview.failed}: ${words.pages.sources}`,
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
            run: () => void navigate({ to: '/search', search: { q: typed } }),
          },
        ]),
  ];
  const fitting = all.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
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
