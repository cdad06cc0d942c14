import type { Logger } from '../../../application/ports/logger.ts';
import type { OverlaidView, RowOverlay } from '../../../application/ports/read-your-writes.ts';
import { agentRunProjection, agentThreadProjection } from './agent-views.ts';
import type { CatalogProjection } from './catalog/catalog-projection.ts';
import { lifetimeProjection } from '../lifetimes/projection.ts';
import { logTreeProjection } from '../log-tree/projection.ts';
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
  webhookProjection,
} from './views.ts';

/** Callbacks of caches and workers that depend on a view, in the process that moves it. */
export interface ProjectionListeners {
  /** Clears cached API keys. */
  readonly clearKeyCache: () => void;
  /** Clears cached redaction policies. */
  readonly clearPolicyCache: () => void;
  /** Data sources may have pending work. */
  readonly wakeWorkers: () => void;
  /** Agent runs may be pending. */
  readonly wakeRunWorkers: () => void;
  /** Texts may lack vectors. */
  readonly wakeEmbedding: () => void;
  /** Index segments may need merging. */
  readonly wakeMerging: () => void;
  /** The log has grown. */
  readonly wakeWebhooks: () => void;
  readonly overlay: Pick<RowOverlay, 'prune'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** One projection for each of VIEWS, with its callbacks. */
export const createProjections = (
  catalog: CatalogProjection,
  { overlay, log, ...listeners }: ProjectionListeners,
): readonly Projection[] => {
  const pruneOverlay = (view: OverlaidView): void => {
    overlay.prune(view).catch((error: Error) => {
      log.warn('overlaid rows that a view holds stay until it moves again', { view, error: error.message });
    });
  };
  return [
    { ...dataSourceProjection, onMoved: listeners.wakeWorkers },
    { ...ingestionSettingProjection, onMoved: () => pruneOverlay('ingestion_setting') },
    { ...apiKeyProjection, onMoved: listeners.clearKeyCache },
    { ...conversationProjection, onMoved: () => pruneOverlay('conversation') },
    { ...agentThreadProjection, onMoved: () => pruneOverlay('agent_thread') },
    {
      ...agentRunProjection,
      onMoved: () => {
        listeners.wakeRunWorkers();
        pruneOverlay('agent_run');
      },
    },
    tagProjection,
    authzPolicyProjection,
    authzSubjectProjection,
    {
      ...redactionPolicyProjection,
      onMoved: () => {
        listeners.clearPolicyCache();
        pruneOverlay('redaction_policy');
      },
    },
    secretProjection,
    webhookProjection,
    lifetimeProjection,
    {
      ...catalog,
      onMoved: () => {
        listeners.wakeMerging();
        listeners.wakeEmbedding();
      },
    },
    // It reads the whole log.
    { ...logTreeProjection, onMoved: listeners.wakeWebhooks },
  ];
};
