import type { SiteExport } from '@lyceum/messaging';
import { pictureFiles } from './picture-files.js';

/** Exports of a site have no tokens, sessions, links, jobs and stored responses: they are useless at another place. */
export const SITE_EXPORT: SiteExport = {
  omits: [
    'access_tokens',
    'authorization_codes',
    'client_logos',
    'email_changes',
    'email_link_requests',
    'email_links',
    'form_submissions',
    'grants',
    'interactions',
    'invitations',
    'mails',
    'member_requests',
    'passkey_challenges',
    'password_changes',
    'password_reset_requests',
    'refresh_tokens',
    'sessions',
  ],
  // People belong to the deployment. A confirmed address and the age of an account would tell that another site has it.
  further: {
    people: `select jsonb_build_object('person_id', p.person_id, 'email', p.email) as row
               from site_members m join people p using (person_id) where m.site_id = $1 and m.erased_at is null`,
  },
  files: pictureFiles,
};
