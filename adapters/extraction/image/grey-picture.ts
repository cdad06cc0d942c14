/** One byte per pixel, rows from above; 255 is white. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The grey of a colour, with the weights of ITU-R BT.601. */
export const greyOf = (red: number, green: number, blue: number): number =>
  (77 * red + 150 * green + 29 * blue) >> 8;

/** A portable pixmap, which needs no compression (netpbm, PGM). */
export const pixmap = ({ width, height, data }: GreyPicture): Uint8Array =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);

/** Twice as wide and high; pixels between two others are mixed from both. */
export const doubled = ({ width, height, data }: GreyPicture): GreyPicture => {
  const out = new Uint8Array(4 * width * height);
  for (let y = 0; y < 2 * height; y += 1) {
    // The centre of a new pixel is a quarter off the centre of an old one, and three quarters off the next.
    const near = (y >> 1) * width;
    const far = Math.min(height - 1, Math.max(0, (y >> 1) + (y % 2 === 0 ? -1 : 1))) * width;
    for (let x = 0; x < 2 * width; x += 1) {
      const column = x >> 1;
      const beside = Math.min(width - 1, Math.max(0, column + (x % 2 === 0 ? -1 : 1)));
      const sum =
        9 * data[near + column]! + 3 * (data[near + beside]! + data[far + column]!) + data[far + beside]!;
      out[2 * y * width + x] = sum >> 4;
    }
  }
  return { width: 2 * width, height: 2 * height, data: out };
};

/** Each pixel becomes the mean of a square of so many pixels a side. */
export const shrunk = ({ width, height, data }: GreyPicture, side: number): GreyPicture => {
  const [wide, high] = [Math.max(1, Math.floor(width / side)), Math.max(1, Math.floor(height / side))];
  const out = new Uint8Array(wide * high);
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      let sum = 0;
      for (let row = y * side; row < Math.min(height, (y + 1) * side); row += 1)
        for (let column = x * side; column < Math.min(width, (x + 1) * side); column += 1)
          sum += data[row * width + column]!;
      out[y * wide + x] = sum / (side * side);
    }
  }
  return { width: wide, height: high, data: out };
};
