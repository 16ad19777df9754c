import type { Mail } from '@lyceum/mail';
import { MAIL_LIMITS } from '@lyceum/pages';
import type { MailParts } from '@lyceum/pages';
import { textOf } from '#src/messages/messages.js';
import { mailOf, notificationContent, notificationMail, readerOf } from './notification-mail.policy.js';
import type { NotificationParts } from './notification-mail.policy.js';

/** Mails that are sent as one. Further ones wait for the next. */
export const MOST_MAILS = MAIL_LIMITS.entries;

/** The content of a mail that lists notifications of one subscription, in the language of its reader. */
export function digestContent(first: NotificationParts, all: readonly NotificationParts[]): MailParts {
  const reader = readerOf(first);
  const { topic, site_name: site } = first;
  const entries = all.map(({ kind, parameters, url }) => ({
    title: textOf(`${kind}.title`, parameters, reader),
    text: textOf(`${kind}.body`, parameters, reader),
    url,
  }));
  return {
    ...notificationContent(first),
    heading: textOf(`digest.${topic}`, { count: all.length, site }, reader),
    blocks: [{ text: textOf('digest.intro', {}, reader) }, { entries }],
  };
}

/** Writes the mail of one notification, or the one that lists several. A repeated one has the same Message-ID. */
export function digestMail(mailId: string, all: readonly [NotificationParts, ...NotificationParts[]]): Mail {
  const first = { ...all[0], mail_id: mailId };
  return all.length === 1 ? notificationMail(first) : mailOf(first, digestContent(first, all));
}
