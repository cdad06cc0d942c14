import { plainShape, type StateShape } from '../shared/decider.ts';
import type { Subject, SubjectState } from './state.ts';

/** The attributes as pairs of policy and attributes. */
export const subjectShape: StateShape<SubjectState> = {
  ...plainShape<SubjectState>('authzSubject', 2),
  toJson: (subject) => subject && { ...subject, policies: [...subject.policies] },
  fromJson: (json) => {
    const subject = json as (Omit<Subject, 'policies'> & { readonly policies: Pairs }) | null;
    return subject && { ...subject, policies: new Map(subject.policies) };
  },
  entries: (subject) => 1 + (subject?.policies.size ?? 0),
};

type Pairs = readonly (readonly [
  string,
  Subject['policies'] extends ReadonlyMap<string, infer A> ? A : never,
])[];
