import { cimdCommand } from '#src/commands/cimd.command.js';
import { PLATFORM_HOSTS } from '#src/platforms/platforms.js';
import { startIdentity, stageOne } from './identity.js';
import type { TestIdentity } from './identity.js';

const CLIENT_ID = 'https://app.example/client.json';

describe('The cimd command', () => {
  let identity: TestIdentity;
  let site: string;

  beforeAll(async () => {
    identity = await startIdentity();
    const { site_id, base_url } = await stageOne(identity);
    site = base_url;
    await identity.sql(
      `WITH made AS (
         INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
         VALUES ($1, $2, 'An App', 'operator', 'document', '{https://app.example/cb}', '{openid}', 'unreviewed')
         RETURNING client_key)
       INSERT INTO client_documents (client_key, expires_at) SELECT client_key, now() FROM made`,
      [CLIENT_ID, site_id],
    );
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => identity.stop());

  /** Returns the output. */
  const run = async (...args: string[]): Promise<unknown> => {
    const printed: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    await cimdCommand.run(identity.config, args);
    return JSON.parse(printed.join(''));
  };

  it('allows and disallows a host, and opens and closes a site', async () => {
    // A new site allows the hosts of the known platforms.
    for (const host of PLATFORM_HOSTS) await run('disallow', '--site', site, '--host', host);
    expect(await run('allow', '--site', site, '--host', 'Claude.ai')).toEqual({
      cimd_hosts: ['claude.ai'],
      cimd_open: false,
    });
    await run('allow', '--site', site, '--host', 'vscode.dev');
    await run('allow', '--site', site, '--host', 'vscode.dev');
    expect(await run('disallow', '--site', site, '--host', 'claude.ai')).toMatchObject({ cimd_hosts: ['vscode.dev'] });
    expect(await run('open', '--site', site)).toEqual({ cimd_hosts: ['vscode.dev'], cimd_open: true });
    expect(await run('open', '--site', site, '--value', 'no')).toMatchObject({ cimd_open: false });
  });

  it('audits each change of a site in order', async () => {
    await run('allow', '--site', site, '--host', 'written.example');
    await run('open', '--site', site, '--value', 'no');
    const written = await identity.sql<{ details: unknown }>(
      `SELECT details FROM audit_log JOIN sites USING (site_id)
        WHERE event = 'site.changed' AND base_url = $1 ORDER BY audit_id DESC LIMIT 2`,
      [site],
    );
    expect(written.map(({ details }) => details)).toEqual([
      { settings: { cimd_open: false } },
      { settings: { cimd_hosts: expect.arrayContaining(['written.example']) as unknown } },
    ]);
  });

  it('lists the clients that wait for a review, and reviews one', async () => {
    expect(await run('list', '--site', site)).toMatchObject([{ client_id: CLIENT_ID, review: 'unreviewed' }]);
    const response = await run('review', '--site', site, '--client-id', CLIENT_ID, '--state', 'approved');
    expect(response).toEqual({ client_id: CLIENT_ID, state: 'approved' });
    expect(await run('list', '--site', site)).toMatchObject([{ review: 'approved' }]);
  });

  it.each([
    ['a missing subcommand', [], 'allow|disallow --site'],
    ['an unknown subcommand', ['forget'], 'allow|disallow --site'],
    ['an invalid host', ['allow', '--site', 'https://one.example', '--host', '127.0.0.1'], 'is not the name of a host'],
    ['an unknown site', ['list', '--site', 'https://nowhere.example'], 'no site has the base URL'],
    [
      'an unknown state',
      ['review', '--site', 'https://one.example', '--client-id', CLIENT_ID, '--state', 'fine'],
      '--state must be',
    ],
    [
      'an unknown client',
      ['review', '--site', 'https://one.example', '--client-id', 'client', '--state', 'blocked'],
      'No client with a metadata document',
    ],
    ['no host', ['allow', '--site', 'https://one.example'], '--host is missing'],
  ])('refuses %s', async (_name, args, reason) => {
    await expect(run(...args)).rejects.toThrow(reason);
  });
});
