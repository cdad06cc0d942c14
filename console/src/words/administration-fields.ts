import type {
  ApiKeyCreate,
  AuthzPolicyCreate,
  AuthzSubjectReplacement,
  RedactionPolicyCreate,
  RedactionRule,
  SecretCreate,
  TagCreate,
  WebhookChange,
  WebhookCreate,
} from 'knowledger-client';
import { type FormWords, NAME, POLICY_NAME, type WordsOf } from './form-words.ts';

const key: WordsOf<ApiKeyCreate, 'source_group_ids'> = {
  name: { label: 'Name', rule: 'Of the program or person that uses it' },
  scopes: {
    label: 'Scopes',
    rule: 'Each allows one kind of work: choose the least that the key needs',
    choices: {
      'inference:run': 'Ask questions and run agents (inference:run)',
      'knowledge:read': 'Search and read (knowledge:read)',
      'knowledge:write': 'Tag sources, change metadata (knowledge:write)',
      'ingestion:manage': 'Manage sources and secrets (ingestion:manage)',
      'authz:grant': 'Manage access policies (authz:grant)',
      'policy:redaction:manage': 'Manage redaction (policy:redaction:manage)',
      'apikeys:issue': 'Issue API keys (apikeys:issue)',
      'audit:read': 'Read events and proofs (audit:read)',
      'webhooks:manage': 'Manage webhooks (webhooks:manage)',
    } satisfies Record<ApiKeyCreate['scopes'][number], string>,
  },
  expires_at: { label: 'Expires', rule: 'In your time zone; it is refused from then on. Empty: never' },
  requests_per_minute: {
    label: 'Requests a minute',
    rule: 'More are refused for a moment (429). Empty: the limit of the service',
  },
};

const tag: WordsOf<TagCreate> = {
  name: { label: 'Name', rule: 'No other tag may have it' },
  description: { label: 'Description', rule: 'For people, such as which sources belong to it' },
};

const secret: WordsOf<SecretCreate, 'type' | 'value'> = {
  name: NAME,
  expires_at: { label: 'Expires', rule: 'In your time zone; no source uses it from then on. Empty: never' },
};

/** Of the value of a secret: which it has depends on its type. */
const secretParts = {
  token: { label: 'Token', rule: 'As its provider shows it, such as a personal access token' },
  username: { label: 'User name' },
  password: { label: 'Password', rule: 'Where the provider has app passwords, one of those' },
  client_id: { label: 'Client id', rule: 'Of the OAuth client that you registered at the provider' },
  client_secret: { label: 'Client secret', rule: 'Of the same client' },
  refresh_token: { label: 'Refresh token', rule: 'Given to this client once an account has consented' },
  key_file: {
    label: 'Key file of the provider (JSON)',
    rule: 'The whole content of the file that the provider gave for the account',
  },
  app_id: { label: 'App id', rule: 'The page of the app at the host shows it' },
  installation_id: {
    label: 'Installation id',
    rule: 'The number at the end of the address of the installation',
  },
  private_key: { label: 'Private key of the app', rule: 'The whole PEM file, from BEGIN to END' },
} satisfies FormWords;

const redaction: WordsOf<RedactionPolicyCreate, 'rules'> = {
  name: NAME,
  applies_to: {
    label: 'Applies to',
    rule: 'Documents that are indexed already change only when they are read again',
    choices: {
      ingestion: 'Documents, before they are indexed',
      content: 'Passages, when they are read',
      completion: 'Answers',
      agent: 'All that agents see and say',
    } satisfies Record<RedactionPolicyCreate['applies_to'][number], string>,
  },
};

const redactionRule: WordsOf<RedactionRule> = {
  name: { label: 'Name', rule: 'Each rule of a policy has its own' },
  kind: {
    label: 'Hides',
    rule: 'A pattern of your own finds anything else, such as numbers of customers',
    choices: {
      pattern: 'A pattern of my own',
      email: 'E-mail addresses',
      phone: 'Telephone numbers',
      card: 'Card numbers',
      iban: 'Account numbers (IBAN)',
      ip: 'IP addresses',
      national_id: 'National identity numbers',
      key: 'Passwords, keys and tokens',
    } satisfies Record<RedactionRule['kind'], string>,
  },
  pattern: {
    label: 'Pattern',
    rule: 'A regular expression (RE2), such as T-[0-9]{6}. It is kept: do not spell out a text that it is to hide',
  },
  replacement: { label: 'Replacement', rule: 'Stands for each finding. Empty: the name in brackets' },
};

const policy: WordsOf<AuthzPolicyCreate> = {
  name: {
    label: 'Name',
    rule: 'Requests choose the policy by it; default holds for those that choose none',
    problem: POLICY_NAME,
  },
  description: { label: 'Description', rule: 'For people' },
  source_metadata: {
    label: 'Conditions on documents (JSON)',
    rule: 'Whoever reads a document needs its metadata to satisfy these. Empty: any document',
  },
  chunk_metadata: {
    label: 'Conditions on passages (JSON)',
    rule: 'These must hold too, for the metadata of each passage. Empty: any passage',
  },
};

const principal: WordsOf<AuthzSubjectReplacement & { readonly principal_id: string }> = {
  principal_id: { label: 'Principal', rule: 'The id of an end user, as your program names it in requests' },
  authz_policy: { label: 'For the policy', rule: 'Each policy knows attributes of its own' },
  attributes: {
    label: 'Attributes (JSON)',
    rule: 'Names with values: texts, numbers, true, false, or lists of texts',
  },
};

const webhook: WordsOf<WebhookCreate & WebhookChange, 'source_group_ids'> = {
  url: {
    label: 'Address',
    rule: 'Events are sent here by POST',
    problem: 'Type a whole address, such as https://example.com/hooks/knowledger',
  },
  description: { label: 'Description', rule: 'For people' },
  categories: { label: 'Kinds of records', rule: 'Sends events of these alone. None chosen: of all' },
  types: { label: 'Events', rule: 'Sends these alone. None chosen: all' },
  from: {
    label: 'Begin behind',
    rule: 'now: the next event is the first. Or the position of an event, as its page shows it: those after it are sent',
    problem: 'Type now, or copy the position of an event from its page',
  },
  enabled: {
    label: 'Enabled',
    rule: 'While it is off, events wait in the log; they are sent once it is on again',
  },
};

/** Of the forms of the administration. */
export const administrationFields = {
  key,
  tag,
  secret,
  secretParts,
  redaction,
  redactionRule,
  policy,
  principal,
  webhook,
};
