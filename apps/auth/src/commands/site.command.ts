import { UsageError } from '@lyceum/platform';
import { SiteDeletionsService } from '#src/sites/site-deletions.service.js';
import { SiteMovesService } from '#src/sites/site-moves.service.js';
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

/** A setting that only the operator of the deployment switches. */
const toSetting =
  (word: string, setting: 'sign_up' | 'sign_in_links'): Run =>
  async (context, args) => {
    const { site = '', value } = options(args, word, { site: undefined, value: 'yes' });
    const { site_id } = await siteAt(context, site);
    const change = { [setting]: isYes(value) };
    return (await context.get(SitesService).changeSettings(site_id, () => change)).settings;
  };

function isYes(value: string | undefined): boolean {
  if (value !== 'yes' && value !== 'no') throw new UsageError('--value must be yes or no');
  return value === 'yes';
}

/** Commands for sites. `mcp-connections` has no effect once the school has set the feature itself. */
export const siteCommand: AuthCommand = subcommands(
  'create --base-url … --name … --slug … · show|suspend|reinstate --site … · move --site … --to … · delete --site … --slug … · mcp-connections|sign-up|sign-in-links --site … [--value yes|no]',
  {
    create: async (context, args) => {
      const given = options(args, 'create', { 'base-url': undefined, name: undefined, slug: undefined });
      const { 'base-url': base_url = '', name = '', slug = '' } = given;
      return context.get(SitesService).apply({ base_url, name, slug });
    },
    show: async (context, args) => siteAt(context, options(args, 'show', { site: undefined })['site'] ?? ''),
    suspend: toState('suspend'),
    reinstate: toState('reinstate'),
    move: async (context, args) => {
      const { site = '', to = '' } = options(args, 'move', { site: undefined, to: undefined });
      return context.get(SiteMovesService, { strict: false }).move(site, to);
    },
    // The slug is the confirmation: nothing brings a deleted site back.
    delete: async (context, args) => {
      const { site = '', slug = '' } = options(args, 'delete', { site: undefined, slug: undefined });
      return context.get(SiteDeletionsService, { strict: false }).delete(site, slug);
    },
    'sign-up': toSetting('sign-up', 'sign_up'),
    'sign-in-links': toSetting('sign-in-links', 'sign_in_links'),
    'mcp-connections': async (context, args) => {
      const { site = '', value } = options(args, 'mcp-connections', { site: undefined, value: 'yes' });
      const change = { mcp_connections: isYes(value) };
      const { site_id, school } = await siteAt(context, site);
      if (school.mcp_connections !== null)
        throw new UsageError('the school has switched MCP connections itself: use /admin or PATCH /api/v1/school');
      return (await context.get(SitesService).changeSettings(site_id, () => change)).settings;
    },
  },
);
