/**
 * As much of ONNX (onnx.proto3) and of its encoding as a graph of a few nodes takes: models for tests are made here, and
 * run by the real runtime.
 */
type Field = readonly [number: number, value: bigint | string | Uint8Array];

const varint = (value: bigint): readonly number[] => {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
};

const message = (...fields: readonly Field[]): Uint8Array =>
  Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'bigint') return Buffer.from([...varint(BigInt(number) << 3n), ...varint(value)]);
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      const head = [...varint((BigInt(number) << 3n) | 2n), ...varint(BigInt(bytes.length))];
      return Buffer.concat([Buffer.from(head), bytes]);
    }),
  );

export const FLOAT = 1n;
export const INT64 = 7n;

/** A constant of the graph. */
export const tensor = (
  name: string,
  dims: readonly number[],
  data: Float32Array | BigInt64Array,
): Uint8Array =>
  message(
    ...dims.map((dim): Field => [1, BigInt(dim)]),
    [2, data instanceof Float32Array ? FLOAT : INT64],
    [8, name],
    [9, new Uint8Array(data.buffer)],
  );

/** An attribute that is one whole number. */
const attribute = ([name, value]: readonly [string, bigint]): Uint8Array =>
  message([1, name], [3, value], [20, 2n]);

export const node = (
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, bigint>> = {},
): Uint8Array =>
  message(
    ...inputs.map((name): Field => [1, name]),
    [2, output],
    [4, type],
    ...Object.entries(attributes).map((each): Field => [5, attribute(each)]),
  );

/** An input or output; a dimension that is a word may be of any size. */
export const value = (name: string, type: bigint, dims: readonly (number | string)[]): Uint8Array => {
  const shape = message(
    ...dims.map((dim): Field => [1, message(typeof dim === 'string' ? [2, dim] : [1, BigInt(dim)])]),
  );
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
};

/** The bytes of a model of opset 13. */
export const onnxModel = (graph: {
  readonly nodes: readonly Uint8Array[];
  readonly constants: readonly Uint8Array[];
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly Uint8Array[];
}): Uint8Array => {
  const body = message(
    ...graph.nodes.map((each): Field => [1, each]),
    [2, 'tiny'],
    ...graph.constants.map((each): Field => [5, each]),
    ...graph.inputs.map((each): Field => [11, each]),
    ...graph.outputs.map((each): Field => [12, each]),
  );
  return message([1, 8n], [7, body], [8, message([2, 13n])]);
};
