import { newLectures } from './new-lectures.policy.js';
import type { ChangedPart } from './new-lectures.policy.js';

const lecture = { title: 'Knots' } as NonNullable<ChangedPart['lecture']>;
const part = (occasion: string, published_at: string | null): ChangedPart => ({
  site_id: 'site',
  course_id: 'course',
  occasion,
  lecture: published_at === null ? undefined : lecture,
  published_at,
  opens_at: null,
});

it.each([
  ['a publication and an edit', ['1', '2'], ['1']],
  ['a publication and a retraction', ['1', null], []],
  ['a retraction and a publication', [null, '2'], ['2']],
  ['a second publication after a retraction', ['1', null, '3'], ['3']],
])('announces what is new in a batch with %s', (_, published, expected) => {
  const parts = published.map((at) => part('lecture:one', at));
  expect([...newLectures(parts)].map(({ published_at }) => published_at)).toEqual(expected);
});

it('announces each lecture of a batch', () => {
  const parts = [part('lecture:one', '1'), part('lecture:two', '2'), part('lecture:one', null)];
  expect([...newLectures(parts)].map(({ occasion }) => occasion)).toEqual(['lecture:two']);
});
