import type { Attributes } from './attributes.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent, PolicyRules } from './events.ts';

export interface Policy extends PolicyRules {
  readonly policyId: string;
  readonly name: string;
  readonly createdAt: number;
}
/** Null: there is none of this name. */
export type PolicyState = Policy | null;

export const evolvePolicy = (state: PolicyState, event: AuthzPolicyEvent): PolicyState => {
  switch (event.type) {
    case 'AuthzPolicyCreated': {
      const { type: _, at: createdAt, ...policy } = event;
      return { ...policy, createdAt };
    }
    case 'AuthzPolicyChanged': {
      if (state === null) throw new Error(`${event.type} of ${event.name} before AuthzPolicyCreated`);
      const { description, sourceMetadata, chunkMetadata } = event;
      return { ...state, description, sourceMetadata, chunkMetadata };
    }
    case 'AuthzPolicyDeleted':
      return null;
  }
};

/** What policies know of one principal. */
export interface Subject {
  readonly principalId: string;
  readonly createdAt: number;
  /** By policy. */
  readonly policies: ReadonlyMap<string, Attributes>;
}
/** Null: nothing is known. */
export type SubjectState = Subject | null;

export const evolveSubject = (state: SubjectState, event: AuthzSubjectEvent): SubjectState => {
  switch (event.type) {
    case 'AuthzAttributesSet': {
      const { principalId, authzPolicy, attributes, at } = event;
      const policies = new Map(state?.policies).set(authzPolicy, attributes);
      return { principalId, createdAt: state?.createdAt ?? at, policies };
    }
    case 'AuthzAttributesDeleted':
      return null;
  }
};
