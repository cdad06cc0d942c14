import { Link } from '@tanstack/react-router';
import type { FailedItems } from 'knowledger-client';
import { canRetry, planOf } from '../../retry.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

export type Item = FailedItems['errors'][number];

/** So many are read again in one go. */
export const MAX_ALL = 10_000;

interface Asking {
  readonly run: () => void;
  readonly close: () => void;
}

/** Says what is read again before it is. */
export const RetryAll = ({ items, run, close }: Asking & { readonly items: readonly Item[] }) => {
  const plan = planOf(items);
  return (
    <Dialog title={words.problems.retryFitting} close={close}>
      <p>{words.problems.plan(plan.items, plan.sources.length)}</p>
      {plan.whole > 0 && <p>{words.problems.whole(plan.whole)}</p>}
      {items.length >= MAX_ALL && <p>{words.problems.first(MAX_ALL)}</p>}
      {items.length > plan.items && <p>{words.problems.pushed(items.length - plan.items)}</p>}
      <div className="actions">
        <button type="button" onClick={close}>
          {words.actions.cancel}
        </button>
        <button
          type="button"
          className="main"
          onClick={() => {
            run();
            close();
          }}
        >
          {words.problems.retry}
        </button>
      </div>
    </Dialog>
  );
};

/** All that is known of one item. */
export const Opened = ({ item, run, close }: Asking & { readonly item: Item }) => (
  <Dialog title={words.problems.item} close={close}>
    <dl className="facts">
      <div>
        <dt>{words.problems.item}</dt>
        <dd>{item.locator}</dd>
      </div>
      <div>
        <dt>{words.problems.reason}</dt>
        <dd className="reason">{item.message}</dd>
      </div>
      <div>
        <dt>{words.events.time}</dt>
        <dd>
          <Time at={item.time} exact />
        </dd>
      </div>
      <div>
        <dt>{words.problems.attempts}</dt>
        <dd>{item.attempt}</dd>
      </div>
    </dl>
    <div className="actions">
      <Link
        to="/sources/$type/$id"
        params={{ type: item.source_type, id: item.source_group_id }}
        search={{ tab: 'problems' }}
        className="button"
      >
        {words.problems.source} {item.source_group_name}
      </Link>
      {canRetry(item.source_type) && (
        <button
          type="button"
          className="main"
          onClick={() => {
            run();
            close();
          }}
        >
          {words.problems.retry}
        </button>
      )}
    </div>
  </Dialog>
);
