import { announcementDeliveryEvents } from '@lyceum/contracts';
import type { DomainEvent } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs, eventually } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import type pg from 'pg';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import type { Announcement } from './world.js';

/** More members than fit into two batches. */
const CROWD = 1_200;

let api: TestApi;
let database: pg.Client;
let connection: NatsConnection;
let site_id: string;
/** Numbers of people by announcement, as they were published. */
const published = new Map<string, number[]>();

beforeAll(async () => {
  api = await startMemberApi();
  await api.replica();
  ({ site_id } = api.sites[0]);
  database = await api.connect();
  await database.query(
    `insert into memberships (person_id, site_id, version, roles, joined_at)
     select uuidv7(), case when n > $2::int then $3::uuid else $1 end, 1, '{student}', now() from generate_series(1, $2 + 10) n`,
    [site_id, CROWD, api.sites[1].site_id],
  );
  connection = await connectAs(api.nats.environment('admin'));
  connection.subscribe(announcementDeliveryEvents.filter, {
    callback: (_error, message) => {
      const { recipients_count } = announcementDeliveryEvents.data.parse(message.json<DomainEvent>().data);
      const { aggregate_id } = message.json<DomainEvent>();
      published.set(aggregate_id, [...(published.get(aggregate_id) ?? []), recipients_count]);
    },
  });
  await connection.flush();
});
afterAll(async () => {
  await connection.close();
  await api.stop();
});

async function announce(
  given: Partial<Announcement> = {},
  announcement_id = uuidv7(),
  version = 1,
  name?: string,
): Promise<string> {
  await api.world.announcement(
    { site_id, announcement_id, ...given },
    { version, ...(name === undefined ? {} : { name }) },
  );
  return announcement_id;
}

/** The published numbers of people whom an announcement reached. */
const reached = (announcement_id: string): Promise<number[]> =>
  eventually(
    () => published.get(announcement_id) ?? [],
    (found) => found.length > 0,
  );

/** Sets a channel of members of the site: the first ones by their ids. */
async function choose(topic: string, members: number, in_app: boolean, email: boolean): Promise<void> {
  await database.query(
    `insert into notification_subscriptions
     select site_id, person_id, $2, null, 1, true, $3, $4, now() from memberships where site_id = $1
     order by person_id limit $5
     on conflict do nothing`,
    [site_id, topic, in_app, email, members],
  );
}

it('publishes once how many people an announcement reached across replicas, each person once', async () => {
  const announcement_id = await announce();
  expect(await reached(announcement_id)).toEqual([CROWD]);
  const { rows } = await database.query<{ inbox: number; mails: number }>(
    `select (select count(*)::int from notifications where occasion = $1) as inbox,
            (select count(*)::int from outbound_mails where occasion = $1) as mails`,
    [`announcement:${announcement_id}`],
  );
  expect(rows).toEqual([{ inbox: CROWD, mails: CROWD }]);
  // The same message again, and one of another site whose number comes last.
  await announce({}, announcement_id, 2);
  const last = await announce();
  expect(await reached(last)).toEqual([CROWD]);
  expect(published.get(announcement_id)).toEqual([CROWD]);
});

it('delivers a republished announcement once, and only one that had no recipients', async () => {
  const republish = (given: object, id = uuidv7()) => announce({ ...given }, id, 1, 'republished');
  const old = new Date(Date.now() - 4 * 86_400_000).toISOString();
  const lost = await republish({ recipients_count: null });
  const silent = [
    await republish({ recipients_count: 3 }),
    await republish({}),
    await republish({ recipients_count: null, sent_at: old }),
    await republish({ recipients_count: null, state: 'scheduled', sent_at: null }),
  ];
  await republish({ recipients_count: null }, lost);
  expect(await reached(lost)).toEqual([CROWD]);
  expect(await reached(await announce())).toEqual([CROWD]);
  expect(published.get(lost)).toEqual([CROWD]);
  expect(silent.filter((id) => published.has(id))).toEqual([]);
});

it('counts members by their channels: a notification, a mail or both is one person, none is no person', async () => {
  await choose('marketing', 3, true, false);
  await choose('marketing', 5, false, true);
  await choose('marketing', 9, true, true);
  await choose('marketing', 12, false, false);
  expect(await reached(await announce({ purpose: 'marketing' }))).toEqual([9]);
});

it('publishes 0 for an announcement to a plan without subscribers', async () => {
  expect(await reached(await announce({ membership_plan_id: uuidv7() }))).toEqual([0]);
});

it.each([
  ['has become too old', 'null', 'null'],
  ['failed and has become too old', 'now()', `'it failed'`],
])('publishes how many people an announcement reached that %s', async (_which, ended_at, failure) => {
  const announcement_id = uuidv7();
  await database.query(
    `insert into fan_outs (site_id, occasion, kind, audience, parameters, recipients_count, created_at, due_at, ended_at,
       failure)
     values ($1, $2, 'announcement_sent', 'site', '{"title":"A","body":null}', 7, now() - interval '4 days', now(),
       ${ended_at}, ${failure})`,
    [site_id, `announcement:${announcement_id}`],
  );
  const fanOuts = api.service.app.get(FanOutsService, { strict: false });
  expect(await fanOuts.endOld(1)).toBe(1);
  expect(await reached(announcement_id)).toEqual([7]);
});

it('leaves an announcement that failed within three days', async () => {
  await database.query(
    `insert into fan_outs (site_id, occasion, kind, audience, parameters, created_at, due_at, ended_at, failure)
     values ($1, $2, 'announcement_sent', 'site', '{"title":"A","body":null}', now() - interval '2 days', now(), now(), 'x')`,
    [site_id, `announcement:${uuidv7()}`],
  );
  expect(await api.service.app.get(FanOutsService, { strict: false }).endOld(1)).toBe(0);
});

it('publishes no number of another notification', async () => {
  const before = published.size;
  await database.query(
    `insert into fan_outs (site_id, occasion, kind, audience, parameters, created_at, due_at)
     values ($1, $2, 'announcement_sent', 'site', '{"title":"A","body":null}', now(), now())`,
    [site_id, `post:${uuidv7()}`],
  );
  const ended = `select 1 from fan_outs where occasion like 'post:%' and ended_at is not null`;
  await eventually(async () => (await database.query(ended)).rowCount);
  expect(await reached(await announce())).toEqual([CROWD]);
  expect(published.size).toBe(before + 1);
});
