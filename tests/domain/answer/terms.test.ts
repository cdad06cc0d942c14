import { describe, expect, it } from 'vitest';
import { stem, stopWordsOf, termOf, termsOf } from '../../../domain/answer/terms.ts';

describe('the stem of a word', () => {
  it.each([
    ['install installs installed installing installer installers installation installations', 'install'],
    ['organize organized organizes organizing organizer organizers organization organizations', 'organ'],
    ['attachment attachments attach attached', 'attach'],
    ['readable reader', 'read'],
    ['convertible convert converted', 'convert'],
    ['exactly exact', 'exact'],
    ['stopped stopping stop stops', 'stop'],
    ['running runs run', 'run'],
    ['queries query', 'quer'],
    ['fastest faster fast', 'fast'],
    ['atomicity atomic', 'atomic atom'],
    ['settings setting', 'set'],
    ['dates logs', 'date log'],
    ['pass press class', 'pass press class'],
    ['bias plus this news', 'bias plus this new'],
    ['falling called dressed', 'fall call dress'],
    ['freed seeing sending', 'freed seeing send'],
    ['log logs to is', 'log log to is'],
    ['v2s ärzte 2nds', 'v2s ärzte 2nds'],
    ['abcd2ing psst else', 'abcd2ing psst else'],
    ['stating ebbating', 'stat ebb'],
    ['creates creation created', 'cre cre cre'],
  ])('takes the commonest endings off: %s', (words, stems) => {
    const wanted = stems.includes(' ') ? stems.split(' ') : words.split(' ').map(() => stems);
    expect(words.split(' ').map(stem)).toEqual(wanted);
  });
});

describe('the terms of a text', () => {
  it('are those of its words that are no stop words, without accents', () => {
    expect(termsOf('The Café is about tables')).toEqual(['cafe', 'tabl']);
    expect([termOf('the'), termOf('café')]).toEqual([null, 'cafe']);
  });
});

describe('the stop words of a question', () => {
  it.each([
    ['Wie groß ist der Speicher?', 'speicher', 'wie ist der the'],
    ['Quelle est la taille du cache ?', 'taille', 'quelle est la du the'],
    ['¿Cuál es el tamaño de la caché?', 'tamano', 'cual es el de la the'],
    ['Qual è la dimensione della cache?', 'dimensione', 'e della the'],
    ['Qual é o tamanho do cache?', 'tamanho', 'qual o do the'],
    ['Hoe groot is het geheugen?', 'geheugen', 'hoe is het the'],
    ['Как велик размер памяти и что это?', 'размер', 'как и что это the'],
  ])('are those of English and of its own language: %s', (question, word, stops) => {
    const found = stopWordsOf(question);
    expect(found.has(word)).toBe(false);
    expect(stops.split(' ').filter((stop) => !found.has(stop))).toEqual([]);
  });

  it('are those of English alone where most words are English, or as many', () => {
    expect(stopWordsOf('What is the size of die Menge?').has('die')).toBe(false);
    expect(stopWordsOf('the der').has('der')).toBe(false);
    expect(stopWordsOf('the der die').has('der')).toBe(true);
    expect(stopWordsOf('').has('der')).toBe(false);
    expect(['du', 'los'].map((word) => stopWordsOf('la casa').has(word))).toEqual([true, false]);
  });
});

describe('everyday words that mean the same', () => {
  it.each([
    'removes deleted erasing deletion',
    'maximum max largest greatest',
    'minimum min smallest',
    'directory folders',
    'run executed',
    'allows permitted',
    'forbids deny denied denies prohibited',
    'enabled activate activated',
    'disables deactivated',
  ])('are one term: %s', (words) => expect(new Set(termsOf(words)).size).toBe(1));

  it('are no others', () =>
    expect(new Set(termsOf('list start stop begin enable active large fold disable remove')).size).toBe(10));
});
