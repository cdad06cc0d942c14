import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Crawl, SourceType } from 'knowledger-client';
import { useState } from 'react';
import { isActive, type Kind, kindOf } from '../kinds.ts';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { pastOf, useAddress } from '../ui/address.ts';
import { bytes } from '../ui/format.ts';
import { Confirm } from '../ui/dialog.tsx';
import { History, useChanges } from '../ui/history.tsx';
import { Empty, Failure, isNotFound, Loaded, Page, Status, Time } from '../ui/parts.tsx';
import { words } from '../words.ts';
import './source/source.css';
import { Documents } from './source/documents.tsx';
import { Files } from './source/files.tsx';
import { HowToPush } from './source/how-to-push.tsx';
import { Problems } from './source/problems.tsx';
import { Settings } from './source/settings.tsx';
import { Timeline } from './source/timeline.tsx';

/** What the records of all kinds have. */
export interface SourceRecord {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly ingestion_setting_id: string;
  readonly creation_time: number;
  readonly start_time?: number;
  readonly end_time?: number;
  readonly error?: { readonly title: string; readonly message: string };
  /** A key that may only read is not told of jobs. */
  readonly progress?: Crawl['progress'];
  readonly start_url?: string;
}

const useRecord = (kind: Kind, id: string, mayManage: boolean) => {
  const client = useClient();
  return useQuery({
    queryKey: ['record', kind.path, id],
    queryFn: async ({ signal }): Promise<SourceRecord> => {
      if (!mayManage) return client.get('/source-groups/{id}', { path: { id }, signal });
      const response = await client.raw('GET', `${kind.path}/{id}`, { path: { id }, signal });
      return (await response.json()) as SourceRecord;
    },
  });
};

const NEEDS = {
  timeline: 'ingestion:manage',
  documents: 'knowledge:read',
  files: 'ingestion:manage',
  push: 'ingestion:manage',
  problems: 'ingestion:manage',
  changes: 'ingestion:manage',
  settings: 'ingestion:manage',
} as const;
type Tab = keyof typeof NEEDS;
const TABS = Object.keys(NEEDS) as readonly Tab[];
const TABS_OF_KINDS: { readonly [_ in Tab]?: SourceType } = { files: 'local_file', push: 'push' };
const hasTab = (kind: Kind, tab: Tab): boolean =>
  tab === 'settings' ? kind.settings !== null : kind.type === (TABS_OF_KINDS[tab] ?? kind.type);

export const SourcePage = () => {
  const { type, id } = useParams({ from: '/sources/$type/$id' });
  const asked = useSearch({ from: '/sources/$type/$id' });
  const kind = kindOf(type as SourceType);
  const may = useMay();
  const mayManage = may('ingestion:manage');
  const record = useRecord(kind, id, mayManage);
  const isGone = isNotFound(record.error);
  const path = mayManage ? `${kind.path}/{id}` : '/source-groups/{id}';
  const changes = useChanges({ path, id }, { enabled: isGone });
  const tabs = isGone ? (['changes'] as const) : TABS.filter((one) => may(NEEDS[one]) && hasTab(kind, one));
  const tab = tabs.find((one) => one === asked.tab) ?? tabs[0];
  if (isGone && isNotFound(changes.error))
    return (
      <Page title={words.pages.sources}>
        <Empty title={words.source.unknown}>
          <Link to="/sources" className="button">
            {words.source.toAll}
          </Link>
        </Empty>
      </Page>
    );
  return (
    <Page
      title={
        <>
          <Link to="/sources" className="crumb">
            {words.pages.sources}
          </Link>
          {record.data?.name ?? (isGone ? words.kinds[kind.type] : '…')}
        </>
      }
      actions={record.data !== undefined && mayManage && <Actions kind={kind} record={record.data} />}
    >
      {!isGone && <Loaded query={record}>{(data) => <Head kind={kind} record={data} />}</Loaded>}
      <nav className="tabs" aria-label={record.data?.name ?? words.pages.sources}>
        {tabs.map((one) => (
          <Link
            key={one}
            from="/sources/$type/$id"
            to="/sources/$type/$id"
            search={{ tab: one }}
            className="tab"
            aria-current={one === tab ? 'page' : undefined}
          >
            {words.source[one]}
          </Link>
        ))}
      </nav>
      {isGone && <History path={path} id={id} />}
      {record.data !== undefined && <TabContent tab={tab} kind={kind} id={id} record={record.data} />}
    </Page>
  );
};

const TabContent = ({
  tab,
  kind,
  id,
  record,
}: {
  readonly tab: Tab;
  readonly kind: Kind;
  readonly id: string;
  readonly record: SourceRecord;
}) => {
  switch (tab) {
    case 'timeline':
      return <Timeline kind={kind} id={id} />;
    case 'documents':
      return <Documents groupId={id} />;
    case 'files':
      return <Files into={id} />;
    case 'push':
      return <HowToPush id={id} />;
    case 'problems':
      return <Problems kind={kind} id={id} />;
    case 'changes':
      return <History path={`${kind.path}/{id}`} id={id} />;
    case 'settings':
      return <Settings kind={kind} id={id} settingId={record.ingestion_setting_id} />;
  }
};

const Head = ({ kind, record }: { readonly kind: Kind; readonly record: SourceRecord }) => {
  const { asked } = useAddress();
  const isToday = pastOf(asked.at) === undefined;
  return (
    <>
      <div className="facts-line">
        <Status of={record.status} />
        <span>{words.kinds[kind.type]}</span>
        {record.start_url !== undefined && (
          <a href={record.start_url} rel="noreferrer" target="_blank">
            {record.start_url}
          </a>
        )}
        <span className="faint">
          {words.sources.created} <Time at={record.creation_time} />
        </span>
        <Link to="/search" search={{ group: record.id }}>
          {words.search.within}
        </Link>
      </div>
      {isToday && record.progress !== undefined && (
        <div>
          <p className="faint">
            {words.source.countsOf(isActive(record.status), record.progress.named_items ?? false)}
          </p>
          <Counts {...record.progress} />
        </div>
      )}
      {isToday && record.error !== undefined && (
        <p className={record.status === 'success' ? 'failure partial' : 'failure'}>
          <strong>{record.error.title}</strong> {record.error.message}{' '}
          <Link from="/sources/$type/$id" to="/sources/$type/$id" search={{ tab: 'problems' }}>
            {words.source.problems}
          </Link>
        </p>
      )}
    </>
  );
};

const Counts = ({ bytes: size, ...counts }: NonNullable<SourceRecord['progress']>) => (
  <dl className="counts" aria-live="polite">
    {(['seen', 'indexed', 'unchanged', 'skipped', 'failed'] as const).map((name) => (
      <div key={name} className={name === 'failed' && counts.failed > 0 ? 'bad' : ''}>
        <dt>{words.source.counts[name]}</dt>
        <dd>{counts[name].toLocaleString()}</dd>
      </div>
    ))}
    <div>
      <dt>{words.source.counts.bytes}</dt>
      <dd>{bytes(size)}</dd>
    </div>
  </dl>
);

const Actions = ({ kind, record }: { readonly kind: Kind; readonly record: SourceRecord }) => {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const group = useQuery({
    queryKey: ['source-groups', record.id],
    enabled: useMay()('knowledge:read'),
    queryFn: ({ signal }) => client.get('/source-groups/{id}', { path: { id: record.id }, signal }),
  });
  const act = useMutation({
    mutationFn: async (what: 'sync' | 'cancel' | 'delete') => {
      const path = { id: record.id };
      await (what === 'delete'
        ? client.raw('DELETE', `${kind.path}/{id}`, { path })
        : client.raw('POST', `${kind.path}/{id}/${what}`, { path, ...(what === 'sync' && { body: {} }) }));
      return what;
    },
    onSuccess: async (what) => {
      await queries.invalidateQueries();
      if (what === 'delete') await navigate({ to: '/sources' });
    },
  });
  return (
    <>
      {isActive(record.status) && record.status !== 'canceling' && (
        <button type="button" disabled={act.isPending} onClick={() => act.mutate('cancel')}>
          {words.actions.cancelJob}
        </button>
      )}
      {!isActive(record.status) && kind.type !== 'push' && kind.type !== 'local_file' && (
        <button type="button" disabled={act.isPending} onClick={() => act.mutate('sync')}>
          {words.actions.sync}
        </button>
      )}
      <button type="button" className="danger" disabled={act.isPending} onClick={() => setAsks(true)}>
        {words.actions.delete}
      </button>
      {act.error !== null && <Failure error={act.error} />}
      {asks && (
        <Confirm
          title={words.source.confirmDelete(record.name)}
          hint={
            group.data === undefined
              ? ''
              : words.source.deleteHint(group.data.source_count ?? 0, group.data.content_count ?? 0)
          }
          action={words.actions.delete}
          run={() => act.mutate('delete')}
          close={() => setAsks(false)}
        />
      )}
    </>
  );
};
