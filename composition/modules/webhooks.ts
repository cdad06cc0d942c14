import { createAddressPolicy, refusalOf } from '../../adapters/crawler/address-policy.ts';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { logEventRecord } from '../../adapters/http/routes/events.ts';
import { createWebhookDeliveries } from '../../adapters/postgres/webhooks/webhook-deliveries.ts';
import { createRowList } from '../../adapters/postgres/views/row-list.ts';
import type { WebhookRow } from '../../application/ports/webhooks.ts';
import { randomWebhookSecrets } from '../../adapters/system/identity.ts';
import { createWebhookSender } from '../../adapters/webhooks/sender.ts';
import { countedDeliveries } from '../../adapters/telemetry/metrics.ts';
import { runDeliver } from '../../application/webhooks/deliver.ts';
import { createWebhookOperations } from '../../application/webhooks/operations.ts';
import { createPayloadOf } from '../../application/webhooks/payload.ts';
import { createSigningSecrets } from '../../application/webhooks/signing-secrets.ts';
import { type Given, provide, token } from '../wiring.ts';
import { CORE } from './core.ts';
import { REDACTION } from './redaction.ts';

/** Connections per receiver. */
const CONNECTIONS = 8;

const NEEDS = { core: CORE, redaction: REDACTION };

/** Webhooks, and the deliveries of events to them. */
const openWebhooks = ({ core, redaction: { redactTextFor } }: Given<typeof NEEDS>) => {
  const { allowAddresses } = core.config;
  // Callers name these addresses.
  const agent = createGuardedAgent({ allowAddresses, connections: CONNECTIONS });
  const { refusesLiteral } = createAddressPolicy(allowAddresses);
  const shared = {
    ...core,
    // Every commit reaches the disk at once.
    deliveries: createWebhookDeliveries(core.databases.events.db),
    signingSecrets: createSigningSecrets(core.vault),
    sender: createWebhookSender(agent),
  };
  const delivering = {
    ...shared,
    deliveries: countedDeliveries(shared.deliveries),
    payloadOf: createPayloadOf({ redactTextFor, shown: logEventRecord }),
    random: Math.random,
    idle: core.wakeUps.webhooks.wait,
    wake: core.wakeUps.webhooks.wake,
  };
  return {
    operations: {
      webhooks: createWebhookOperations({
        ...shared,
        view: createRowList<WebhookRow>(core.db, 'webhook'),
        secrets: randomWebhookSecrets,
        refusalOf: (url) => (refusesLiteral(new URL(url)) ? refusalOf(new URL(url)) : null),
      }),
    },
    /** Part of the role `worker`: one process at a time delivers, until `signal` aborts. */
    run: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted)
        await core.leadership.lead('webhooks', signal, (held) => runDeliver(delivering, held));
    },
    close: () => agent.destroy(),
  };
};

export const WEBHOOKS = token<ReturnType<typeof openWebhooks>>('webhooks');
export const webhooksModule = provide(WEBHOOKS, NEEDS, openWebhooks);
