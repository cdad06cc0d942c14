import { Link, useSearch } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { Loading, Page } from '../ui/parts.tsx';
import { words } from '../words.ts';
import { Allowed, useMay } from '../may.tsx';
import { ADMINISTRATION, type AdministrationTab, NEEDS } from './administration/tabs.ts';
import './administration/administration.css';

const PARTS: Readonly<Record<AdministrationTab, ComponentType>> = {
  keys: lazy(() => import('./administration/keys.tsx')),
  tags: lazy(() => import('./administration/tags.tsx')),
  secrets: lazy(() => import('./administration/secrets.tsx')),
  webhooks: lazy(() => import('./administration/webhooks.tsx')),
  policies: lazy(() => import('./administration/policies.tsx')),
  principals: lazy(() => import('./administration/principals.tsx')),
  redaction: lazy(() => import('./administration/redaction.tsx')),
  models: lazy(() => import('./administration/models.tsx')),
  log: lazy(() => import('./administration/log.tsx')),
};

export const Administration = () => {
  const { tab } = useSearch({ from: '/administration' });
  const may = useMay();
  const tabs = ADMINISTRATION.filter((one) => may(NEEDS[one]));
  const chosen = ADMINISTRATION.find((one) => one === tab) ?? tabs[0] ?? 'keys';
  const Part = PARTS[chosen];
  return (
    <Page title={words.pages.administration}>
      <nav className="tabs" aria-label={words.pages.administration}>
        {tabs.map((one) => (
          <Link
            key={one}
            to="/administration"
            search={{ tab: one }}
            className="tab"
            aria-current={one === chosen ? 'page' : undefined}
          >
            {words.administration.tabs[one]}
          </Link>
        ))}
      </nav>
      <Allowed to={[NEEDS[chosen]]}>
        <Suspense fallback={<Loading />}>
          <Part />
        </Suspense>
      </Allowed>
    </Page>
  );
};
