import type { Logger } from '../../../application/ports/logger.ts';
import type { OverlaidView, RowOverlay } from '../../../application/ports/read-your-writes.ts';
import { agentRunProjection, agentThreadProjection } from './agent-views.ts';
import type { CatalogProjection } from './catalog/catalog-projection.ts';
import type { Projection } from './projection.ts';
import { tagProjection } from './tags.ts';
import {
  apiKeyProjection,
  authzPolicyProjection,
  authzSubjectProjection,
  conversationProjection,
  dataSourceProjection,
  ingestionSettingProjection,
  redactionPolicyProjection,
  secretProjection,
} from './views.ts';

/** Callbacks of caches and workers that follow a view, in the process that moves it. */
export interface Followers {
  /** Drops cached API keys. */
  readonly forgetKeys: () => void;
  /** Drops cached redaction policies. */
  readonly forgetPolicies: () => void;
  /** There may be work at data sources. */
  readonly wakeWorkers: () => void;
  /** There may be runs of agents to execute. */
  readonly wakeRunWorkers: () => void;
  /** There may be texts without vectors. */
  readonly wakeEmbedding: () => void;
  /** There may be segments of the index to merge. */
  readonly wakeMerging: () => void;
  readonly overlay: Pick<RowOverlay, 'prune'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** A projection for each of VIEWS, with what follows when it has moved. */
export const createProjections = (
  catalog: CatalogProjection,
  { overlay, log, ...followers }: Followers,
): readonly Projection[] => {
  const pruneOverlay = (view: OverlaidView): void => {
    overlay.prune(view).catch((error: Error) => {
      log.warn('overlaid rows that a view holds stay until it moves again', { view, error: error.message });
    });
  };
  return [
    { ...dataSourceProjection, onMoved: followers.wakeWorkers },
    { ...ingestionSettingProjection, onMoved: () => pruneOverlay('ingestion_setting') },
    { ...apiKeyProjection, onMoved: followers.forgetKeys },
    { ...conversationProjection, onMoved: () => pruneOverlay('conversation') },
    { ...agentThreadProjection, onMoved: () => pruneOverlay('agent_thread') },
    {
      ...agentRunProjection,
      onMoved: () => {
        followers.wakeRunWorkers();
        pruneOverlay('agent_run');
      },
    },
    tagProjection,
    authzPolicyProjection,
    authzSubjectProjection,
    {
      ...redactionPolicyProjection,
      onMoved: () => {
        followers.forgetPolicies();
        pruneOverlay('redaction_policy');
      },
    },
    secretProjection,
    {
      ...catalog,
      onMoved: () => {
        followers.wakeMerging();
        followers.wakeEmbedding();
      },
    },
  ];
};
