import { pictureDescription, pictureName } from '../picture-description.ts';
import type { Attributes } from './tags.ts';

/** Tells what pictures say to those who do not see them: alternative texts, and names of icons. */
interface PictureNames {
  open(name: string, attributes: Attributes, depth: number): void;
  text(data: string): void;
  /** The name of a drawing that ends here, where it is to be said; '' for none. */
  close(name: string, depth: number): string;
  /** What is said in place of this picture; '' for none. */
  nameOf(name: string, attributes: Attributes): string;
}

const LONGEST = 500;

/** In the cells of tables any name is told, as the icons there are all that the cell says: yes, no, not included. */
export const createPictureNames = (): PictureNames => {
  /** Depths of the open cells and links. */
  const cells: number[] = [];
  let link = 0;
  let drawing: { readonly depth: number; name: string; inTitle: number } | null = null;
  const told = (written: string | undefined): string => {
    const name = cells.length > 0 ? pictureName(written) : link === 0 ? pictureDescription(written) : '';
    return name === '' ? '' : ` ${name} `;
  };

  return {
    open: (name, attributes, depth) => {
      if (name === 'table') cells.length = 0;
      else if (name === 'td' || name === 'th') cells.push(depth);
      else if (name === 'a') link = depth;
      else if (name === 'svg' && drawing === null && attributes['aria-hidden'] !== 'true')
        drawing = { depth, name: attributes['aria-label'] ?? '', inTitle: 0 };
      else if (name === 'title' && drawing !== null && drawing.name === '') drawing.inTitle = depth;
    },
    text: (data) => {
      if (drawing !== null && drawing.inTitle > 0 && drawing.name.length <= LONGEST) drawing.name += data;
    },
    close: (name, depth) => {
      if (depth === cells.at(-1)) cells.pop();
      if (depth === link) link = 0;
      if (depth === drawing?.inTitle) drawing.inTitle = 0;
      if (depth !== drawing?.depth || name !== 'svg') return '';
      const said = told(drawing.name);
      drawing = null;
      return said;
    },
    nameOf: (name, attributes) => {
      const { alt, role, title } = attributes;
      if (attributes['aria-hidden'] === 'true') return '';
      if (name === 'img') return told(alt ?? attributes['aria-label']);
      const isIcon = role?.trim() === 'img' || (name === 'i' && cells.length > 0);
      return isIcon ? told(attributes['aria-label'] ?? title) : '';
    },
  };
};
