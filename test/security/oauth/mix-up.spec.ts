import * as oidc from 'openid-client';
import { authorizationRequest, exchange } from '../../clients/member-client.js';
import { Actor, member, otherSite, site, sourceIn } from './attack.js';

const SCOPE = 'openid account:read';

/** A real application at `site`, and the callback URL that the browser opens. */
async function arrival(): Promise<{ request: Awaited<ReturnType<typeof authorizationRequest>>; callback: URL }> {
  const request = await authorizationRequest(site.base_url, member, SCOPE);
  const actor = new Actor(sourceIn(4));
  let page = await actor.signIn(await actor.browser.open(request.url));
  if (page.body.includes('value="approve"')) page = await actor.submit(page, 'decision', { decision: 'approve' });
  return { request, callback: page.url };
}

it('advertises `iss`, with the origin of the metadata as the issuer (RFC 9207 §3)', async () => {
  for (const at of [site, otherSite]) {
    const configuration = await oidc.discovery(new URL(at.base_url), 'any', {}, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });
    const metadata = configuration.serverMetadata();
    expect(metadata.issuer).toBe(at.base_url);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
  }
});

it.each([
  ['of another server', 'https://evil.example'],
  ['of the other site of this deployment', otherSite.base_url],
  ['with a slash added', `${site.base_url}/`],
  ['that is empty', ''],
  ['that is missing', undefined],
])('refuses an `iss` %s in a real client', async (_what, issuer) => {
  const { request, callback } = await arrival();
  const forged = new URL(callback);
  forged.searchParams.delete('iss');
  if (issuer !== undefined) forged.searchParams.set('iss', issuer);
  await expect(exchange(request, forged)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/iss/) as string },
  });
  // The client did not send the code, so the code still works in the genuine callback.
  expect((await exchange(request, callback)).access_token).toEqual(expect.any(String));
});

it('adds `iss` and `state` to error redirects', async () => {
  const actor = new Actor(sourceIn(4));
  const refused = await actor.callback({ scope: 'openid courses:read' });
  expect(Object.fromEntries(refused)).toMatchObject({ error: 'invalid_scope', iss: site.base_url, state: 'the-state' });
  const page = await actor.signIn(await actor.browser.open(actor.authorization({ prompt: 'consent' })));
  const denied = await actor.submit(page, 'decision', { decision: 'deny' });
  expect(Object.fromEntries(denied.url.searchParams)).toMatchObject({ error: 'access_denied', iss: site.base_url });
});

it('sends the site’s own `iss` under spoofed headers', async () => {
  const actor = new Actor(sourceIn(4));
  expect((await actor.callback({ iss: 'https://evil.example' })).getAll('iss')).toEqual([site.base_url]);
});
