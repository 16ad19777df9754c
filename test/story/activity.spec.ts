import { randomUUID } from 'node:crypto';
import { BrowserSession, mintToken, postForms, type Page } from '@lyceum/testing';
import { send } from '../clients/http.js';
import { clientOf, personOf, type SystemSite, systemStack } from '../stack/system-stack.js';

const [site, other] = systemStack().sites;

/** Opens the activity as the person. */
async function activity(at: SystemSite, person: { readonly email: string; readonly password: string }): Promise<Page> {
  const browser = new BrowserSession({ origin: at.base_url });
  const signIn = await browser.open('/account');
  const form = postForms(signIn.body).find(({ names }) => names.has('password'))!;
  form.fields.set('email', person.email);
  form.fields.set('password', person.password);
  await browser.open(new URL(form.action, signIn.url), form.fields);
  return browser.open('/admin/activity');
}

/** Creates a course as the person. */
async function newCourse(at: SystemSite, person: { readonly email: string; readonly password: string }): Promise<void> {
  const client = clientOf(at, 'operator', 'public');
  const { access_token: token } = await mintToken({ ...client, ...person, site: at, scope: 'courses:write' });
  const slug = `course-${randomUUID()}`;
  const created = await send(`${at.base_url}/api/v1/courses`, { token, json: { name: 'A course', slug } });
  expect(created.status).toBe(201);
}

it('shows owners and admins the changes at their site alone, by the sentences of the API', async () => {
  const [owner, stranger] = [personOf(site!, 'owner'), personOf(other!, 'owner')];
  await newCourse(site!, owner);
  await newCourse(other!, stranger);
  for (const role of ['owner', 'admin']) {
    const { status, body } = await activity(site!, personOf(site!, role));
    expect([status, body.includes(`${owner.name} created a course`)]).toEqual([200, true]);
    expect(body).not.toContain(stranger.name);
  }
  expect((await activity(other!, stranger)).body).toContain(`${stranger.name} created a course`);
  expect((await activity(site!, personOf(site!, 'lecturer'))).status).toBe(404);
});
