import { runsOfStudents } from './students.policy.js';

/** Runs of events such as `Ap`: the student A with the person p, or with none (`-`). */
const runs = (...given: string[]): string[] =>
  runsOfStudents(
    given.map(([student_id = '', person = '']) => ({
      data: { site_id: 's', student_id, person_id: person === '-' ? null : person },
    })),
  ).map((run) => run.map(({ data }) => `${data.student_id}${data.person_id ?? '-'}`).join(' '));

it.each([
  [[], []],
  [['Ap', 'Bq', 'Ap'], ['Ap Bq Ap']],
  [['A-', 'B-', 'A-'], ['A- B- A-']],
  [
    ['Ap', 'Bq', 'Aq', 'Bp'],
    ['Ap Bq', 'Aq Bp'],
  ],
  [
    ['Ap', 'A-', 'Bp'],
    ['Ap', 'A- Bp'],
  ],
  [
    ['Ap', 'Aq', 'Ap'],
    ['Ap', 'Aq', 'Ap'],
  ],
])('splits %j where a student or a person has another partner', (given, expected) => {
  expect(runs(...given)).toEqual(expected);
});
