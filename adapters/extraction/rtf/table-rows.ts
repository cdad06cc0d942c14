/** Between the cells of a row. */
export const CELL = ' | ';

/** A longer text of a cell over several rows is told once. */
const TOLD_AGAIN = 100;

/** Follows the rows of tables: the ends of paragraphs within them, and cells over several rows. */
interface TableRows {
  word(name: string): void;
  /** Whether the paragraph is one of a cell: its end ends no row. */
  readonly isWithin: boolean;
  /** @param pieces of the row that ends @returns the same, with what cells from above say in it */
  end(pieces: readonly string[]): string[];
}

export const createTableRows = (): TableRows => {
  let isWithin = false;
  let isCovered = false;
  /** By column, whether the cell above goes on here. */
  let covered: boolean[] = [];
  let above: readonly string[] = [];
  return {
    word: (name) => {
      if (name === 'pard') isWithin = false;
      else if (name === 'intbl') isWithin = true;
      else if (name === 'trowd') [covered, isCovered] = [[], false];
      else if (name === 'clvmrg') isCovered = true;
      else if (name === 'cellx') {
        covered.push(isCovered);
        isCovered = false;
      }
    },
    get isWithin() {
      return isWithin;
    },
    end: (pieces) => {
      const cells: string[] = [''];
      for (const piece of pieces) {
        if (piece === CELL) cells.push('');
        else cells[cells.length - 1] += piece;
      }
      const shown = cells.map((own, column) => {
        const text = own.replaceAll(/\s+/g, ' ').trim();
        const from = above[column] ?? '';
        return text === '' && covered[column] === true && from.length <= TOLD_AGAIN ? from : text;
      });
      above = shown;
      return shown
        .flatMap((text, column) => (column === 0 ? [text] : [CELL, text]))
        .filter((piece) => piece !== '');
    },
  };
};
