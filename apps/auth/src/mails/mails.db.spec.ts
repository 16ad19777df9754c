import { JobMetrics, LostLease } from '@lyceum/jobs';
import { Mailer } from '@lyceum/mail';
import { instant } from '@lyceum/messages';
import { Outbox } from '@lyceum/messaging';
import { smtpSink } from '@lyceum/testing';
import type { Received } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { PasswordLinksModule } from '#src/password-links/password-links.module.js';
import { ResetRequestsQueue } from '#src/password-links/reset-requests.queue.js';
import { ResetRequestsWorker } from '#src/password-links/reset-requests.worker.js';
import { PeopleService } from '#src/people/people.service.js';
import { sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startIdentityWith, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { MailDeliveryModule } from './mail-delivery.module.js';
import { MailsQueue } from './mails.queue.js';
import { MailsService } from './mails.service.js';
import { MailsWorker } from './mails.worker.js';

/** Seconds until a time that was set a moment ago: the process may stand still for some of them. */
const about = (seconds: number): unknown => expect.closeTo(seconds - 3, -1);

const EMAIL = 'one@school.example';
const BUSY = Object.assign(new Error('busy'), { responseCode: 451 });
const REFUSED = Object.assign(new Error(`no such mailbox <${EMAIL}>`), { responseCode: 550 });

let identity: TestIdentity;
let server: Awaited<ReturnType<typeof smtpSink>>;
/** The response of the mail server to a recipient. */
let refusal: Error | undefined;
let mails: MailsWorker;
let requests: ResetRequestsWorker;
let site: SiteRecord;
let stage: Awaited<ReturnType<typeof stageOne>>;

beforeAll(async () => {
  server = await smtpSink({ onRcptTo: (_address, _session, done) => done(refusal) });
  identity = await startIdentityWith({ MAIL_SMTP_URL: server.url }, MailDeliveryModule, PasswordLinksModule);
  stage = await stageOne(identity);
  // Stopped, so that each test decides when a turn begins.
  for (const worker of [MailsWorker, ResetRequestsWorker])
    await identity.context.get(worker).beforeApplicationShutdown();
  mails = identity.context.get(MailsWorker);
  requests = identity.context.get(ResetRequestsWorker);
  site = (await identity.context.get(SitesService).byId(stage.site_id))!;
});
beforeEach(async () => {
  refusal = undefined;
  server.received.length = 0;
  await identity.sql('truncate mails, password_reset_requests, invitations');
});
afterAll(async () => {
  await identity.stop();
  await server.close();
});

const request = (address = EMAIL, at = stage.site_id) =>
  identity.context.get(ResetRequestsQueue).add({ site_id: at, address, language: 'en' });
const send = async (): Promise<void> => {
  await requests.turn();
  await mails.turn();
};
const expire = () => identity.sql(`update mails set due_at = now() - interval '1 second' where ended_at is null`);
const jobs = () =>
  identity.sql<{ attempts: number; ended: boolean; failure: string | null; seconds: number }>(
    `select attempts, ended_at is not null as ended, failure, round(extract(epoch from due_at - now()))::int as seconds
       from mails order by mail_id`,
  );
const textOf = ({ source }: Received): string => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
const tokenIn = (mail: Received | undefined): string =>
  /\/account\/invitation\?token=([\w-]{43})/.exec(mail === undefined ? '' : textOf(mail))?.[1] ?? 'no token';
const messageIdOf = (mail: Received | undefined): string => /^Message-ID: (.+)$/im.exec(mail?.source ?? '')?.[1] ?? '';
const isOpen = async (token: string): Promise<boolean> =>
  (await identity.sql('select 1 from invitations where token_hash = $1 and used_at is null', [sha256(token)])).length >
  0;

/** The tables whose rows contain a secret: as text, or as bytes in hexadecimal or Base64. */
async function tablesWith(secret: string): Promise<string[]> {
  const tables = await identity.sql<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const bytes = [Buffer.from(secret), Buffer.from(secret, 'base64url')];
  const forms = [secret, ...bytes.flatMap((value) => [value.toString('hex'), value.toString('base64')])];
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await identity.sql(`select from ${name} t where t::text ilike any ($1) limit 1`, [
      forms.map((form) => `%${form.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`),
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe('The link of a queued mail', () => {
  it('stores no token of a link in clear, neither before its mail is sent nor after it', async () => {
    const link = await identity.context.get(Administration).resetPassword(site, EMAIL);
    const token = link.split('=').at(-1) ?? '';
    expect(await jobs()).toHaveLength(1);
    expect(await tablesWith(token)).toEqual([]);
    await mails.turn();
    expect([tokenIn(server.received[0]), await tablesWith(token)]).toEqual([token, []]);
    await identity.sql('update people set picture = $1 where person_id = $2', [link, stage.person_id]);
    expect(await tablesWith(token)).toEqual(['people']);
    await identity.sql('update people set picture = null');
    await identity.sql(`update mails set passkeys = array[encode($1, 'hex')]`, [Buffer.from(token)]);
    expect(await tablesWith(token)).toEqual(['mails']);
  });

  it('opens a sealed token with the key of the service, and not in the row of another site', async () => {
    const link = await identity.context.get(Administration).resetPassword(site, EMAIL);
    const [row] = await identity.sql<{ mail_id: string }>('select mail_id from mails');
    const read = (site_id: string) => identity.context.get(MailsService).read({ site_id, mail_id: row!.mail_id });
    expect(link).toContain((await read(stage.site_id))?.link?.token);
    const other = await stageTwo();
    await identity.sql('update mails set site_id = $1', [other]);
    await expect(read(other)).rejects.toThrow('unable to authenticate data');
  });

  it('counts the lifetime of a link from the request', async () => {
    await request();
    await identity.sql(`update password_reset_requests set requested_at = now() - interval '50 minutes'`);
    await send();
    const [row] = await identity.sql<{ minutes: number }>(
      'select round(extract(epoch from expires_at - now()) / 60)::int as minutes from invitations',
    );
    expect([row, server.received.length]).toEqual([{ minutes: 10 }, 1]);
    const [until] = await identity.sql<{ expires_at: Date }>('select expires_at from invitations');
    expect(textOf(server.received[0]!)).toContain(instant(until!.expires_at));
  });

  it('writes times in the time zone of the person', async () => {
    await identity.sql(`update site_members set timezone = 'Asia/Tokyo'`);
    await request();
    await send();
    await identity.sql('update site_members set timezone = null');
    expect(textOf(server.received[0]!)).toMatch(/:\d\d \(Asia\/Tokyo\)/);
  });

  it.each([
    ['has expired', `update invitations set expires_at = now()`],
    ['was used', `update invitations set used_at = now()`],
    ['belongs to a suspended person', `update people set state = 'suspended'`],
  ])('drops a mail whose link %s', async (_what, change) => {
    await request();
    await requests.turn();
    await identity.sql(change);
    await mails.turn();
    await identity.sql(`update people set state = 'active'`);
    expect([server.received, await jobs()]).toMatchObject([[], [{ ended: true, failure: null }]]);
  });

  it('sends only the link of the newest request of a person', async () => {
    await request();
    await requests.turn();
    await request();
    await requests.turn();
    await mails.turn();
    expect(server.received).toHaveLength(1);
    expect(await isOpen(tokenIn(server.received[0]))).toBe(true);
  });
});

describe('A queued mail', () => {
  it('retries a mail with growing pauses while the server is busy, and its link works', async () => {
    await request();
    refusal = BUSY;
    await send();
    expect([server.received, await jobs()]).toMatchObject([[], [{ attempts: 1, ended: false, seconds: about(30) }]]);
    await expire();
    await mails.turn();
    expect(await jobs()).toMatchObject([{ attempts: 2, ended: false, seconds: about(60) }]);
    refusal = undefined;
    await expire();
    await mails.turn();
    expect([server.received.length, await isOpen(tokenIn(server.received[0])), await jobs()]).toMatchObject([
      1,
      true,
      [{ attempts: 3, ended: true, failure: null }],
    ]);
  });

  it('repeats one message after a crash between sending and the end of the job', async () => {
    await request();
    await requests.turn();
    const queue = identity.context.get(MailsQueue);
    const [crashed] = await queue.claim();
    expect(await mails.turn()).toBe(false);
    await expire();
    // The crashed replica has sent the mail and not ended its job.
    await mails.turn();
    await identity.sql(`update mails set ended_at = null, due_at = now() - interval '1 second'`);
    await mails.turn();
    await expect(queue.end(crashed!)).rejects.toThrow(LostLease);
    const [first, second, ...more] = server.received;
    expect(messageIdOf(first)).toMatch(/^<[\da-f-]{36}@one\.example>$/);
    expect([messageIdOf(second), tokenIn(second), more]).toEqual([messageIdOf(first), tokenIn(first), []]);
  });

  it('creates one link for a request whose replica crashes before its commit', async () => {
    await request();
    const queue = identity.context.get(ResetRequestsQueue);
    const [crashed] = await queue.claim();
    await identity.sql(`update password_reset_requests set due_at = now() - interval '1 second'`);
    await requests.turn();
    await expect(queue.end(crashed!)).rejects.toThrow(LostLease);
    expect(await requests.turn()).toBe(false);
    expect([(await jobs()).length, (await identity.sql('select 1 from invitations')).length]).toEqual([1, 1]);
  });

  it('keeps a mail as dead when its server refuses it for good', async () => {
    await request();
    refusal = REFUSED;
    await send();
    expect(await jobs()).toMatchObject([{ attempts: 1, ended: true, failure: expect.stringMatching(/<address>$/) }]);
  });

  it('sends a mail after a start that a command or the stopped service queued', async () => {
    await identity.context
      .get(Administration)
      .invite(site, { email: 'new@school.example', name: 'New', role: 'student' });
    expect(await jobs()).toMatchObject([{ attempts: 0, ended: false }]);
    const { context } = identity;
    const next = new MailsWorker(
      context.get(MailsQueue),
      context.get(JobMetrics),
      context.get(MailsService),
      context.get(Mailer),
    );
    next.onApplicationBootstrap();
    while ((await jobs()).some(({ ended }) => !ended));
    await next.beforeApplicationShutdown();
    expect(server.received.map(({ to }) => to)).toEqual([['new@school.example']]);
  });

  it('queues no mail when the transaction of its cause rolls back', async () => {
    const cause = identity.context.get(Outbox).transaction(async (manager) => {
      await identity.context.get(MailsService).add(manager, {
        kind: 'passkey_added',
        site_id: stage.site_id,
        person_id: stage.person_id,
        passkeys: ['Phone'],
      });
      throw new Error('the cause failed');
    });
    await expect(cause).rejects.toThrow('the cause failed');
    expect(await jobs()).toEqual([]);
  });

  it('deletes the queued mails of an erased person', async () => {
    const { context } = identity;
    await context.get(Administration).invite(site, { email: 'gone@school.example', name: 'Gone', role: 'student' });
    const person = await context.get(PeopleService).byEmail('gone@school.example');
    await context.get(Outbox).transaction((manager) => context.get(PeopleService).erase(manager, person!.person_id));
    expect(await jobs()).toEqual([]);
  });
});

describe('The queue of mails', () => {
  it('sends the mail of one site before the backlog of another one ends', async () => {
    const other = await stageTwo();
    // The younger one is due for a while, too: the column rounds an instant of now up to a millisecond.
    const mail = `insert into mails (site_id, person_id, kind, due_at) select $1, $2, 'password_changed', now()`;
    const person = stage.person_id;
    await identity.sql(`${mail} - interval '1 hour' from generate_series(1, 100)`, [stage.site_id, person]);
    await identity.sql(`${mail} - interval '1 second'`, [other, person]);
    await mails.turn();
    const left = await identity.sql<{ site_id: string; waiting: number }>(
      'select site_id, count(*)::int as waiting from mails where ended_at is null group by 1',
    );
    expect(left).toEqual([{ site_id: stage.site_id, waiting: 95 }]);
  });

  it('stores a request for an unknown address like one for a member, and mails only the member', async () => {
    await request('unknown@school.example');
    await request();
    const rows = () =>
      identity.sql('select attempts, ended_at is not null as ended, failure from password_reset_requests');
    expect(await rows()).toEqual(Array(2).fill({ attempts: 0, ended: false, failure: null }));
    await send();
    expect(await rows()).toEqual(Array(2).fill({ attempts: 1, ended: true, failure: null }));
    expect(server.received.map(({ to }) => to)).toEqual([[EMAIL]]);
  });
});

let second: string | undefined;
async function stageTwo(): Promise<string> {
  if (second !== undefined) return second;
  const [row] = await identity.sql<{ site_id: string }>(
    `insert into sites (base_url, host, name, slug, org_id)
     values ('https://two.example', 'two.example', 'Two', 'two', 'org_two') returning site_id`,
  );
  second = row!.site_id;
  return second;
}
