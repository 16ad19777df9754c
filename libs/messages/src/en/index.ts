import { account } from './account.js';
import { activity } from './activity.js';
import { admin } from './admin.js';
import { applications } from './applications.js';
import { audit } from './audit.js';
import { auditSentences } from './audit-sentences.js';
import { changes } from './changes.js';
import { clients } from './clients.js';
import { connect } from './connect.js';
import { consent } from './consent.js';
import { developers } from './developers.js';
import { errors } from './errors.js';
import { forms } from './forms.js';
import { front } from './front.js';
import { links } from './links.js';
import { mails } from './mails.js';
import { notifications } from './notifications.js';
import { people } from './people.js';
import { permissions } from './permissions.js';
import { signIn } from './sign-in.js';
import { siteSettings } from './site-settings.js';
import { unsubscribe } from './unsubscribe.js';

export const en = {
  ...account,
  ...activity,
  ...admin,
  ...applications,
  ...audit,
  ...auditSentences,
  ...changes,
  ...clients,
  ...connect,
  ...consent,
  ...developers,
  ...errors,
  ...forms,
  ...front,
  ...links,
  ...mails,
  ...notifications,
  ...people,
  ...permissions,
  ...signIn,
  ...siteSettings,
  ...unsubscribe,
};
