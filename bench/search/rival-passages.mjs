// The passages of a passages file, as both rivals are given them.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export const readPassages = async (file, most) => {
  const passages = [];
  for (;;) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const { source, chunks } = JSON.parse(line);
      for (const { text } of chunks)
        passages.push({ id: passages.length, title: source.title, url: source.url ?? '', text });
      if (passages.length >= most) return passages;
    }
  }
};

/** Milliseconds of each. */
export const timed = async (questions, ask) => {
  const times = [];
  for (const question of questions) {
    const begun = performance.now();
    const found = await ask(question);
    times.push(performance.now() - begun);
    if (found.length > 0 && typeof found[0].text !== 'string') throw new Error('no text came back');
  }
  return times;
};

/** Answers per second of so many loops that ask one after the other for a while. */
export const rateOf = async (questions, clients, ms, ask) => {
  const begun = performance.now();
  let answers = 0;
  const loop = async (lane) => {
    for (let i = lane; performance.now() - begun < ms; i += clients) {
      await ask(questions[i % questions.length]);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, lane) => loop(lane)));
  return (answers * 1000) / (performance.now() - begun);
};
