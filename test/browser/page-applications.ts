import { eventually } from '@lyceum/testing';
import type { Page } from 'playwright-core';
import { command } from '../stack/auth-command.js';
import { personOf } from '../stack/system-stack.js';
import type { SystemSite } from '../stack/system-stack.js';
import { signIn } from './sign-in.js';

/** Signs in as the owner and adds the application of a page for developers, as the admin area offers it. */
export async function addPageApplication(page: Page, site: SystemSite, name: string): Promise<void> {
  await command('site', 'mcp-connections', '--site', site.base_url);
  await page.goto('/account');
  await signIn(page, personOf(site, 'owner'));
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  // Replicas apply a setting within seconds.
  await eventually(
    async () => (await page.goto('/admin/applications'))?.status(),
    (status) => status === 200,
  );
  await page.getByRole('button', { name: `Add ${name}` }).click();
  await page
    .getByRole('status')
    .filter({ hasText: `${name} is created.` })
    .waitFor();
}
