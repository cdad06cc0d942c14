/** The versions that are tested; `package.json` has the same. */
const MODEL_PACKAGES = { 'onnxruntime-node': '1.30.0', '@huggingface/tokenizers': '0.2.0' } as const;

/** What models of this machine run with is not installed. The message says what to do. */
export class ModelPackagesMissing extends Error {
  override readonly name = 'ModelPackagesMissing';
  constructor() {
    const packages = Object.entries(MODEL_PACKAGES).map(([name, version]) => `${name}@${version}`);
    super(
      `it needs packages that are not installed: npm install --omit=dev --save-prod ${packages.join(' ')}`,
    );
  }
}

/**
 * Whether the packages are there. They are loaded in the processes of models alone.
 *
 * @throws ModelPackagesMissing
 */
export const checkModelPackages = (
  resolve: (name: string) => string = (name) => import.meta.resolve(name),
): void => {
  try {
    for (const name of Object.keys(MODEL_PACKAGES)) resolve(name);
  } catch {
    throw new ModelPackagesMissing();
  }
};
