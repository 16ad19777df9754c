import { SYSTEM_ACTOR, eventType, studentEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import type { z } from 'zod';
import { MembersService } from '#src/members/members.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { StudentsConsumer } from '#src/students/students.consumer.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Hold } from './hold.js';

type Student = z.output<(typeof studentEvents)['data']>;

let auth: TestAuth;
let email: string;
let student_id: string;
beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => {
  student_id = uuidv7();
  email = `${student_id}@school.example`;
});
afterAll(() => auth.stop());

const get = <T>(type: new (...args: never[]) => T): T => auth.app.get(type, { strict: false });

/** Consumes an event of the student. */
function consume(version: number, change: Partial<Student> = {}): Promise<void> {
  const event = eventOf(version, change);
  return get(Outbox).transaction((tx) => get(StudentsConsumer).apply(event, tx));
}

function eventOf(version: number, change: Partial<Student> = {}) {
  const { site_id } = auth.site;
  const data: Student = {
    student_id,
    site_id,
    email,
    person_id: null,
    name: 'New Student',
    locale: null,
    state: 'active',
    send_welcome_email: false,
    ...change,
  };
  return {
    id: uuidv7(),
    type: eventType(studentEvents, 'updated'),
    aggregate_id: student_id,
    aggregate_version: version,
    epoch: 1,
    site_id,
    actor: SYSTEM_ACTOR,
    occurred_at: new Date().toISOString(),
    data,
  };
}
/** Data of the school's event after the removal of the member. */
const erased = (): Partial<Student> => ({
  email: `${student_id}@deleted.invalid`,
  name: 'Deleted',
  state: 'removed',
});
const consumeErasure = (version: number): Promise<void> => consume(version, erased());

const personWithAddress = async (): Promise<string | undefined> =>
  (await auth.sql<{ person_id: string }>('select person_id from people where email = $1', [email]))[0]?.person_id;

const joinOther = (person_id: string): Promise<void> =>
  get(Outbox).transaction(async (tx) => {
    const person = await get(PeopleService).hold(tx, person_id);
    if (person !== undefined) await get(MembersService).add(tx, auth.other.site_id, person, 'student');
  });

/** Removes the member at the site, as an admin does. */
function remove(person_id: string): Promise<void> {
  return get(Outbox).transaction(async (tx) => {
    const person = await get(PeopleService).hold(tx, person_id);
    if (person !== undefined) await get(MembersService).eraseLast(tx, auth.site.site_id, person);
  });
}
const membershipOf = (person_id: string): Promise<unknown[]> =>
  auth.sql('select roles, name from site_members where person_id = $1 and site_id = $2', [
    person_id,
    auth.site.site_id,
  ]);
const ERASED = [{ roles: [], name: null }];

describe('an event of a student that is tried again after the erasure', () => {
  it('creates no person for the erased address', async () => {
    await consume(1);
    await remove((await personWithAddress()) ?? '');
    await consumeErasure(3);
    await consume(2);
    expect(await personWithAddress()).toBeUndefined();
  });

  it('creates no person when it is the first one', async () => {
    await consumeErasure(3);
    await consume(2);
    expect(await personWithAddress()).toBeUndefined();
  });

  it('creates no person when another replica has not committed the erasure', async () => {
    const erasure = eventOf(3, erased());
    const hold = await Hold.after(auth, (tx) => get(StudentsConsumer).apply(erasure, tx));
    const earlier = consume(2);
    await hold.waiting(1);
    await hold.release();
    await earlier;
    expect(await personWithAddress()).toBeUndefined();
  });
});

describe('an event of a student that the school sent before it knew of the erasure', () => {
  it('creates no person for the erased address', async () => {
    await consume(1);
    const person_id = (await personWithAddress()) ?? '';
    await consume(2, { person_id });
    await remove(person_id);
    await consume(3, { person_id });
    expect(await personWithAddress()).toBeUndefined();
    await consumeErasure(4);
    expect(await membershipOf(person_id)).toEqual(ERASED);
  });

  it('brings no member of another site back', async () => {
    await consume(1);
    const person_id = (await personWithAddress()) ?? '';
    await consume(2, { person_id });
    await joinOther(person_id);
    await remove(person_id);
    await consume(3, { person_id });
    expect(await membershipOf(person_id)).toEqual(ERASED);
    expect(await personWithAddress()).toBe(person_id);
  });
});

it('adds an erased member again as another student with the same address', async () => {
  await consume(1);
  await remove((await personWithAddress()) ?? '');
  await consumeErasure(2);
  student_id = uuidv7();
  await consume(1);
  expect(await membershipOf((await personWithAddress()) ?? '')).toEqual([{ roles: ['student'], name: 'New Student' }]);
});

it('removes the role from a member who returned, when the school corrects the address of the new student', async () => {
  await consume(1);
  const person_id = (await personWithAddress()) ?? '';
  await joinOther(person_id);
  await remove(person_id);
  await consumeErasure(2);
  student_id = uuidv7();
  await consume(1);
  expect(await membershipOf(person_id)).toMatchObject([{ roles: ['student'] }]);
  await consume(2, { email: `correct.${email}` });
  expect(await membershipOf(person_id)).toMatchObject([{ roles: [] }]);
});
