import { at, newLearner } from './learner.js';
import { unique } from './new-course.js';
import { move, newLectures } from './new-lectures.js';
import { Storefront } from './storefront.js';

const storefront = Storefront.ofFile();

it('keeps the latest position and each completion in any order of arrival', async () => {
  const learner = await newLearner(storefront.api);
  const [one, two] = learner.lectures;
  await storefront.result(storefront.watching(learner, { occurred_at: at(5), position_seconds: 50, completed: false }));
  const late = await storefront.result(storefront.watching(learner, { occurred_at: at(4), position_seconds: 40 }));
  expect(late).toMatchObject({ position_seconds: 50, watched_at: at(5), completion_rate: 0.5 });
  const same = await storefront.result(
    storefront.watching(learner, { occurred_at: at(5), position_seconds: 45, completed: false }),
  );
  expect(same).toMatchObject({ position_seconds: 50, completion_rate: 0.5 });
  const other = { lecture: { id: two }, completed: false };
  expect(await storefront.result(storefront.watching(learner, { ...other, occurred_at: at(3) }))).toMatchObject({
    watched_at: at(3),
  });
  const { body } = await storefront.api.send('GET', learner.path);
  expect(body).toMatchObject({ completion_rate: 0.5, last_watched: { lecture_id: one, watched_at: at(5) } });
  const { body: all } = await storefront.api.send<{ data: object[] }>(
    'GET',
    `/api/v1/students/${learner.student_id}/progress`,
  );
  expect(all.data).toMatchObject([
    { lecture_id: one, position_seconds: 50, completed: true, completed_at: at(4) },
    { lecture_id: two, completed: false, completed_at: null },
  ]);
});

it('completes the course with its last lecture and keeps that instant', async () => {
  const learner = await newLearner(storefront.api);
  const [, two] = learner.lectures;
  await storefront.result(storefront.watching(learner, { occurred_at: at(2) }));
  const last = { lecture: { id: two }, occurred_at: at(1) };
  // The report of the second lecture arrives late.
  expect(await storefront.result(storefront.watching(learner, last))).toMatchObject({
    completion_rate: 1,
    completed_at: at(2),
  });
  const again = await storefront.result(storefront.watching(learner, { completed: false, occurred_at: at(3) }));
  expect(again).toMatchObject({ completion_rate: 1, completed_at: at(2), watched_at: at(3) });
  const [, , completed] = await storefront.api.events.of([learner.enrollment_id], 3);
  expect(completed?.data).toMatchObject({ completion_rate: 1, completed_at: at(2) });
});

it('counts lectures that are completed at the same time', async () => {
  const learner = await newLearner(storefront.api);
  const commands = learner.lectures.map((id) => storefront.watching(learner, { lecture: { id } }));
  const rates = await Promise.all(commands.map((command) => storefront.result(command)));
  expect(rates.map(({ completion_rate }) => completion_rate).toSorted((a, b) => a - b)).toEqual([0.5, 1]);
  expect((await storefront.api.send('GET', learner.path)).body).toMatchObject({
    completion_rate: 1,
    completed_at: at(1),
  });
});

it('rates the published lectures with the next record of the student', async () => {
  const learner = await newLearner(storefront.api);
  const [one, two] = learner.lectures;
  await storefront.result(storefront.watching(learner));
  await move(storefront.api, two, 'unpublish');
  expect((await storefront.api.send('GET', learner.path)).body).toMatchObject({
    completion_rate: 0.5,
    completed_at: null,
  });
  // A record that is older than the known one changes nothing in its lecture.
  const older = storefront.watching(learner, { completed: false, occurred_at: at(0) });
  expect(await storefront.result(older)).toMatchObject({ watched_at: at(1), completion_rate: 1, completed_at: at(1) });
  const [, , rated] = await storefront.api.events.of([learner.enrollment_id], 3);
  expect(rated).toMatchObject({ type: 'school.enrollment.progressed.v1', data: { completion_rate: 1 } });

  const added = await newLectures(storefront.api, learner.course_id, 2);
  for (const lecture of [two, ...added]) await move(storefront.api, lecture, 'publish');
  const [third = ''] = added;
  const begun = storefront.watching(learner, { lecture: { id: third }, completed: false, occurred_at: at(2) });
  expect(await storefront.result(begun)).toMatchObject({ completion_rate: 0.25, completed_at: at(1) });
  for (const lecture of [one, two, third]) await move(storefront.api, lecture, 'unpublish');
  expect((await storefront.api.send('DELETE', `/api/v1/lectures/${added[1]}`)).status).toBe(204);
  expect(await storefront.result(storefront.watching(learner, { occurred_at: at(3) }))).toMatchObject({
    completion_rate: 0,
  });
});

it('records a draft and a lecture by its external id, and counts published ones only', async () => {
  const learner = await newLearner(storefront.api);
  const [draft = ''] = await newLectures(storefront.api, learner.course_id, 1);
  const external_id = unique('lecture');
  await storefront.api.send('PATCH', `/api/v1/lectures/${draft}`, { body: { external_id } });
  expect(await storefront.result(storefront.watching(learner, { lecture: { external_id } }))).toMatchObject({
    lecture_id: draft,
    completion_rate: 0,
  });
});
