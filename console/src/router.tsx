import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { Need } from './needs.ts';
import { NEEDS } from './pages/administration/tabs.ts';
import { textsIn } from './ui/address.ts';
import { Empty, Failure } from './ui/parts.tsx';
import { parseSearch, stringifySearch } from './ui/search-params.ts';
import { words } from './words.ts';
import { Shell } from './shell.tsx';
import { Overview } from './pages/overview.tsx';

type Words<Name extends string> = { readonly [_ in Name]?: string | undefined };

const EVENT_SEARCH = [
  'category',
  'types',
  'stream',
  'stream_prefix',
  'actor',
  'trace_id',
  'from',
  'to',
  'where',
  'live',
  'unfolded',
  'event',
] as const;
/** Of the event explorer. `event` is the position of the one that is open. */
export type EventSearch = Words<(typeof EVENT_SEARCH)[number]>;

/** Of the search part of an address only the known names, as text: whatever else stands there is ignored. */
const only =
  <const Name extends string>(...names: readonly Name[]) =>
  (given: Record<string, unknown>): Words<Name> =>
    textsIn(Object.fromEntries(names.map((name) => [name, given[name]]))) as Words<Name>;

const root = createRootRoute({ component: Shell });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: { needs: ['knowledge:read'] },
  component: Overview,
});
const sourcesRoute = createRoute({
  getParentRoute: () => root,
  path: '/sources',
  staticData: { needs: ['knowledge:read'] },
  validateSearch: only('name', 'type', 'status', 'sort', 'as_of'),
  component: lazyRouteComponent(() => import('./pages/sources.tsx'), 'Sources'),
});
const problems = createRoute({
  getParentRoute: () => root,
  path: '/problems',
  staticData: { needs: ['ingestion:manage'] },
  validateSearch: only('code', 'type', 'group', 'from', 'to'),
  component: lazyRouteComponent(() => import('./pages/problems.tsx'), 'AllProblems'),
});
const createSource = createRoute({
  getParentRoute: () => root,
  path: '/sources/new',
  staticData: { needs: ['ingestion:manage everywhere'] },
  validateSearch: only('type'),
  component: lazyRouteComponent(() => import('./pages/create-source.tsx'), 'CreateSource'),
});
const source = createRoute({
  getParentRoute: () => root,
  path: '/sources/$type/$id',
  staticData: { needs: ['knowledge:read', 'ingestion:manage'] },
  validateSearch: only('tab', 'as_of', 'document', 'passage', 'at', 'from', 'to', 'name', 'status', 'sort'),
  component: lazyRouteComponent(() => import('./pages/source.tsx'), 'SourcePage'),
});
const documentLink = createRoute({
  getParentRoute: () => root,
  path: '/documents/$id',
  staticData: { needs: ['knowledge:read'] },
  validateSearch: only('at'),
  component: lazyRouteComponent(() => import('./pages/document-link.tsx'), 'DocumentLink'),
});
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  staticData: { needs: ['knowledge:read'] },
  validateSearch: only('q', 'type', 'file', 'group', 'document', 'passage', 'at'),
  component: lazyRouteComponent(() => import('./pages/search.tsx'), 'Search'),
});
const conversations = createRoute({
  getParentRoute: () => root,
  path: '/conversations',
  staticData: { needs: ['inference:run'] },
  validateSearch: only('as_of'),
  component: lazyRouteComponent(() => import('./pages/conversations.tsx'), 'Conversations'),
});
const conversation = createRoute({
  getParentRoute: () => root,
  path: '/conversations/$id',
  staticData: { needs: ['inference:run'] },
  validateSearch: only('at', 'document', 'passage'),
  component: lazyRouteComponent(() => import('./pages/conversations/conversation.tsx'), 'ConversationPage'),
});
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  staticData: { needs: ['audit:read everywhere'] },
  validateSearch: only(...EVENT_SEARCH),
  component: lazyRouteComponent(() => import('./pages/events.tsx'), 'Events'),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  staticData: { needs: ['inference:run'] },
  validateSearch: only('principal', 'new', 'as_of'),
  component: lazyRouteComponent(() => import('./pages/agents.tsx'), 'Agents'),
});
const thread = createRoute({
  getParentRoute: () => root,
  path: '/agents/$id',
  staticData: { needs: ['inference:run'] },
  validateSearch: only('principal', 'run', 'at'),
  component: lazyRouteComponent(() => import('./pages/agents/thread.tsx'), 'ThreadPage'),
});
const administration = createRoute({
  getParentRoute: () => root,
  path: '/administration',
  staticData: { needs: Object.values(NEEDS) },
  validateSearch: only('tab', 'as_of', 'record', 'at'),
  component: lazyRouteComponent(() => import('./pages/administration.tsx'), 'Administration'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    sourcesRoute,
    problems,
    createSource,
    source,
    documentLink,
    search,
    conversations,
    conversation,
    events,
    agents,
    thread,
    administration,
  ]),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <Failure error={error} />,
  defaultNotFoundComponent: () => <Empty title={words.errors.noPage} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The page is for whoever meets one of them. */
    readonly needs?: readonly Need[];
  }
}
