import { ClientsService } from '#src/clients/clients.service.js';
import { clientCommand } from '#src/commands/client.command.js';
import { startIdentity, stageOne } from './identity.js';
import type { TestIdentity } from './identity.js';

const SITE = 'https://one.example';
const CALLBACK = 'https://app.example/callback';
const SIGNED_OUT = 'https://app.example/signed-out';

describe('The client command', () => {
  let identity: TestIdentity;
  let siteId: string;

  beforeAll(async () => {
    identity = await startIdentity();
    ({ site_id: siteId } = await stageOne(identity));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => identity.stop());

  /** Returns the printed client_id. */
  async function run(word: string, options: Record<string, string>): Promise<string> {
    const printed: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    const given = Object.entries({ site: SITE, ...options }).flatMap(([name, value]) => [`--${name}`, value]);
    await clientCommand.run(identity.config, [word, ...given]);
    return (JSON.parse(printed.join('')) as { client_id: string }).client_id;
  }
  const created = (options: Record<string, string> = {}): Promise<string> =>
    run('create', {
      name: 'An app',
      audience: 'member',
      'redirect-uri': CALLBACK,
      scope: 'openid account:read',
      ...options,
    });
  const stored = (clientId: string) => identity.context.get(ClientsService).atSite(clientId, siteId);

  it('creates a client without compatibility and without a logout URI', async () => {
    expect(await stored(await created())).toMatchObject({ compatibility_mode: false, post_logout_redirect_uris: [] });
  });

  it('creates a client with compatibility and a logout URI', async () => {
    const client_id = await created({ compatibility: 'yes', 'post-logout-redirect-uri': SIGNED_OUT });
    const expected = { compatibility_mode: true, post_logout_redirect_uris: [SIGNED_OUT] };
    expect(await stored(client_id)).toMatchObject(expected);
  });

  it('updates the given fields and keeps the rest', async () => {
    const client_id = await created({ 'post-logout-redirect-uri': SIGNED_OUT });
    await run('update', { 'client-id': client_id, compatibility: 'yes' });
    const kept = { name: 'An app', redirect_uris: [CALLBACK], scopes: ['openid', 'account:read'] };
    expect(await stored(client_id)).toMatchObject({
      ...kept,
      compatibility_mode: true,
      post_logout_redirect_uris: [SIGNED_OUT],
    });
    await run('update', { 'client-id': client_id, compatibility: 'no', 'post-logout-redirect-uri': 'none' });
    expect(await stored(client_id)).toMatchObject({
      ...kept,
      compatibility_mode: false,
      post_logout_redirect_uris: [],
    });
  });

  it.each([
    [
      'an address after a sign-out over plain http',
      { 'post-logout-redirect-uri': 'http://app.example/' },
      'redirect URI',
    ],
    ['a word that is neither yes nor no', { compatibility: 'maybe' }, 'yes or no'],
  ])('refuses %s', async (_name, options, message) => {
    const client_id = await created();
    await expect(run('update', { 'client-id': client_id, ...options })).rejects.toThrow(message);
    expect(await stored(client_id)).toMatchObject({ compatibility_mode: false, post_logout_redirect_uris: [] });
  });

  it('refuses account:write without account:read, in a new client and in a change', async () => {
    const client_id = await created();
    const scope = 'openid account:write';
    const message = 'A client with account:write needs account:read';
    await expect(created({ scope })).rejects.toThrow(message);
    await expect(run('update', { 'client-id': client_id, scope })).rejects.toThrow(message);
    expect(await stored(client_id)).toMatchObject({ scopes: ['openid', 'account:read'] });
  });

  it('refuses a client that does not belong to the site', async () => {
    await expect(run('update', { 'client-id': 'claude', compatibility: 'yes' })).rejects.toThrow('This site has no');
  });
});
