import { eventually } from '@lyceum/testing';
import type { Page } from 'playwright-core';
import { authorizationRequest, exchange } from '../clients/member-client.js';
import { graphql } from '../clients/http.js';
import { sql } from '../discovery/walker.js';
import { command } from '../stack/auth-command.js';
import { systemStack } from '../stack/system-stack.js';
import { documentClient, newPerson } from './deployment.js';
import { authorizeInBrowser, type Credentials, signIn } from './sign-in.js';
import { useVisitor, visitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';

describe('the admin area without scripts', () => {
  // The discovery suites check the documents of the other site; this one accepts document clients.
  const site = systemStack().sites[1]!;
  let page: Page;
  let owner: Credentials;

  const visiting = useVisitor(site.base_url, { scripts: false, elsewhere: CALLBACK }, async () => {
    ({ page } = visiting);
    owner = await newPerson(site, 'owner');
    await command('site', 'mcp-connections', '--site', site.base_url);
  });

  const heading = (name: string | RegExp): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
  const follow = (name: string): Promise<void> => page.getByRole('navigation').getByRole('link', { name }).click();

  it('creates a client that a student can use, and shows its secret once', async () => {
    await page.goto('/admin');
    await signIn(page, owner);
    await heading('Admin area');
    // Replicas apply a setting within seconds.
    await eventually(
      async () => {
        await page.goto('/admin');
        return page.getByRole('navigation').getByRole('link', { name: 'OAuth applications' }).count();
      },
      (links) => links === 1,
    );
    await follow('OAuth applications');
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByRole('link', { name: 'For members' }).click();
    const name = `Server ${Date.now().toString(36)}`;
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByLabel('Redirect URIs').fill(CALLBACK);
    await page.getByLabel('Confidential').check();
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(name);
    await page
      .getByRole('status')
      .filter({ hasText: `${name} is created.` })
      .waitFor();
    const [client_id, client_secret] = [
      await page.locator('#client_id').innerText(),
      await page.locator('#client_secret').innerText(),
    ];
    await page.reload();
    await heading(name);
    expect(await page.getByRole('main').innerText()).not.toContain(client_secret);
    await page.getByRole('link', { name: 'All applications' }).click();
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(1);
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(client_id);
    expect(text).not.toContain(client_secret);

    const theirs = await visitor(visiting.browser, site.base_url, { scripts: false, elsewhere: CALLBACK });
    const student = await newPerson(site, 'student');
    const authorization = await authorizationRequest(
      site.base_url,
      { client_id, client_secret },
      'openid account:read',
    );
    const tokens = await exchange(authorization, await authorizeInBrowser(theirs.page, authorization.url, student));
    const query = '{ viewer { email } }';
    const response = await graphql<{ viewer: { email: string } }>(site.base_url, tokens.access_token, query);
    expect(response.body.data?.viewer.email).toBe(student.email);
    expect(theirs.faults).toEqual([]);
    await theirs.context.close();

    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await heading(`Delete ${name}?`);
    await page.getByRole('button', { name: 'Delete the application' }).click();
    await heading('OAuth applications');
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    const after = await eventually(
      () => graphql(site.base_url, tokens.access_token, query),
      ({ status }) => status === 401,
    );
    expect(after.status).toBe(401);
  });

  it('removes the warning from a document client after its review', async () => {
    const name = `Reader ${Date.now().toString(36)}`;
    const client_id = await documentClient(site, name);
    const consent = async (): Promise<string> => {
      const tab = await visiting.context.newPage();
      await tab.goto((await authorizationRequest(site.base_url, { client_id }, 'openid courses:read')).url.href);
      const text = await tab.getByRole('main').innerText();
      await tab.close();
      return text;
    };
    // Allowed hosts reach replicas within seconds, too.
    const unverified = await eventually(consent, (text) => text.includes(`Allow “${name}” at`));
    expect(unverified).toContain('Unverified');
    expect(unverified).toContain(new URL(client_id).host);
    await page.goto('/admin');
    await follow('External clients');
    const shown = page.locator('.rows > li', { has: page.getByRole('heading', { name }) });
    expect(await shown.innerText()).toContain('Unreviewed');
    await shown.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `${name} is approved.` })
      .waitFor();
    const approved = await consent();
    expect(approved).toContain(new URL(client_id).host);
    expect(approved).not.toContain('Unverified');
    await page.getByRole('button', { name: 'Block' }).click();
    await heading(`Block ${name}?`);
    await page.getByRole('button', { name: 'Block' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `${name} is blocked` })
      .waitFor();
    await page.getByText('Blocked', { exact: true }).waitFor();
  });

  it('pages through the audit log back to the first entry', async () => {
    await sql(
      `INSERT INTO audit_log (event, site_id, details)
       SELECT 'sign_in.failed', $1, jsonb_build_object('n', n) FROM generate_series(1, 60) n`,
      site.site_id,
    );
    const [written] = await sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_log WHERE site_id = $1`,
      site.site_id,
    );
    await page.goto('/admin');
    await follow('Audit log');
    let [entries, pages, text] = [0, 0, ''];
    for (let more = true; more; pages += 1) {
      await heading('Audit log');
      const lines = await page.locator('.log > li').allInnerTexts();
      entries += lines.length;
      text += lines.join('\n');
      const older = page.getByRole('link', { name: 'Older entries' });
      more = (await older.count()) === 1;
      if (more) await older.click();
    }
    expect(pages).toBeGreaterThan(1);
    expect(entries).toBeGreaterThanOrEqual(written!.n);
    for (const event of ['client.deleted', 'site.changed', 'client.reviewed', owner.email])
      expect(text).toContain(event);
  });
});
