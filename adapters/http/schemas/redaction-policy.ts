import { RULE_KINDS, RULE_LIMITS, STAGES } from '../../../domain/redaction/index.ts';
import { Id, Pagination, UnixSeconds, closed, patterned, DeletedAt } from './common.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const named = (most: number, description: string) =>
  patterned('\\S', 'must not be blank', { maxLength: most, description });

const AppliesTo = Type.Array(Type.Enum([...STAGES]), {
  minItems: 1,
  // The limit applies before the quadratic comparison.
  maxItems: STAGES.length,
  uniqueItems: true,
  description:
    'Where it holds: before a document is indexed, when contents are read, in answers, in what agents say',
});

/** Describes for API users what each kind of rule finds. Must match `domain/redaction/detectors`. */
export const REDACTION_KINDS = `What is looked for. All kinds but \`pattern\` are found also where letters, figures and signs are of full width (\`＠\`) or of another script (digits), or up to four characters without width stand between them. What is found is never a part of a longer account, card or id number, whether the policy looks for that or not.

- \`pattern\`: what \`pattern\` matches.
- \`email\`: e-mail addresses in letters of any script, with a quoted local part too, and \`…@localhost\`; \`@\` and \`.\` also as \`(at)\`, \`[at]\`, \`(dot)\`, \`[.]\`, \`&#64;\` or \`%40\`, and with a line break behind \`@\`. No address literals, no \`at\` and \`dot\` without brackets.
- \`phone\`: telephone numbers of 7 to 15 digits: international (\`+\` or \`00\`), national with a leading 0, North American in groups of 3-3-4, Russian with 8, and those of Brazil, China, India, Italy, Norway and Spain in the groups usual there. Other numbers of 7 to 12 digits, bare ones too, where a word up to 32 characters before announces them (\`call\`, \`Tel.\`, \`mobile\` …).
- \`card\`: 13 to 19 digits that begin with 2 to 6 and end in a check digit (Luhn), in one run or in groups, with one line break at most; also right behind a word, as in \`Visa4111…\`.
- \`iban\`: account numbers of ISO 13616: length and structure of the country (89 countries), and check digits (modulo 97), in one run or in groups.
- \`ip\`: addresses of version 4 and 6; \`::\` alone in brackets, with a prefix length, or where a word says that it is an address.
- \`national_id\`: numbers of twelve countries, and no others. Brazil: CPF. France: numéro d'inscription au répertoire (NIR), 15 digits. Germany: tax identification number. Italy: codice fiscale. Netherlands: burgerservicenummer (BSN); every eleventh number of nine bare digits is one. Poland: PESEL. Singapore: NRIC and FIN. Spain: DNI and NIE. Sweden: personnummer and samordningsnummer. Switzerland: AHV number. All these with their check digits. United Kingdom: National Insurance number, with a prefix that is given out. USA: Social Security number, 3-2-4 digits with hyphens or blanks (not nine bare digits), without area 000, 666 or 9xx, group 00, serial 0000, and three numbers known from advertising. These two have no check digits.
- \`key\`: what gives access, in four forms. Tokens with a known prefix and at least as many characters behind it as such keys have: \`sk-\`, \`sk-ant-\`, \`sk-proj-\`, \`hf_\`, \`gsk_\`, \`r8_\`, \`xai-\`, \`pplx-\`, \`sk_live_\`, \`sk_test_\`, \`pk_live_\`, \`pk_test_\`, \`rk_live_\`, \`rk_test_\`, \`whsec_\`, \`sq0atp-\`, \`sq0csp-\`, \`ghp_\`, \`gho_\`, \`ghu_\`, \`ghs_\`, \`ghr_\`, \`github_pat_\`, \`glpat-\`, \`glrt-\`, \`gldt-\`, \`glptt-\`, \`glsoat-\`, \`glft-\`, \`glimt-\`, \`glagent-\`, \`gloas-\`, \`glcbt-\`, \`npm_\`, \`pypi-\`, \`rubygems_\`, \`dckr_pat_\`, \`dckr_oat_\`, \`xoxa-\`, \`xoxb-\`, \`xoxe-\`, \`xoxo-\`, \`xoxp-\`, \`xoxr-\`, \`xoxs-\`, \`xapp-\`, \`AKIA\`, \`ASIA\`, \`AIDA\`, \`AROA\`, \`AIza\`, \`ya29.\`, \`GOCSPX-\`, \`doo_v1_\`, \`dop_v1_\`, \`dor_v1_\`, \`dapi\`, \`hvs.\`, \`hvb.\`, \`hvr.\`, \`tskey-\`, \`dp.pt.\`, \`dp.st.\`, \`dp.ct.\`, \`dp.sa.\`, \`glsa_\`, \`NRAK-\`, \`PMAK-\`, \`ATATT3\`, \`lin_api_\`, \`ntn_\`, \`figd_\`, \`sbp_\`, \`AGE-SECRET-KEY-1\`, \`SG.\`, \`key-\`, \`shpat_\`, \`shpca_\`, \`shppa_\`, \`shpss_\`, \`kn_\`, and JSON Web Tokens (\`eyJ\`). Strings of at least 20 characters without blanks that look drawn by lot, hashes of 32 and more hexadecimal figures among them, UUIDs not. Values that a name, a scheme or a URL says to be secret, short ones too: \`password=\`, \`api_key: \`, \`Bearer\`, \`https://user:password@\`; not those without figure or sign, but in a URL. PEM blocks, of keys and of certificates. Other passwords that look like words are not found.`;

export const RedactionRule = closed({
  name: named(RULE_LIMITS.name, 'Unique within the policy'),
  kind: Type.Enum([...RULE_KINDS], { description: REDACTION_KINDS }),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RULE_LIMITS.pattern,
      description: 'RE2 syntax; with kind `pattern` alone. Must not spell out what it is to hide: it is kept',
    }),
  ),
  replacement: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RULE_LIMITS.replacement,
      description: 'What stands for a finding; absent: the name in brackets',
    }),
  ),
});

export type RedactionRule = Static<typeof RedactionRule>;

const fields = {
  name: named(100, 'For people'),
  rules: Type.Array(RedactionRule, { minItems: 1, maxItems: RULE_LIMITS.rules }),
  applies_to: AppliesTo,
};

export const RedactionPolicyCreate = closed(fields, {
  examples: [
    {
      name: 'persons',
      rules: [{ name: 'email', kind: 'email', replacement: '[email]' }],
      applies_to: ['content', 'completion'],
    },
  ],
});

export type RedactionPolicyCreate = Static<typeof RedactionPolicyCreate>;

export const RedactionPolicy = Type.Object({
  id: Id,
  deleted_at: DeletedAt,
  ...fields,
  creation_time: UnixSeconds,
  change_time: UnixSeconds,
});

export type RedactionPolicy = Static<typeof RedactionPolicy>;

export const RedactionPolicyList = Type.Object({
  redaction_policies: Type.Array(RedactionPolicy),
  pagination: Pagination,
});

const Text = Type.String({ maxLength: 100_000 });

export const RedactionTest = closed({ text: Text }, { examples: [{ text: 'Write to jo@example.com.' }] });

export const RedactionTrial = closed(
  { rules: fields.rules, text: Text },
  { examples: [{ rules: [{ name: 'email', kind: 'email' }], text: 'Write to jo@example.com.' }] },
);

export const RedactionTestResult = Type.Object({
  text: Type.String(),
  findings: Type.Array(
    Type.Object({
      rule: Type.String(),
      kind: Type.Enum([...RULE_KINDS]),
      start: Type.Integer({ description: 'Offset in the text as it was sent, in UTF-16 units' }),
      end: Type.Integer({ description: 'Exclusive' }),
    }),
  ),
});
