import { greetedName } from '@lyceum/mail';
import type { Mail } from '@lyceum/mail';
import { say } from '@lyceum/messages';
import { renderMail } from '@lyceum/pages';
import type { MailParts } from '@lyceum/pages';
import { runForReader } from '@lyceum/platform';
import { textOf } from '#src/messages/messages.js';
import type { Parameters, TextReader } from '#src/messages/messages.js';

/** Input of a mail. */
export interface NotificationParts {
  readonly mail_id: string;
  readonly email: string;
  readonly name: string;
  readonly site_name: string;
  readonly base_url: string;
  readonly kind: string;
  readonly topic: string;
  readonly parameters: Parameters;
  readonly locale: string | null;
  readonly site_locale: string | null;
  /** The address of its button; null for a mail without one. */
  readonly url: string | null;
  /** One-click unsubscribe URL; null for mandatory mails. */
  readonly unsubscribe: string | null;
}

function greeting(name: string): string {
  const greeted = greetedName(name);
  return greeted === undefined ? say('mail.hello') : say('mail.hello_name', { name: greeted });
}

export const readerOf = ({ locale, site_locale }: NotificationParts): TextReader => ({
  person: locale,
  site: site_locale,
});

/** The content of the mail of a notification in the language of its reader. */
export function notificationContent(parts: NotificationParts): MailParts {
  const { name, site_name, base_url, kind, topic, parameters, url, unsubscribe } = parts;
  const reader = readerOf(parts);
  const buttons = url === null ? [] : [{ button: { label: textOf(`button.${topic}`, {}, reader), url } }];
  return runForReader(reader, () => ({
    site: { name: site_name, base_url },
    heading: textOf(`${kind}.title`, parameters, reader),
    greeting: greeting(name),
    blocks: [{ text: textOf(`${kind}.body`, parameters, reader) }, ...buttons],
    reason: say('notification_mail.reason', { site: site_name, topic: textOf(`topic.${topic}`, {}, reader) }),
    unsubscribe,
  }));
}

/** Addresses a mail, with one-click unsubscription (RFC 8058 §3.1) unless it is mandatory. */
export function mailOf(parts: NotificationParts, content: MailParts): Mail {
  const { mail_id, email, site_name, base_url, unsubscribe } = parts;
  return {
    to: email,
    fromName: site_name,
    ...runForReader(readerOf(parts), () => renderMail(content)),
    messageId: `${mail_id}@${new URL(base_url).hostname}`,
    headers:
      unsubscribe === null
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

/** Writes the mail of a notification. */
export const notificationMail = (parts: NotificationParts): Mail => mailOf(parts, notificationContent(parts));
