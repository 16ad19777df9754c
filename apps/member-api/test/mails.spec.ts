import { subscriptionEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually, send, smtpSink } from '@lyceum/testing';
import type { Received } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { newReply } from './new-reply.js';
import { untilMember } from './until-member.js';

let api: TestApi;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;
let refusals: Error[] = [];
let site_id: string;
let person_id: string;

beforeAll(async () => {
  sink = await smtpSink({ onRcptTo: (_address, _session, done) => done(refusals.shift()) });
  api = await startMemberApi({
    MAIL_SMTP_URL: sink.url,
    MAIL_FROM: 'no-reply@school.example',
  });
  database = await api.connect();
  ({ site_id } = api.sites[0]);
  ({ person_id } = api.student());
  await api.world.person({ person_id, email: 'ada@example.org' });
  await api.world.role({ person_id, site_id });
  await api.world.site(named(api.sites[0], 'Harbour School'));
  await api.until('{ viewer { id schools { id } } }', ({ viewer }) => viewer?.schools.length === 1);
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

const named = ({ site_id, base_url, host }: TestApi['sites'][0], name: string) =>
  ({ site_id, base_url, host, name, slug: 'site', org_id: 'org', state: 'active' }) as const;

const now = (): string => new Date().toISOString();

/** Publishes a reply to a comment of the member. */
async function reply(title: string, to = person_id): Promise<void> {
  // As if the others were older: more than three within an hour would wait for a digest.
  await database.query(`UPDATE outbound_mails SET created_at = created_at - interval '2 hours'`);
  await newReply(api.world, { site_id, to, author_name: title, path: '/courses/knots', excerpt: 'Indeed.' });
}

const about = (words: string): Received[] => sink.received.filter(({ source }) => source.includes(words));
const arrived = (words: string): Promise<Received> => eventually(() => about(words)[0]);
/** Waits until every queued mail is sent or has failed. */
const settled = () =>
  eventually(async () => {
    const { rows } = await database.query('SELECT FROM outbound_mails WHERE ended_at IS NULL');
    return rows.length === 0 ? true : undefined;
  });
/** A header with its folding undone (RFC 5322 §2.2.3). */
const field = ({ source }: Received, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim();

describe('a notification by e-mail', () => {
  it('sends a mail once, from the site to the member, with an unsubscribe link', async () => {
    await reply('Grace');
    const mail = await arrived('Grace replied to your comment');
    expect([mail.from, mail.to]).toEqual(['no-reply@school.example', ['ada@example.org']]);
    expect(field(mail, 'from')).toBe('Harbour School <no-reply@school.example>');
    expect(field(mail, 'message-id')).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
    expect(field(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(field(mail, 'auto-submitted')).toBe('auto-generated');
    await settled();
    expect(about('Grace replied')).toHaveLength(1);
  });

  it('sends no mail for a topic that is delivered to the inbox only', async () => {
    const { course_id } = await api.world.course({ site_id, name: 'Celestial Navigation' });
    await api.world.enrollment({ site_id, person_id, course_id });
    await api.until('{ viewer { notifications { nodes { title } } } }', ({ viewer }) =>
      viewer.notifications.nodes.some(({ title }: { title: string }) => title.includes('Celestial')),
    );
    await reply('Barbara');
    await arrived('Barbara replied');
    expect(about('Celestial')).toEqual([]);
  });

  it('omits the unsubscribe link from mandatory mails', async () => {
    const subscription_id = uuidv7();
    await api.world.entity(subscriptionEvents, subscription_id, site_id, {
      subscription_id,
      site_id,
      student_id: uuidv7(),
      person_id,
      plan_id: uuidv7(),
      price_id: uuidv7(),
      plan_name: 'Crew',
      state: 'expired',
      state_since: now(),
      trial_ends_at: null,
      current_period_end: null,
      cancel_at_period_end: false,
      ended_at: now(),
    });
    const mail = await arrived('Your membership Crew has ended');
    expect(field(mail, 'list-unsubscribe')).toBeUndefined();
  });

  it('retries with the same Message-ID after a temporary error, and not after a permanent one', async () => {
    refusals = [Object.assign(new Error('busy'), { responseCode: 450 })];
    await reply('Edsger');
    const [waiting] = await eventually(async () => {
      const { rows } = await database.query<{ mail_id: string; wait: number }>(
        `SELECT mail_id, extract(epoch FROM due_at - now())::int AS wait FROM outbound_mails
         WHERE parameters->>'author' = 'Edsger' AND attempts = 1 AND due_at < now() + interval '60 seconds'`,
      );
      return rows.length === 1 ? rows : undefined;
    });
    expect(waiting?.wait).toBeGreaterThan(20);
    await database.query('UPDATE outbound_mails SET due_at = now() WHERE mail_id = $1', [waiting?.mail_id]);
    expect(field(await arrived('Edsger replied'), 'message-id')).toBe(`<${waiting?.mail_id}@localhost>`);

    refusals = [Object.assign(new Error('unknown mailbox <ada@example.org>'), { responseCode: 550 })];
    await reply('Kurt');
    const [dead] = await eventually(async () => {
      const { rows } = await database.query<{ failure: string }>(
        `SELECT failure FROM outbound_mails
         WHERE parameters->>'author' = 'Kurt' AND attempts = 1 AND ended_at IS NOT NULL`,
      );
      return rows.length === 1 ? rows : undefined;
    });
    expect(about('Kurt replied')).toEqual([]);
    // A failure is stored longer than the address of a removed member.
    expect(dead?.failure).toMatch(/unknown mailbox <address>/);
  });

  it('sends a mail once across replicas, and takes turns between sites', async () => {
    await api.replica();
    await database.query(
      `INSERT INTO outbound_mails (site_id, person_id, occasion, kind, topic, parameters, created_at, due_at)
       SELECT $1, $2, 'many-' || n, 'announcement_sent', 'announcement', '{"title":"Many of them","body":null}', now(), now() FROM generate_series(1, 300) n`,
      [site_id, person_id],
    );
    const [, other] = api.sites;
    const elsewhere = api.student(other).person_id;
    await api.world.site(named(other, 'Lighthouse'));
    await api.world.person({ person_id: elsewhere, email: 'ben@example.org' });
    await api.world.role({ person_id: elsewhere, site_id: other.site_id });
    // An announcement goes to the members of its moment.
    await untilMember(database, elsewhere);
    await api.world.announcement({ site_id: other.site_id, title: 'Of the other site' });
    await arrived('Of the other site');
    await settled();
    const ids = about('Many of them').map((mail) => field(mail, 'message-id'));
    expect([ids.length, new Set(ids).size]).toEqual([300, 300]);
  });

  it('sends no reminder after the start', async () => {
    await database.query(
      `INSERT INTO outbound_mails (site_id, person_id, occasion, kind, topic, parameters, created_at, due_at)
       SELECT $1, $2, 'start-' || minutes, 'event_starting', 'event_reminder',
              jsonb_build_object('event', 'Regatta of ' || minutes, 'minutes', minutes, 'start', '2026-12-02T10:00'), now() - interval '2 hours', now()
         FROM unnest($3::int[]) minutes`,
      [site_id, person_id, [60, 1440]],
    );
    await arrived('Regatta of 1440');
    await settled();
    expect(about('Regatta of 60')).toEqual([]);
  });

  it('sends no mail to a former member', async () => {
    const gone = uuidv7();
    await api.world.person({ person_id: gone, email: 'gone@example.org' });
    await api.world.role({ person_id: gone, site_id, roles: [] });
    await reply('Unsent', gone);
    await eventually(async () => {
      const { rows } = await database.query(
        `SELECT FROM outbound_mails WHERE parameters->>'author' = 'Unsent' AND attempts > 0`,
      );
      return rows.length === 1 ? true : undefined;
    });
    expect(sink.received.some(({ to }) => to.includes('gone@example.org'))).toBe(false);
  });
});

describe('the link that ends such mails', () => {
  const follow = async (method: string, link: string, body?: string, type = 'application/x-www-form-urlencoded') => {
    const { pathname, search } = new URL(link);
    const headers = { host: api.sites[0].host, ...(body === undefined ? {} : { 'content-type': type }) };
    return send(api.service.url, method, `${pathname}${search}`, headers, body);
  };
  const email = async (): Promise<boolean> => {
    const { body } = await api.query(
      '{ viewer { notificationSubscriptions(first: 100) { nodes { topic entityId channels { channel enabled } } } } }',
    );
    const nodes = body.data.viewer.notificationSubscriptions.nodes as {
      topic: string;
      channels: { channel: string; enabled: boolean }[];
    }[];
    const found = nodes.find(({ topic }) => topic === 'COMMENT_REPLY');
    return found?.channels.find(({ channel }) => channel === 'EMAIL')?.enabled === true;
  };
  let link: string;
  beforeAll(async () => {
    await reply('Linus');
    link = /<(http[^>]*)>/.exec(field(await arrived('Linus replied'), 'list-unsubscribe') ?? '')?.[1] ?? '';
  });

  it('shows a confirmation page for GET and changes nothing', async () => {
    const page = await follow('GET', link);
    expect([page.status, page.headers['cache-control'], page.headers['referrer-policy']]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
    expect(page.text).toContain('<form method="post" action="?token=');
    expect(page.text).toContain('<link rel="stylesheet" href="/account/style.css" />');
    expect(page.text).toContain(`<a href="/"><bdi>${api.sites[0].name}</bdi></a>`);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(await email()).toBe(true);
  });

  it('rejects a truncated link and a link of another site', async () => {
    const token = new URL(link).searchParams.get('token') ?? '';
    for (const wrong of [
      link.replace(token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      link.split('?')[0] ?? '',
    ]) {
      expect((await follow('POST', wrong, 'List-Unsubscribe=One-Click')).status).toBe(404);
    }
    const { pathname, search } = new URL(link);
    const elsewhere = await send(
      api.service.url,
      'POST',
      `${pathname}${search}`,
      { host: api.sites[1].host },
      undefined,
    );
    expect(elsewhere.status).toBe(404);
    expect(await email()).toBe(true);
  });

  it('unsubscribes by one click, in both encodings and repeatedly', async () => {
    const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    expect((await follow('POST', link, 'List-Unsubscribe=One-Click')).status).toBe(200);
    expect(await email()).toBe(false);
    expect((await follow('POST', link, multipart, 'multipart/form-data; boundary=x')).status).toBe(200);
    expect(await email()).toBe(false);
    await reply('Margaret');
    await api.until('{ viewer { notifications(first: 1) { nodes { title } } } }', ({ viewer }) =>
      viewer.notifications.nodes[0]?.title.startsWith('Margaret'),
    );
    const { rows } = await database.query(`SELECT FROM outbound_mails WHERE parameters->>'author' = 'Margaret'`);
    expect(rows).toEqual([]);
  });

  it('shows people a page for a link that is incomplete, and for an unknown path', async () => {
    const headers = { host: api.sites[0].host, accept: 'text/html,*/*;q=0.8', 'accept-language': 'zh-TW' };
    for (const path of ['/member/unsubscribe?token=x', '/member/x']) {
      const page = await send(api.service.url, 'GET', path, headers);
      expect([path, page.status, page.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
      const problem = await send(api.service.url, 'GET', path, { ...headers, accept: 'application/json' });
      expect([path, problem.status, problem.text.startsWith('{')]).toEqual([path, 404, true]);
    }
  });

  it('reverses an unsubscription from its page, and not by the link of the mail', async () => {
    const done = await follow('POST', link, 'List-Unsubscribe=One-Click');
    expect(await email()).toBe(false);
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(done.text) ?? [];
    expect(action).toMatch(/^\?undo=/);
    const asUndo = link.replace('?token=', '?undo=');
    expect((await follow('POST', asUndo, '')).status).toBe(404);
    const undone = await follow('POST', new URL(action, link).href, '');
    expect([undone.status, undone.text.includes('subscribed to emails of this kind again')]).toEqual([200, true]);
    expect(await email()).toBe(true);
    await follow('POST', link, 'List-Unsubscribe=One-Click');
    expect(await email()).toBe(false);
  });

  it('cancels queued mails after unsubscribing', async () => {
    const ended = await database.query<{ mail_id: string }>(
      `INSERT INTO outbound_mails (site_id, person_id, occasion, kind, topic, parameters, created_at, due_at)
       VALUES ($1, $2, 'late', 'announcement_sent', 'comment_reply', '{"title":"Too late","body":null}', now(), now()) RETURNING mail_id`,
      [site_id, person_id],
    );
    await eventually(async () => {
      const text = 'SELECT FROM outbound_mails WHERE mail_id = $1 AND ended_at IS NOT NULL';
      return (await database.query(text, [ended.rows[0]?.mail_id])).rows.length === 1 ? true : undefined;
    });
    expect(about('Too late')).toEqual([]);
  });
});
