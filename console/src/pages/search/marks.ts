/** What is needed of a node of hast. */
interface Node {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, string>>;
  children?: readonly Node[];
}

/** Of a mark, before its number. */
export const CITED = '#cited-';

/** A plugin of rehype: a mark such as `[1]` outside of code becomes a link where `isCited` knows its number. */
export const linkMarks = (isCited: (number: number) => boolean) => () => {
  const linked = (text: string): readonly Node[] =>
    text.split(/(\[\d{1,3}\])/).map((value) => {
      const number = Number(/^\[(\d+)\]$/.exec(value)?.[1]);
      const node = { type: 'text', value };
      if (!isCited(number)) return node;
      return { type: 'element', tagName: 'a', properties: { href: CITED + number }, children: [node] };
    });
  return function visit(node: Node): void {
    if (node.children === undefined || node.tagName === 'code' || node.tagName === 'a') return;
    node.children.forEach(visit);
    node.children = node.children.flatMap((child) =>
      child.type === 'text' ? linked(child.value ?? '') : [child],
    );
  };
};
