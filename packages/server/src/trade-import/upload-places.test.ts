import { expect, test } from 'vitest';
import { uploadPlaces } from './upload-places.ts';

test('one upload at a time per account; after it the next may come, once', () => {
  const places = uploadPlaces();
  const first = places.enter('a');
  expect(() => places.enter('a')).toThrow(expect.objectContaining({ code: 'rate-limited', retryAfter: 5 }));
  const other = places.enter('b');
  first.leave();
  places.enter('a');
  // Leaving again does not give up the place of the one that came after.
  first.leave();
  expect(() => places.enter('a')).toThrow(expect.objectContaining({ code: 'rate-limited' }));
  other.leave();
});

test('a few are read at once, the others in the order they came', async () => {
  const places = uploadPlaces(2);
  const began: string[] = [];
  const [a, b, c, d, slow] = ['a', 'b', 'c', 'd', 'slow'].map((account) => places.enter(account));
  const begin = (name: string, place: typeof a) => place!.turn().then(() => began.push(name));
  const all = [begin('a', a), begin('b', b), begin('c', c), begin('d', d)];
  await Promise.all(all.slice(0, 2));
  expect(began).toEqual(['a', 'b']);
  // One that never had a turn gives none back.
  slow!.leave();
  b!.leave();
  await all[2];
  expect(began).toEqual(['a', 'b', 'c']);
  a!.leave();
  await all[3];
  expect(began).toEqual(['a', 'b', 'c', 'd']);
  c!.leave();
  d!.leave();
  const again = ['e', 'f', 'g'].map((account) => places.enter(account));
  const turns = again.map((place, index) => place.turn().then(() => began.push(`again ${index}`)));
  await Promise.all(turns.slice(0, 2));
  expect(began.slice(4)).toEqual(['again 0', 'again 1']);
});

test('whoever goes away while waiting gives up the turn, and the next one has it', async () => {
  const places = uploadPlaces(1);
  const [reading, waiting, next] = ['a', 'b', 'c'].map((account) => places.enter(account));
  await reading!.turn();
  const [leaving, gone] = [new AbortController(), new Error('gone')];
  const given = waiting!.turn(leaving.signal);
  const turn = next!.turn();
  leaving.abort(gone);
  await expect(given).rejects.toBe(gone);
  waiting!.leave();
  reading!.leave();
  await turn;
  await expect(places.enter('d').turn(AbortSignal.abort(gone))).rejects.toBe(gone);
});
