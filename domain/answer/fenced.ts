/** Where code stands between fences, with these: from, and up to; in order. What has no end is none. Linear in the length. */
export function fencedIn(text: string): readonly (readonly [number, number])[] {
  const lines = linesOf(text);
  // The last line that ends each kind: without one behind it, a fence is looked for no further.
  const last = new Map<string, number>();
  for (const [i, { line }] of lines.entries()) if (FENCES.has(line)) last.set(line, i);
  const found: (readonly [number, number])[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const { line, start } = lines[i]!;
    const fence = line.slice(0, 3);
    if ((last.get(fence) ?? -1) <= i) continue;
    let end = i + 1;
    while (lines[end]!.line !== fence) end += 1;
    found.push([start, lines[end]!.end]);
    i = end;
  }
  return found;
}

const FENCES: ReadonlySet<string> = new Set(['```', '~~~']);

/** Lines without the blanks around them, and where they begin and end. */
function linesOf(text: string): readonly { line: string; start: number; end: number }[] {
  let start = 0;
  return text.split('\n').map((whole) => {
    const place = { line: whole.trim(), start, end: start + whole.length };
    start = place.end + 1;
    return place;
  });
}
