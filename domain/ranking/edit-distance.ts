/** What it costs to change a letter of the first word into one of the second, and to take one out behind another. */
export interface Costs {
  readonly change: (from: string, to: string) => number;
  readonly takeOut: (letter: string, before: string | undefined) => number;
}
const ALL_ALIKE: Costs = { change: () => 1, takeOut: () => 1 };

/**
 * How many letters have to be put in, taken out, changed or swapped with their neighbour to make one word of the other
 * (optimal string alignment); `most` + 1 as soon as it is more than `most`. UTF-16 units count as letters.
 */
export const editDistance = (a: string, b: string, most: number, costs = ALL_ALIKE): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const out = costs.takeOut(a[i - 1]!, a[i - 2]);
    const row = [(last[0] ?? 0) + out];
    let least = row[0]!;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const change = same ? 0 : costs.change(a[i - 1]!, b[j - 1]!);
      let cost = Math.min((last[j] ?? 0) + out, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
};
