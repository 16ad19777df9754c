import { eventually } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import type { SiteSettings } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { SiteLookup } from '#src/sites/site-lookup.js';
import { SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';

export const NEW_PASSWORD = 'another-long-password';
const MEMBER = `select m.state, m.roles, m.name, p.email_verified, p.password_hash is not null as has_password
                  from people p left join site_members m on m.person_id = p.person_id and m.site_id = $2
                 where p.email = $1`;

export interface AccountRow {
  readonly state: string | null;
  readonly roles: readonly string[] | null;
  readonly name: string | null;
  readonly email_verified: boolean;
  readonly has_password: boolean;
}

/** A service whose first site offers sign-up and sign-in links, and whose second site offers neither. */
export class EmailLinkStage {
  private constructor(
    readonly auth: TestAuth,
    readonly mails: Mails,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<EmailLinkStage> {
    const mails = new Mails();
    const stage = new EmailLinkStage(
      await startAuth({ environment: { ...SOON_SEEN, MAIL_DIRECTORY: mails.directory, ...environment } }),
      mails,
    );
    await stage.settings({ sign_up: true, sign_in_links: true });
    return stage;
  }

  /** Changes the settings of a site, and waits until requests see them. */
  async settings(change: Partial<SiteSettings>, site = this.auth.site): Promise<void> {
    const { app } = this.auth;
    const { version } = await app.get(SitesService).changeSettings(site.site_id, () => change);
    await eventually(
      () => app.get(SiteLookup).byHost(new URL(site.base_url).host),
      (found) => found?.version === version,
    );
  }

  /** Requests a link at the account, or with the form of an open page. */
  async request(kind: 'sign-up' | 'sign-in-link', email: string, flow = new Flow(this.auth)): Promise<Page> {
    return flow.submit(await flow.browser.open(`/account/${kind}`), 'email', { email });
  }

  /** The path of the link in the mail that follows a request. */
  link(kind: 'sign-up' | 'sign-in-link', email: string, flow?: Flow): Promise<string> {
    return this.mails.newLink(email, () => this.request(kind, email, flow));
  }

  async account(email: string, site: TestSite = this.auth.site): Promise<AccountRow | undefined> {
    return (await this.auth.sql<AccountRow>(MEMBER, [email, site.site_id]))[0];
  }

  async stop(): Promise<void> {
    await this.auth.stop();
  }
}
