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

/** Who keeps something of a view, or waits for it, in the process that moves it. */
export interface Followers {
  /** Forgets what is kept of API keys. */
  readonly forgetKeys: () => void;
  /** Forgets what is kept of redaction policies. */
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
  const forgetMarks = (view: OverlaidView): void => {
    overlay.prune(view).catch((error: Error) => {
      log.warn('marks that a view knows stay until it moves again', { view, error: error.message });
    });
  };
  return [
    { ...dataSourceProjection, onMoved: followers.wakeWorkers },
    { ...ingestionSettingProjection, onMoved: () => forgetMarks('ingestion_setting') },
    { ...apiKeyProjection, onMoved: followers.forgetKeys },
    { ...conversationProjection, onMoved: () => forgetMarks('conversation') },
    { ...agentThreadProjection, onMoved: () => forgetMarks('agent_thread') },
    {
      ...agentRunProjection,
      onMoved: () => {
        followers.wakeRunWorkers();
        forgetMarks('agent_run');
      },
    },
    tagProjection,
    authzPolicyProjection,
    authzSubjectProjection,
    {
      ...redactionPolicyProjection,
      onMoved: () => {
        followers.forgetPolicies();
        forgetMarks('redaction_policy');
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
