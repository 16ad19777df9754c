import { randomUUID } from 'node:crypto';
import { command } from './auth-command.js';
import { systemStack } from './system-stack.js';

const { base_url } = systemStack().sites[0]!;
const invite = (name: string, email = `${randomUUID()}@school.example`) =>
  command('person', 'invite', '--site', base_url, '--email', email, '--name', name, '--role', 'student');

describe('a command of auth', () => {
  it('returns the output of each of several commands at a time', async () => {
    const sites = systemStack().sites.map((site) => site.base_url);
    const shown = await Promise.all([...sites, ...sites].map((site) => command('site', 'show', '--site', site)));
    expect(shown.map((site) => site['base_url'])).toEqual([...sites, ...sites]);
  });

  it('changes the deployment', async () => {
    expect((await invite('Nora Command'))['link']).toMatch(new RegExp(`^${base_url}/`));
  });

  it('rejects with the message of a command that refuses', async () => {
    const refused = command('site', 'show', '--site', 'http://no.example');
    await expect(refused).rejects.toThrow('no site has the base URL http://no.example');
    await expect(command('none')).rejects.toThrow('auth has no command none');
    expect(await command('site', 'show', '--site', base_url)).toMatchObject({ base_url });
  });
});
