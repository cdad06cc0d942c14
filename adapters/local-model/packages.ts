/** The tested versions; `package.json` has the same. */
const MODEL_PACKAGES = { 'onnxruntime-node': '1.30.0', '@huggingface/tokenizers': '0.2.0' } as const;

/** The packages that run local models are not installed. The message says what to do. */
export class ModelPackagesMissing extends Error {
  override readonly name = 'ModelPackagesMissing';
  constructor() {
    const packages = Object.entries(MODEL_PACKAGES).map(([name, version]) => `${name}@${version}`);
    super(
      `it needs packages that are not installed: npm install --omit=dev --save-prod ${packages.join(' ')}`,
    );
  }
}

/** Checks that the packages are installed. Only model processes load them. @throws ModelPackagesMissing */
export const checkModelPackages = (
  resolve: (name: string) => string = (name) => import.meta.resolve(name),
): void => {
  try {
    for (const name of Object.keys(MODEL_PACKAGES)) resolve(name);
  } catch {
    throw new ModelPackagesMissing();
  }
};
