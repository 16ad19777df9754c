import { randomUUID } from 'node:crypto';
import {
  NO_THEME,
  SITE_SETTINGS_REQUESTS,
  exportMemberData,
  exportSchoolData,
  getSiteSettings,
  listActivity,
  switchMcpConnections,
} from '@lyceum/contracts';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { Administration } from '#src/commands/administration.js';
import { SiteLookup } from '#src/sites/site-lookup.js';
import { SitesService } from '#src/sites/sites.service.js';
import { CALLBACK, PASSWORD, SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';
import { PictureFlow, png } from './picture-flow.js';
import { creationPage } from './passkey-flow.js';

export const ROLES = ['anonymous', 'student', 'lecturer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The parts of paths that differ between scenes, by their names. */
export type Ids = Readonly<Record<string, string>>;

/** A person in a browser, with an object of each kind that pages have forms for. */
export interface Scene {
  readonly flow: Flow;
  readonly email: string;
  readonly ids: Ids;
}

const SCHOOL = { name: 'First School', locale: 'en', timezone: 'Asia/Taipei', version: 1 };
const LOOK = { version: 1, theme: NO_THEME, logo_url: null, favicon_url: null };
const REPLIES: Readonly<Record<string, object>> = {
  [getSiteSettings.subject]: { school: SCHOOL, appearance: LOOK },
  [listActivity.subject]: { entries: [], next_cursor: null },
  [switchMcpConnections.subject]: { enabled: true },
  [exportSchoolData.subject]: { rows: [], more: false },
  [exportMemberData.subject]: { rows: [], more: false },
};

/** auth with a site on which everything is switched on. The test responds in place of the other services. */
export class FormStage {
  #scenes = 0;

  private constructor(
    readonly auth: TestAuth,
    private readonly nats: TestNats,
    private readonly others: readonly NatsConnection[],
  ) {}

  static async start(): Promise<FormStage> {
    const nats = await testNats();
    const auth = await startAuth({ nats: nats.environment('auth'), environment: SOON_SEEN });
    const others = await Promise.all((['admin-api', 'member-api'] as const).map((name) => respondAs(nats, name)));
    return new FormStage(auth, nats, others);
  }

  /** Switches everything on, after a test that may have changed it. */
  async restore(): Promise<void> {
    const { app, site } = this.auth;
    const settings = { sign_up: true, sign_in_links: true, mcp_connections: true };
    const { version } = await app.get(SitesService).changeSettings(site.site_id, () => settings);
    await eventually(
      () => app.get(SiteLookup).byHost(new URL(site.base_url).host),
      (found) => found?.version === version,
    );
  }

  async stop(): Promise<void> {
    await this.auth.stop();
    await Promise.all(this.others.map((one) => one.close()));
    await this.nats.stop();
  }

  /** A new person of that role, who has proved the password, with new objects. */
  async scene(role: Role): Promise<Scene> {
    await this.auth.resetLimits();
    this.#scenes += 1;
    const name = `${role}-${this.#scenes}`;
    const flow = new Flow(this.auth, this.auth.site, SERVER);
    const email = `${name}@school.example`;
    // The pages for developers have no application again.
    await this.auth.sql(`update clients set redirect_uris = $1 where redirect_uris && $2`, [
      [CALLBACK],
      ['/docs', '/member/explorer'].map((path) => this.auth.site.base_url + path),
    ]);
    const ids = { ...(await this.#clients()), ...(await this.#members(name)), ...(await this.#links(email)) };
    if (role === 'anonymous') return { flow, email, ids };
    await this.#person(name, role);
    await flow.callback({}, name);
    await this.#ownThings(email, ids.approval);
    await creationPage(flow);
    await new PictureFlow(this.auth, flow).upload(png());
    return { flow, email, ids };
  }

  async #person(name: string, role: Exclude<Role, 'anonymous'>): Promise<void> {
    const { site_id: _id, ...site } = this.auth.site;
    const person = { email: `${name}@school.example`, name, password: PASSWORD, roles: [role] };
    await this.auth.apply({ sites: [{ ...site, people: [person], clients: [] }] });
  }

  /** A student in that state. Returns the id and the token of the invitation. */
  async #member(state: 'invited' | 'active' | 'suspended', name: string): Promise<readonly [string, string]> {
    const site = await this.auth.app.get(SitesService).byId(this.auth.site.site_id);
    if (site === undefined) throw new Error('The stage has a site');
    const person = { email: `${state}-${name}@school.example`, name: 'A member', role: 'student' as const };
    const { link = '', person_id } = await this.auth.app.get(Administration).invite(site, person);
    if (state !== 'invited') {
      await this.auth.sql(`update people set password_hash = 'none' where person_id = $1`, [person_id]);
      await this.auth.sql('update site_members set state = $2 where person_id = $1', [person_id, state]);
    }
    return [await this.#memberId(person.email), new URL(link).searchParams.get('token') ?? ''];
  }

  async #memberId(email: string): Promise<string> {
    const [row] = await this.auth.sql<{ member_id: string }>(
      'select member_id from site_members join people using (person_id) where email = $1 and site_id = $2',
      [email, this.auth.site.site_id],
    );
    if (row === undefined) throw new Error(`${email} is no member`);
    return row.member_id;
  }

  async #members(name: string): Promise<Ids> {
    const [invited, invitation] = await this.#member('invited', name);
    const [active] = await this.#member('active', name);
    const [suspended] = await this.#member('suspended', name);
    return { invited, invitation, active, suspended };
  }

  /** An application with two secrets, and one external client of each source. */
  async #clients(): Promise<Ids> {
    const { site_id } = this.auth.site;
    const client = async (
      source: string,
      review: string | null,
    ): Promise<{ client_id: string; client_key: string }> => {
      const [row] = await this.auth.sql<{ client_id: string; client_key: string }>(
        `insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review, last_used_at,
                              secret_hash, previous_secret_hash, previous_secret_until)
         values ($1, $2, 'Notes', 'member', $3, $4, '{openid,account:read}', $5, now(),
                 $6, $6, case when $6::bytea is null then null else now() + interval '1 day' end)
         returning client_id, client_key`,
        [
          source === 'document' ? `https://${randomUUID()}.example/client` : randomUUID(),
          site_id,
          source,
          [CALLBACK],
          review,
          source === 'site' ? Buffer.alloc(32, 1) : null,
        ],
      );
      if (row === undefined) throw new Error('The client is not inserted');
      return row;
    };
    const document = await client('document', 'unreviewed');
    await this.auth.sql(
      `insert into client_documents (client_key, expires_at) values ($1, now() + interval '1 hour')`,
      [document.client_key],
    );
    const blocked = await client('loopback', 'blocked');
    return {
      application: (await client('site', null)).client_id,
      document: document.client_key,
      registered: (await client('loopback', null)).client_key,
      blocked: blocked.client_key,
    };
  }

  /** Links for this address, and the tokens of a change of the address. */
  async #links(email: string): Promise<Record<'sign_up' | 'sign_in' | 'approval' | 'confirmation', string>> {
    const tokens = { sign_up: token(), sign_in: token(), approval: token(), confirmation: token() };
    for (const [purpose, address] of [
      ['sign_up', `new-${email}`],
      ['sign_in', 'both@school.example'],
    ] as const)
      await this.auth.sql(
        `insert into email_links (token_hash, site_id, purpose, address, browser_hash, expires_at)
         values (sha256($1::text::bytea), $2, $3, $4, sha256('another browser'), now() + interval '10 minutes')`,
        [tokens[purpose], this.auth.site.site_id, purpose, address],
      );
    return tokens;
  }

  async #ownThings(email: string, approval: string): Promise<void> {
    const { site_id } = this.auth.site;
    await this.auth.sql(
      `insert into passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
       select $1, person_id, 'Phone', uuid_send(uuidv7()), '', 0, false, false, '{}' from people where email = $2`,
      [site_id, email],
    );
    await this.auth.sql(
      `insert into email_changes (person_id, site_id, new_email, approve_hash, confirm_hash, sign_outs, expires_at)
       select person_id, $1, 'moved-' || email, sha256($3::text::bytea), sha256(email::bytea), sign_outs, now() + interval '1 day'
         from people where email = $2`,
      [site_id, email, approval],
    );
  }
}

const token = (): string => randomUUID().replaceAll('-', '');

async function respondAs(nats: TestNats, service: 'admin-api' | 'member-api'): Promise<NatsConnection> {
  const connection = await connectAs(nats.environment(service));
  const school = [...SITE_SETTINGS_REQUESTS, listActivity, switchMcpConnections, exportSchoolData];
  for (const { subject } of service === 'admin-api' ? school : [exportMemberData])
    connection.subscribe(subject, {
      callback: (_error, message) => {
        message.respond(JSON.stringify({ ok: true, result: REPLIES[subject] ?? { version: 2 } }));
      },
    });
  await connection.flush();
  return connection;
}
