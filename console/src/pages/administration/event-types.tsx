import type { WebhookCreate } from 'knowledger-client';
import { useState } from 'react';
import { Choices, type Control } from '../../ui/field.tsx';
import { spoken } from '../../ui/format.ts';
import { words } from '../../words.ts';

type EventType = NonNullable<WebhookCreate['types']>[number];

/** The API lists types of events by category: here is the first of each. */
const FIRST: Readonly<Record<keyof typeof words.events.categories, EventType>> = {
  dataSource: 'DataSourceRegistered',
  ingestionSetting: 'IngestionSettingCreated',
  source: 'SourceIndexed',
  apiKey: 'ApiKeyIssued',
  tag: 'TagCreated',
  conversation: 'ConversationStarted',
  redactionPolicy: 'RedactionPolicyCreated',
  authzPolicy: 'AuthzPolicyCreated',
  authzSubject: 'AuthzAttributesSet',
  secret: 'SecretCreated',
  webhook: 'WebhookCreated',
  agentThread: 'AgentThreadStarted',
  agentRun: 'RunQueued',
  idempotency: 'AgentRunKeyClaimed',
};
const CATEGORY_OF = new Map<string, string>(
  Object.entries(FIRST).map(([category, type]) => [type, words.events.categories[category as 'tag']]),
);

/** Types of events below their categories; what is typed narrows them, and what is chosen stays chosen. */
export const EventTypes = ({ common, value, change, choices }: Control) => {
  const [typed, setTyped] = useState('');
  const chosen = (value ?? []) as readonly string[];
  const groups = new Map<string, string[]>();
  let category = '';
  for (const type of choices) {
    category = CATEGORY_OF.get(type) ?? category;
    const fits = `${category} ${spoken(type)}`.toLowerCase().includes(typed.trim().toLowerCase());
    if (fits || chosen.includes(type)) groups.set(category, [...(groups.get(category) ?? []), type]);
  }
  return (
    <>
      <input
        {...common}
        type="search"
        placeholder={words.administration.webhooks.filterEvents}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="event-types">
        {[...groups].map(([name, types]) => (
          <div key={name} role="group" aria-label={name}>
            <h3>{name}</h3>
            <Choices
              choices={types}
              named={{}}
              chosen={chosen}
              change={(of) => {
                const all = [...chosen.filter((one) => !types.includes(one)), ...of];
                change(all.length === 0 ? undefined : all);
              }}
            />
          </div>
        ))}
      </div>
    </>
  );
};
