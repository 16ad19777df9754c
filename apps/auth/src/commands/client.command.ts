import { splitScope } from '@lyceum/contracts';
import { Administration } from './administration.js';
import { options, siteAt, words } from './command-line.js';
import type { AuthCommand } from './command-line.js';

const ONE = { site: undefined, 'client-id': undefined };

/** OAuth clients of a site. */
export const clientCommand: AuthCommand = words(
  'create --site … --name … --audience member|operator --redirect-uri … --scope "…" [--confidential yes] · renew-secret|delete --site … --client-id …',
  {
    create: async (context, args) => {
      const given = options(args, 'create', {
        site: undefined,
        name: undefined,
        audience: undefined,
        'redirect-uri': undefined,
        scope: undefined,
        confidential: 'no',
      });
      const { site = '', name = '', audience, scope = '', confidential } = given;
      if (audience !== 'member' && audience !== 'operator') throw new Error('--audience is member or operator');
      const redirect_uris = splitScope(given['redirect-uri'] ?? '');
      const definition = { name, audience, redirect_uris, scopes: splitScope(scope) } as const;
      const at = await siteAt(context, site);
      return context.get(Administration).createClient(at, { ...definition, confidential: confidential === 'yes' });
    },
    'renew-secret': async (context, args) => {
      const { site = '', 'client-id': client_id = '' } = options(args, 'renew-secret', ONE);
      return context.get(Administration).renewSecret(await siteAt(context, site), client_id);
    },
    delete: async (context, args) => {
      const { site = '', 'client-id': client_id = '' } = options(args, 'delete', ONE);
      await context.get(Administration).deleteClient(await siteAt(context, site), client_id);
      return { client_id };
    },
  },
);
