import { UsageError } from '@lyceum/platform';
import { DocumentAdministration } from '#src/client-documents/document.administration.js';
import { options, siteAt, subcommands } from './command-line.js';
import type { AuthCommand, Run } from './command-line.js';

const onHost =
  (word: 'allow' | 'disallow'): Run =>
  async (context, args) => {
    const { site = '', host = '' } = options(args, word, { site: undefined, host: undefined });
    const { site_id } = await siteAt(context, site);
    return context.get(DocumentAdministration)[word](site_id, host.toLowerCase());
  };

const SUBCOMMANDS = {
  allow: onHost('allow'),
  disallow: onHost('disallow'),
  open: async (context, args) => {
    const { site = '', value } = options(args, 'open', { site: undefined, value: 'yes' });
    if (value !== 'yes' && value !== 'no') throw new UsageError('--value must be yes or no');
    return context.get(DocumentAdministration).open((await siteAt(context, site)).site_id, value === 'yes');
  },
  review: async (context, args) => {
    const given = options(args, 'review', { site: undefined, 'client-id': undefined, state: undefined });
    const { site = '', 'client-id': client_id = '', state } = given;
    if (state !== 'approved' && state !== 'blocked' && state !== 'unreviewed') {
      throw new UsageError('--state must be approved, blocked or unreviewed');
    }
    await context.get(DocumentAdministration).review((await siteAt(context, site)).site_id, client_id, state);
    return { client_id, state };
  },
  list: async (context, args) => {
    const { site = '' } = options(args, 'list', { site: undefined });
    return context.get(DocumentAdministration).list((await siteAt(context, site)).site_id);
  },
} satisfies Readonly<Record<string, Run>>;

/** Commands for clients by document. */
export const cimdCommand: AuthCommand = subcommands(
  'allow|disallow --site … --host … · open --site … [--value yes|no] · review --site … --client-id … --state approved|blocked|unreviewed · list --site …',
  SUBCOMMANDS,
);
