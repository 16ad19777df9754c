import { SitesService } from '#src/sites/sites.service.js';
import { options, siteAt, subcommands } from './command-line.js';
import type { AuthCommand, Run } from './command-line.js';

const toState =
  (word: 'suspend' | 'reinstate'): Run =>
  async (context, args) => {
    const { site = '' } = options(args, word, { site: undefined });
    const { site_id } = await siteAt(context, site);
    return context.get(SitesService).setState(site_id, word === 'suspend' ? 'suspended' : 'active');
  };

/** Commands for sites: `mcp-connections` is the beta feature for OAuth applications in the admin area. */
export const siteCommand: AuthCommand = subcommands(
  'create --base-url … --name … --slug … · suspend|reinstate --site … · mcp-connections --site … [--value yes|no]',
  {
    create: async (context, args) => {
      const given = options(args, 'create', { 'base-url': undefined, name: undefined, slug: undefined });
      const { 'base-url': base_url = '', name = '', slug = '' } = given;
      return context.get(SitesService).apply({ base_url, name, slug });
    },
    suspend: toState('suspend'),
    reinstate: toState('reinstate'),
    'mcp-connections': async (context, args) => {
      const { site = '', value } = options(args, 'mcp-connections', { site: undefined, value: 'yes' });
      if (value !== 'yes' && value !== 'no') throw new Error('--value must be yes or no');
      const { site_id } = await siteAt(context, site);
      const change = { mcp_connections: value === 'yes' };
      return (await context.get(SitesService).changeSettings(site_id, () => change)).settings;
    },
  },
);
