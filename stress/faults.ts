/** What the checks may find wrong; each has a list of sentences. */
export const FAULTS = ['lost', 'doubled', 'stuck', 'views_differ', 'pages_differ', 'unexpected'] as const;
export type Fault = (typeof FAULTS)[number];
export type Found = { readonly [fault in Fault]: string[] };

export const noFaults = (): Found => ({
  lost: [],
  doubled: [],
  stuck: [],
  views_differ: [],
  pages_differ: [],
  unexpected: [],
});
