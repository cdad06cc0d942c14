// Its types are those of `onnxruntime-common`, which is there where the runtime itself, of 288 MB, is not installed.
declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common';
}
