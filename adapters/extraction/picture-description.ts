/** A short name often tells the text beside a picture again, such as that of a logo; from so many words on it describes it. */
const DESCRIBES = /\S+\s+\S+\s+\S+\s+\S+/u;
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp)$/i;
const LONGEST = 500;
/** Office programs write so below what they guess. */
const GUESSED = /\s*Description automatically generated.*$/s;

/** The alternative text of a picture on one line; '' where it is none to be told. */
export const pictureName = (written: string | undefined): string => {
  const name = written?.replace(GUESSED, '').replaceAll(/\s+/g, ' ').trim() ?? '';
  return name.length > LONGEST || FILE_NAME.test(name) ? '' : name;
};

/** What it says of a picture within a text; '' where that is too little. */
export const pictureDescription = (written: string | undefined): string => {
  const name = pictureName(written);
  return DESCRIBES.test(name) ? name : '';
};
