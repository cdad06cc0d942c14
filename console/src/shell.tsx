import {
  Link,
  Navigate,
  Outlet,
  useLocation,
  useMatches,
  useNavigate,
  useRouter,
} from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Dialog } from './ui/dialog.tsx';
import { inZone } from './ui/format.ts';
import { isTyping, useEscape } from './ui/keys.ts';
import { Allowed, useMe } from './may.tsx';
import { usePages } from './navigation.ts';
import { Palette } from './palette.tsx';
import { Loading } from './ui/parts.tsx';
import { useLive } from './live.ts';
import { useAwaySince } from './reach.ts';
import { howItStarted, signOut, usePerson } from './session.ts';
import { nextTheme, theme } from './theme.ts';
import { words } from './words.ts';

/** Nothing is offered before it is known what the caller may do. */
export const Shell = () => (useMe().isFetched ? <Frame /> : <Loading />);

const SIGNS = { system: '◐', light: '☀', dark: '☾' } as const;

const Frame = () => {
  useLive();
  const router = useRouter();
  const pages = usePages();
  // Whoever may not see the overview begins elsewhere.
  const first = pages[0]?.to === '/' ? undefined : pages[0];
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs ?? [] });
  // A page whose code is not here yet would be lost while the service restarts.
  useEffect(() => {
    for (const { to } of pages) void router.preloadRoute({ to });
  }, [router]);
  const person = usePerson();
  const isOnline = useOnline();
  const isCurrent = useAwaySince() === null && isOnline;
  const navigate = useNavigate();
  const { href, pathname } = useLocation();
  // On a narrow screen the chosen page and tab may lie beside it.
  useEffect(() => {
    for (const chosen of document.querySelectorAll('.nav-link.active, .tab[aria-current]'))
      chosen.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [href]);
  const [shows, setShows] = useState<'help' | 'palette' | null>(null);
  // Of the menu that holds all of the bar on a narrow screen.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [href]);
  useEscape(() => setOpen(false), isOpen);
  const [look, setLook] = useState(theme);
  const [warns, setWarns] = useState(howItStarted() === 'linked');
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        return setShows('palette');
      }
      if (isTyping(event)) return;
      const page = pages.find(({ key }) => key === event.key);
      if (page !== undefined) void navigate({ to: page.to });
      else if (event.key === '?') setShows('help');
      else if (event.key === '/') {
        event.preventDefault();
        document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [navigate, pages.length]);
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
        <button
          type="button"
          className="quiet bar-menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">☰</span> {words.pages.menu}
        </button>
        <div className={isOpen ? 'bar-rest open' : 'bar-rest'} onClick={() => setOpen(false)}>
          <nav aria-label={words.pages.all}>
            {pages.map(({ to, label }) => (
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
            <button
              type="button"
              className="quiet"
              title={words.theme[look]}
              onClick={() => setLook(nextTheme())}
            >
              <span aria-hidden="true">{SIGNS[look]}</span> {words.theme.name}
              <span className="unseen">: {words.theme[look]}</span>
            </button>
            {person !== null && <span className="person">{person}</span>}
            <button type="button" className="quiet" onClick={signOut}>
              {words.actions.signOut}
            </button>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={isCurrent ? undefined : 'old'}>
        <Away />
        {warns && (
          <div className="notice">
            <small>{words.signIn.linked}</small>
            <button type="button" className="quiet" onClick={() => setWarns(false)}>
              {words.signIn.understood}
            </button>
          </div>
        )}
        {pathname === '/' && first !== undefined ? (
          <Navigate to={first.to} replace />
        ) : (
          <Allowed to={needs}>
            <Outlet />
          </Allowed>
        )}
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

const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Why what is shown may be old. */
const Away = () => {
  const isOnline = useOnline();
  const since = useAwaySince();
  if (isOnline && since === null) return null;
  return (
    <p className="failure partial" role="alert">
      {isOnline ? words.errors.awaySince(inZone(since!)) : words.errors.offline}
    </p>
  );
};

const Help = ({ close }: { readonly close: () => void }) => (
  <Dialog title={words.keys.title} close={close}>
    <dl className="keys">
      {usePages().map(({ key, label }) => (
        <Row key={key} keys={key} what={label} />
      ))}
      <Row keys="Ctrl K" what={words.keys.palette} />
      <Row keys="/" what={words.keys.search} />
      <Row keys="j k" what={words.keys.rows} />
      <Row keys="↓ ↑" what={words.keys.arrows} />
      <Row keys="Enter" what={words.keys.open} />
      <Row keys={words.keys.unfoldKey} what={words.keys.unfold} />
      <Row keys="Escape" what={words.keys.close} />
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
