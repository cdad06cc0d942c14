/** What a call answers that fails before it says anything. `meanwhile`: what happens when it is first listened to. */
export const failingStream = <Said>(error: Error, meanwhile: () => void = () => {}): AsyncIterable<Said> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => {
      meanwhile();
      return Promise.reject(error);
    },
  }),
});
