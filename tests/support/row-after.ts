/** The row to which these events lead, by the row function of its view. @throws when they lead to none */
export const rowAfter = <Row, Event, Of extends object>(
  row: (before: Row | null, event: Event, of: Of & { readonly revision: bigint }) => Row | null,
  of: Of,
  ...events: readonly Event[]
): Row => {
  const made = events.reduce<Row | null>(
    (before, event, i) => row(before, event, { ...of, revision: BigInt(i) }),
    null,
  );
  if (made === null) throw new Error('these events lead to no row');
  return made;
};
