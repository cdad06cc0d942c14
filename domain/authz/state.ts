import type { Attributes } from './attributes.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent, PolicyRules } from './events.ts';

export interface Policy extends PolicyRules {
  readonly policy_id: string;
  readonly name: string;
  readonly created_at: number;
}
/** Null: there is none of this name. */
export type PolicyState = Policy | null;

export const evolvePolicy = (state: PolicyState, event: AuthzPolicyEvent): PolicyState => {
  switch (event.type) {
    case 'AuthzPolicyCreated': {
      const { type: _, at: created_at, ...policy } = event;
      return { ...policy, created_at };
    }
    case 'AuthzPolicyChanged': {
      if (state === null) throw new Error(`${event.type} of ${event.name} before AuthzPolicyCreated`);
      const { description, source_metadata, chunk_metadata } = event;
      return { ...state, description, source_metadata, chunk_metadata };
    }
    case 'AuthzPolicyDeleted':
      return null;
  }
};

/** What policies know of one principal. */
export interface Subject {
  readonly principal_id: string;
  readonly created_at: number;
  /** By policy. */
  readonly policies: ReadonlyMap<string, Attributes>;
}
/** Null: nothing is known. */
export type SubjectState = Subject | null;

export const evolveSubject = (state: SubjectState, event: AuthzSubjectEvent): SubjectState => {
  switch (event.type) {
    case 'AuthzAttributesSet': {
      const { principal_id, authz_policy, attributes, at } = event;
      const policies = new Map(state?.policies).set(authz_policy, attributes);
      return { principal_id, created_at: state?.created_at ?? at, policies };
    }
    case 'AuthzAttributesDeleted':
      return null;
  }
};
