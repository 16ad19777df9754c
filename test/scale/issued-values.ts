import { hash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserSession, eventually, postForms } from '@lyceum/testing';
import { graphql, send, studentAt } from '../clients/http.ts';
import { personOf } from '../stack/system-stack.ts';
import type { ScaleStack } from './scale-stack.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const OPERATOR =
  'openid courses:read courses:write students:read students:write posts:read posts:write events:read events:write ' +
  'storage:write school:read school:write';
const MEMBER = 'openid account:read account:write';
const FILE = '%PDF-1.4\n';
/** A generous limit: events and mails arrive within a second on an idle machine. */
const ARRIVAL_MS = 120_000;

interface Started {
  readonly id: string;
  readonly upload_url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

interface Me {
  readonly viewer: {
    readonly notifications: { readonly pageInfo: { readonly endCursor: string | null } };
    readonly eventRegistrations: { readonly nodes: readonly { readonly calendarUrl: string }[] };
  };
}

interface Listed {
  readonly page: { readonly next_cursor: string | null };
}

const ME = `{ viewer { notifications(first: 1) { pageInfo { endCursor } }
  eventRegistrations { nodes { calendarUrl } } } }`;
const AFTER = 'query ($after: String) { viewer { notifications(first: 1, after: $after) { nodes { title } } } }';

/** Values that services issued to clients, which must stay valid while the keys that signed them rotate. */
interface IssuedValues {
  /** Uses each value through the edge; the status of each, as text where it is no HTTP status. */
  use(): Promise<Readonly<Record<string, number | string>>>;
  /** Creates a course. `valid` when the webhook about it, and all webhooks before it, have a valid signature. */
  webhookSignatures(): Promise<string>;
  /** Ends the receiver of webhooks. */
  end(): void;
}

/** The statuses of values that are valid. */
export const VALID = {
  'cursor of the operator API': 200,
  'cursor of changes': 200,
  'cursor of the member API': 'valid',
  'unsubscribe link': 200,
  'link to subscribe again': 200,
  'download link': 200,
  'upload link': 200,
  session: '/account',
  'refresh token': 200,
  'webhook signatures': 'valid',
};

export async function issueValues(scale: ScaleStack, directory: string): Promise<IssuedValues> {
  const { site } = scale;
  const [operator, member] = await Promise.all([
    scale.grant('owner', 'operator', OPERATOR),
    scale.grant('student', 'member', MEMBER),
  ]);
  const api = `${site.base_url}/api/v1`;
  const write = async <Body = { id: string }>(path: string, json: object = {}): Promise<Body> => {
    const { status, body } = await send<Body>(`${api}${path}`, { method: 'POST', token: operator.access_token, json });
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const me = async (): Promise<Me> => (await graphql<Me>(site.base_url, member.access_token, ME)).body.data!;
  const cursorOf = async (path: string): Promise<string> =>
    (await send<Listed>(`${api}${path}`, { token: operator.access_token })).body.page.next_cursor ?? '';

  const unique = randomUUID();
  const receiver = await WebhookReceiver.start(async (url) => {
    const endpoint = { url, event_types: ['course.created'] };
    return (await write<{ secret: string }>('/webhook_endpoints', endpoint)).secret;
  });
  const webhookSignatures = async (): Promise<string> => {
    const slug = `signed-${randomUUID()}`;
    await write('/courses', { name: slug, slug });
    const signatures = await eventually(
      async () => receiver.signatures(slug),
      (found) => found !== undefined,
      ARRIVAL_MS,
    );
    return signatures!;
  };
  const student = await studentAt(site, operator.access_token, personOf(site, 'student'));
  for (const slug of [`one-${unique}`, `two-${unique}`]) await write('/courses', { name: slug, slug });
  const event = await write('/events', {
    slug: `evening-${unique}`,
    name: 'Evening',
    hosting_type: 'in_person',
    location: 'Taipei',
    starts_at: '2031-05-09T11:00:00Z',
    ends_at: '2031-05-09T13:00:00Z',
  });
  await write(`/events/${event.id}/publish`);
  await write(`/events/${event.id}/registrations`, { student_id: student });
  const title = `news ${unique}`;
  await write(`/announcements/${(await write('/announcements', { title })).id}/send`);

  const { viewer } = await eventually(
    me,
    (now) => {
      const { notifications, eventRegistrations } = now.viewer;
      return notifications.pageInfo.endCursor !== null && eventRegistrations.nodes.length > 0;
    },
    ARRIVAL_MS,
  );
  const { email, password } = personOf(site, 'student');
  const unsubscribe = await eventually(
    async () => unsubscribeLink(join(directory, 'mail'), email, title),
    (link) => link !== undefined,
    ARRIVAL_MS,
  );
  const upload = await write<Started>('/uploads', {
    purpose: 'attachment',
    filename: 'sheet.pdf',
    content_type: 'application/pdf',
    bytes: FILE.length,
    sha256: hash('sha256', FILE),
  });
  const browser = new BrowserSession({ origin: site.base_url });
  const page = await browser.open('/account');
  const form = postForms(page.body).find(({ names }) => names.has('password'));
  if (form === undefined) throw new Error(`${page.status} at ${page.url.href} has no sign-in`);
  const fields = new URLSearchParams(form.fields);
  fields.set('email', email);
  fields.set('password', password);
  await browser.open(new URL(form.action, page.url), fields);

  const paths = {
    'cursor of the operator API': `/courses?limit=1&cursor=${await cursorOf('/courses?limit=1')}`,
    'cursor of changes': `/changes?limit=1&cursor=${await cursorOf('/changes?limit=1')}`,
  };
  const { notifications, eventRegistrations } = viewer;
  const after = notifications.pageInfo.endCursor;
  let { refresh_token = '' } = member;
  return {
    use: async () => {
      const statuses: Record<string, number | string> = {};
      for (const [name, path] of Object.entries(paths))
        statuses[name] = (await send(`${api}${path}`, { token: operator.access_token })).status;
      const { body } = await graphql(site.base_url, member.access_token, AFTER, { after });
      statuses['cursor of the member API'] = body.errors === undefined ? 'valid' : JSON.stringify(body.errors);
      const unsubscribed = await fetch(unsubscribe!, { method: 'POST' });
      statuses['unsubscribe link'] = unsubscribed.status;
      // Without the mails of the student, no later call finds an unsubscribe link.
      const [undo] = postForms(await unsubscribed.text());
      const again = undo && (await fetch(new URL(undo.action, unsubscribe), { method: 'POST' }));
      statuses['link to subscribe again'] = again?.status ?? 'missing';
      statuses['download link'] = (await fetch(eventRegistrations.nodes[0]!.calendarUrl)).status;
      const headers = Object.fromEntries(upload.headers.map(({ name, value }) => [name, value]));
      statuses['upload link'] = (await fetch(upload.upload_url, { method: 'PUT', headers, body: FILE })).status;
      statuses['session'] = (await browser.open('/account')).url.pathname;
      const refreshed = await scale.refresh(refresh_token);
      refresh_token = refreshed.body.refresh_token ?? '';
      statuses['refresh token'] = refreshed.status;
      statuses['webhook signatures'] = await webhookSignatures();
      return statuses;
    },
    webhookSignatures,
    end: () => receiver.stop(),
  };
}

/** The link in the header of the mail with this subject. */
function unsubscribeLink(directory: string, to: string, subject: string): string | undefined {
  // The first mail makes the folder.
  const mails = existsSync(directory) ? readdirSync(directory).filter((file) => !file.startsWith('.')) : [];
  const texts = mails.map((file) => readFileSync(join(directory, file), 'utf8'));
  const mail = texts.find((text) => text.includes(`To: ${to}`) && text.includes(`Subject: ${subject}`));
  return /^List-Unsubscribe: <(.+)>\r?$/m.exec(mail ?? '')?.[1];
}
