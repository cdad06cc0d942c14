import { type ObservableResult, metrics } from '@opentelemetry/api';
import type { WebhookDeliveries } from '../../application/ports/webhooks.ts';

/** The sources of the metrics. They are read at each collection; nothing is cached. */
export interface MetricSources {
  /**
   * The live version of every view: whether it is halted, and how long ago its checkpoint moved, in seconds.
   */
  readonly views: () => Promise<
    readonly { readonly view: string; readonly halted: boolean; readonly idleSeconds: number }[]
  >;
  /** The age of the oldest event that a view has not read, in seconds; 0 if it has read all. */
  readonly lags: () => Promise<readonly { readonly view: string; readonly seconds: number }[]>;
  readonly jobs: () => Promise<readonly { readonly status: string; readonly count: number }[]>;
  /** How long the oldest work of each kind has waited for a worker, in seconds; 0 if none waits. */
  readonly queues: () => Promise<readonly { readonly kind: string; readonly seconds: number }[]>;
  /** How long the oldest committed event has been hidden by a running append, in milliseconds. */
  readonly hiddenMs: () => Promise<number>;
  /** Whether this process can use the event store. */
  readonly eventStoreUp: () => boolean;
  /** How long the oldest event has waited to be delivered to a webhook that is enabled, in seconds; 0 if none waits. */
  readonly deliveryAge: () => Promise<number>;
  /** Contents that the embedding model has not embedded; null without a model. */
  readonly contentsWithoutVector: () => Promise<number | null>;
}

/**
 * Registers the gauges. A value that cannot be read is omitted from that collection. Returns a function that
 * unregisters them.
 */
export const registerMetrics = ({
  views,
  lags,
  jobs,
  queues,
  hiddenMs,
  ...sources
}: MetricSources): (() => void) => {
  const meter = metrics.getMeter('knowledger');
  const gauge = (
    name: string,
    unit: string,
    description: string,
    observe: (result: ObservableResult) => Promise<void>,
  ) => {
    const instrument = meter.createObservableGauge(name, { unit, description });
    const callback = (result: ObservableResult): Promise<void> => observe(result).catch(() => {});
    instrument.addCallback(callback);
    return () => instrument.removeCallback(callback);
  };
  const registered = [
    gauge(
      'knowledger_projection_halted',
      '{view}',
      '1 while a view is halted at an event that it cannot apply',
      async (result) => {
        for (const { view, halted } of await views()) result.observe(halted ? 1 : 0, { view });
      },
    ),
    gauge(
      'knowledger_projection_idle_seconds',
      's',
      'time since the checkpoint of a view moved',
      async (result) => {
        for (const { view, idleSeconds } of await views()) result.observe(idleSeconds, { view });
      },
    ),
    gauge(
      'knowledger_projection_lag_seconds',
      's',
      'age of the oldest event that a view has not read',
      async (result) => {
        for (const { view, seconds } of await lags()) result.observe(seconds, { view });
      },
    ),
    gauge(
      'knowledger_data_sources',
      '{data_source}',
      'data sources by the status of their newest job',
      async (result) => {
        for (const { status, count } of await jobs()) result.observe(count, { status });
      },
    ),
    gauge(
      'knowledger_queue_age_seconds',
      's',
      'how long the oldest work that a worker may take has waited',
      async (result) => {
        for (const { kind, seconds } of await queues()) result.observe(seconds, { kind });
      },
    ),
    gauge(
      'knowledger_webhook_delivery_age_seconds',
      's',
      'how long the oldest event has waited to be delivered to an enabled webhook',
      async (result) => {
        result.observe(await sources.deliveryAge());
      },
    ),
    gauge(
      'knowledger_event_feed_hidden_seconds',
      's',
      'age of the oldest event hidden by a running append',
      async (result) => {
        result.observe((await hiddenMs()) / 1_000);
      },
    ),
    gauge(
      'knowledger_event_store_up',
      '{store}',
      '1 while this process can use the event store, 0 while it is unavailable or contains another log',
      async (result) => {
        result.observe(sources.eventStoreUp() ? 1 : 0);
      },
    ),
    gauge(
      'knowledger_contents_without_vector',
      '{content}',
      'contents that the embedding model has still to embed',
      async (result) => {
        const missing = await sources.contentsWithoutVector();
        if (missing !== null) result.observe(missing);
      },
    ),
  ];
  return () => {
    for (const unregister of registered) unregister();
  };
};

/**
 * Counts search threads that exited unexpectedly: by themselves, or stopped because they gave no sign of
 * life.
 */
export const countEndedThreads = (): ((why: { readonly silent: boolean }) => void) => {
  const ended = metrics.getMeter('knowledger').createCounter('knowledger_search_threads_ended', {
    description: 'search threads that were replaced',
    unit: '{thread}',
  });
  return ({ silent }) => ended.add(1, { why: silent ? 'silent' : 'ended' });
};

/** Counts the attempts to deliver events to webhooks by their outcome: `dead` is not tried again. */
export const countedDeliveries = (deliveries: WebhookDeliveries): WebhookDeliveries => {
  const attempts = metrics.getMeter('knowledger').createCounter('knowledger_webhook_attempts', {
    description: 'attempts to deliver an event to a webhook',
    unit: '{attempt}',
  });
  // An increase is seen only of what has been told before.
  for (const outcome of ['delivered', 'failed', 'dead']) attempts.add(0, { outcome });
  return {
    ...deliveries,
    record: async (delivery, attempt) => {
      const recorded = await deliveries.record(delivery, attempt);
      const outcome = attempt.state === 'pending' ? 'failed' : attempt.state;
      if (recorded !== undefined) attempts.add(1, { outcome });
      return recorded;
    },
  };
};
