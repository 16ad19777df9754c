import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runServiceCommand } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import pg from 'pg';
import { graphql, send, studentAt } from '../clients/http.ts';
import { personOf } from '../stack/system-stack.ts';
import type { FaultStack } from './fault-stack.ts';
import { type Owner, OWNERS } from './runbook.ts';

const OPERATOR =
  'openid courses:read courses:write students:read students:write school:read school:write posts:read posts:write';
const MEMBER = 'openid account:read account:write';
/** Slugs and titles of the drill start so, among the content of the demo. */
const PREFIX = 'drill ';
const SLUG = 'drill-';
const DOMAIN = '@drill.example';
const ME = `{ viewer { unreadNotificationCount enrolledCourses(first: 100) { nodes { slug name } }
  notifications(first: 100) { nodes { title } } } }`;

/** The number of fan-outs that have not ended. Those of drafts wait for their publication. */
export const OPEN_FAN_OUTS = `(
  select count(*)::int from fan_outs f where ended_at is null and (audience <> 'course' or exists (
    select from courses c where c.site_id = f.site_id and c.course_id = f.audience_id and c.state <> 'draft')))`;

/** Counts the webhooks, mails and fan-outs that have not ended. */
const OPEN_JOBS: Readonly<Record<Owner, string>> = {
  'admin-api': `select count(*)::int as jobs from webhook_deliveries where state = 'pending'`,
  auth: 'select count(*)::int as jobs from mails where ended_at is null',
  'member-api': `select (select count(*) from outbound_mails where ended_at is null)::int + ${OPEN_FAN_OUTS} as jobs`,
};

interface Me {
  readonly viewer: {
    readonly unreadNotificationCount: number;
    readonly enrolledCourses: { readonly nodes: readonly { readonly slug: string; readonly name: string }[] };
    readonly notifications: { readonly nodes: readonly { readonly title: string }[] };
  };
}

interface Listed {
  readonly data: readonly { readonly slug: string; readonly name: string }[];
}

interface Feed {
  readonly code?: string;
  readonly data: readonly { readonly data: { readonly slug: string } }[];
  readonly page: { readonly next_cursor: string };
}

/** The traces of the drill at the surfaces, in read models and outside. Names are without prefixes. */
export interface DrillView {
  /** Names by course, as operators see them. */
  readonly school: Readonly<Record<string, string>>;
  /** … as the enrolled member sees them. */
  readonly member: Readonly<Record<string, string>>;
  /** Rows of the read model of courses. */
  readonly readModel: readonly string[];
  /** Creations in the feed of changes. */
  readonly created: readonly string[];
  /** Rows of the read model of people. */
  readonly people: readonly string[];
  /** Notifications of the member by course or announcement. */
  readonly notified: Readonly<Record<string, number>>;
  /** Mails to the member, and to people of the drill. */
  readonly mails: Readonly<Record<string, number>>;
  /** Webhooks of creations. */
  readonly delivered: Readonly<Record<string, number>>;
  readonly unread: number;
}

/** A school with an enrolled member, a webhook and a reader of changes, over the real surfaces. */
export class DrillSchool {
  readonly #ids = new Map<string, string>();
  readonly #enrollments = new Map<string, string>();
  readonly #delivered: string[] = [];
  #receiver: Server | undefined;
  #cursor = '';
  #late = '';
  /** Unread notifications of the demo, at first and now. */
  #unreadAtFirst = 0;
  #unreadBefore = 0;

  readonly #fault: FaultStack;
  readonly #operator: string;
  readonly #member: string;
  readonly #student: string;

  private constructor(fault: FaultStack, operator: string, member: string, student: string) {
    this.#fault = fault;
    this.#operator = operator;
    this.#member = member;
    this.#student = student;
  }

  static async open(fault: FaultStack): Promise<DrillSchool> {
    const [operator, member] = await Promise.all([
      fault.mint('owner', 'operator', OPERATOR),
      fault.mint('student', 'member', MEMBER),
    ]);
    const student = await studentAt(fault.site, operator, personOf(fault.site, 'student'));
    const school = new DrillSchool(fault, operator, member, student);
    await school.#receive();
    school.#unreadAtFirst = (await school.#me()).unreadNotificationCount;
    school.returnInbox();
    return school;
  }

  async teach(name: string): Promise<void> {
    const { id } = await this.#write('/courses', { name: PREFIX + name, slug: SLUG + name });
    this.#ids.set(name, id);
    await this.#write(`/courses/${id}/publish`);
    const enrollment = await this.#write(`/students/${this.#student}/enrollments`, { course_id: id });
    this.#enrollments.set(name, enrollment.id);
  }

  /** Ends the access of the student to a course. */
  async revoke(name: string): Promise<void> {
    await this.#write(`/enrollments/${this.#enrollments.get(name)}/revoke`);
  }

  async rename(name: string, other: string): Promise<void> {
    await this.#write(`/courses/${this.#ids.get(name)}`, { name: PREFIX + other }, 'PATCH');
  }

  async #announce(name: string): Promise<void> {
    const { id } = await this.#write('/announcements', { title: PREFIX + name });
    await this.#write(`/announcements/${id}/send`);
  }

  async #invite(name: string): Promise<void> {
    const { stack, site } = this.#fault;
    const person = ['--email', name + DOMAIN, '--name', name, '--role', 'lecturer'];
    await runServiceCommand('auth', stack.environment('auth'), 'person', 'invite', '--site', site.base_url, ...person);
  }

  /** A course, an announcement and a person of this name. The command that invites starts beside the other requests. */
  async addAll(name: string): Promise<void> {
    await Promise.all([this.#invite(name), this.teach(name).then(() => this.#announce(name))]);
  }

  async readAll(): Promise<void> {
    const all = 'mutation { markAllNotificationsRead { clientMutationId } }';
    const { body } = await graphql(this.#fault.site.base_url, this.#member, all);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    this.#unreadBefore = 0;
  }

  /** Expects the inbox of before `readAll`, which a restore brought back. */
  returnInbox(): void {
    this.#unreadBefore = this.#unreadAtFirst;
  }

  /** Waits until no webhook, mail and fan-out is under way. */
  async untilIdle(): Promise<void> {
    for (const service of OWNERS) {
      await eventually(
        () => this.#query<{ jobs: number }>(service, OPEN_JOBS[service]),
        ([row]) => row?.jobs === 0,
      );
    }
  }

  /** Takes a cursor behind all changes. */
  async follow(): Promise<void> {
    this.#cursor = (await this.#feed('')).page.next_cursor;
  }

  async lateCursor(): Promise<string> {
    return (await this.#feed(`&cursor=${this.#cursor}`)).code ?? 'valid';
  }

  /** Takes a token. */
  async signInAgain(): Promise<void> {
    this.#late = await this.#fault.mint('student', 'member', MEMBER);
  }

  async lateToken(): Promise<number> {
    return (await graphql(this.#fault.site.base_url, this.#late, ME)).status;
  }

  async view(): Promise<DrillView> {
    const [listed, { enrolledCourses, notifications, ...me }, { data: changes }] = await Promise.all([
      send<Listed>(`${this.#api}/courses?limit=100`, { token: this.#operator }),
      this.#me(),
      this.#feed(''),
    ]);
    const courses = await this.#query<{ slug: string }>('member-api', 'select slug from courses');
    const people = await this.#query<{ email: string }>(
      'member-api',
      `select email from people where email like '%${DOMAIN}'`,
    );
    const titles = notifications.nodes.map(({ title }) => title);
    return {
      school: namesOf(listed.body.data),
      member: namesOf(enrolledCourses.nodes),
      readModel: short(courses.map(({ slug }) => slug)),
      created: short(changes.map(({ data }) => data.slug)),
      people: people.map(({ email }) => email.replace(DOMAIN, '')).toSorted(),
      notified: counted(titles.flatMap((title) => title.split(PREFIX).slice(1))),
      mails: counted(this.#mails()),
      delivered: counted(this.#delivered),
      unread: me.unreadNotificationCount - this.#unreadBefore,
    };
  }

  async close(): Promise<void> {
    this.#receiver?.closeAllConnections();
    await new Promise((resolve) => this.#receiver?.close(resolve) ?? resolve(undefined));
  }

  get #api(): string {
    return `${this.#fault.site.base_url}/api/v1`;
  }

  async #write(path: string, json: object = {}, method = 'POST'): Promise<{ id: string }> {
    const headers: Record<string, string> =
      method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const response = await send<{ id: string }>(`${this.#api}${path}`, {
      method,
      token: this.#operator,
      json,
      headers,
    });
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async #me(): Promise<Me['viewer']> {
    const { status, body } = await graphql<Me>(this.#fault.site.base_url, this.#member, ME);
    if (body.data?.viewer === undefined) throw new Error(`viewer: ${status} ${JSON.stringify(body)}`);
    return body.data.viewer;
  }

  async #feed(query: string): Promise<Feed> {
    return (await send<Feed>(`${this.#api}/changes?type=course.created&limit=100${query}`, { token: this.#operator }))
      .body;
  }

  async #query<Row>(service: Owner, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.#fault.stack.environment(service)['DATABASE_URL'] });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** The names in announcements to the member, and in invitations of people of the drill. */
  #mails(): string[] {
    const directory = join(this.#fault.directory, 'mail');
    const member = personOf(this.#fault.site, 'student').email;
    return readdirSync(directory).flatMap((file) => {
      if (file.startsWith('.')) return [];
      const text = readFileSync(join(directory, file), 'utf8');
      const field = (name: string): string => new RegExp(`^${name}: (.*?)\\r?$`, 'm').exec(text)?.[1] ?? '';
      const [to, subject] = [field('To'), field('Subject')];
      const isAnnouncement = subject.startsWith(PREFIX);
      if (to === member && isAnnouncement) return [subject.slice(PREFIX.length)];
      return to.endsWith(DOMAIN) && !isAnnouncement ? [to.replace(DOMAIN, '')] : [];
    });
  }

  async #receive(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString()) as Feed['data'][number];
        this.#delivered.push(...short([data.slug]));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#receiver = server;
    const { port } = server.address() as AddressInfo;
    await this.#write('/webhook_endpoints', { url: `http://127.0.0.1:${port}/`, event_types: ['course.created'] });
  }
}

function short(slugs: readonly string[]): string[] {
  return slugs.flatMap((slug) => (slug.startsWith(SLUG) ? [slug.slice(SLUG.length)] : [])).toSorted();
}

function namesOf(courses: readonly { readonly slug: string; readonly name: string }[]): Record<string, string> {
  const ours = courses.filter(({ slug }) => slug.startsWith(SLUG));
  return Object.fromEntries(ours.map(({ slug, name }) => [slug.slice(SLUG.length), name.slice(PREFIX.length)]));
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
