import { splitScope } from '@lyceum/contracts';
import { UsageError } from '@lyceum/platform';
import { ClientSecrets } from '#src/clients/client-secrets.service.js';
import type { ClientRevision } from '#src/clients/clients.service.js';
import { SECRET_OVERLAPS, isSecretOverlap } from '#src/clients/secret-overlap.policy.js';
import { Administration } from './administration.js';
import { options, siteAt, subcommands } from './command-line.js';
import type { AuthCommand } from './command-line.js';

const ONE = { site: undefined, 'client-id': undefined };
const UNCHANGED = { name: '', 'redirect-uri': '', 'post-logout-redirect-uri': '', scope: '', compatibility: '' };

/** Only the given options; `none` empties the list of logout URIs. */
function revisionOf(given: Readonly<Record<string, string>>): ClientRevision {
  const { name, 'redirect-uri': uris = '', 'post-logout-redirect-uri': after = '', scope = '', compatibility } = given;
  return {
    ...(name ? { name } : {}),
    ...(uris ? { redirect_uris: splitScope(uris) } : {}),
    ...(after ? { post_logout_redirect_uris: after === 'none' ? [] : splitScope(after) } : {}),
    ...(scope ? { scopes: splitScope(scope) } : {}),
    ...(compatibility ? { compatibility_mode: compatibility === 'yes' } : {}),
  };
}

/** Commands for the OAuth clients of a site. */
export const clientCommand: AuthCommand = subcommands(
  'create --site … --name … --audience member|operator --redirect-uri … --scope "…" [--post-logout-redirect-uri …] [--confidential yes] [--compatibility yes] · update --site … --client-id … [--name …] [--redirect-uri …] [--post-logout-redirect-uri …|none] [--scope "…"] [--compatibility yes|no] · renew-secret --site … --client-id … [--overlap none|1h|24h|7d] · delete --site … --client-id …',
  {
    create: async (context, args) => {
      const given = options(args, 'create', {
        site: undefined,
        name: undefined,
        audience: undefined,
        'redirect-uri': undefined,
        scope: undefined,
        'post-logout-redirect-uri': '',
        confidential: 'no',
        compatibility: 'no',
      });
      const { site = '', name = '', audience, scope = '', confidential } = given;
      if (audience !== 'member' && audience !== 'operator')
        throw new UsageError('--audience must be member or operator');
      const redirect_uris = splitScope(given['redirect-uri'] ?? '');
      const compatibility_mode = given['compatibility'] === 'yes';
      const post_logout_redirect_uris = splitScope(given['post-logout-redirect-uri'] ?? '');
      const scopes = splitScope(scope);
      const definition = {
        name,
        audience,
        redirect_uris,
        post_logout_redirect_uris,
        compatibility_mode,
        scopes,
      } as const;
      const at = await siteAt(context, site);
      return context.get(Administration).createClient(at, { ...definition, confidential: confidential === 'yes' });
    },
    update: async (context, args) => {
      const given = options(args, 'update', { ...ONE, ...UNCHANGED });
      const { site = '', 'client-id': client_id = '', compatibility = '' } = given;
      if (!['', 'yes', 'no'].includes(compatibility)) throw new UsageError('--compatibility must be yes or no');
      const revision = revisionOf(given);
      return context.get(Administration).reviseClient(await siteAt(context, site), client_id, revision);
    },
    'renew-secret': async (context, args) => {
      const given = options(args, 'renew-secret', { ...ONE, overlap: 'none' });
      const { site = '', 'client-id': client_id = '', overlap } = given;
      if (!isSecretOverlap(overlap))
        throw new UsageError(`--overlap must be one of ${Object.keys(SECRET_OVERLAPS).join(', ')}`);
      const { site_id } = await siteAt(context, site);
      const rotation = { client_id, site_id, overlap: SECRET_OVERLAPS[overlap], actor: null };
      return { client_id, client_secret: await context.get(ClientSecrets, { strict: false }).renew(rotation) };
    },
    delete: async (context, args) => {
      const { site = '', 'client-id': client_id = '' } = options(args, 'delete', ONE);
      await context.get(Administration).deleteClient(await siteAt(context, site), client_id);
      return { client_id };
    },
  },
);
