import { greetedName } from '@lyceum/mail';
import type { Mail } from '@lyceum/mail';
import { textOf } from '#src/messages/messages.js';
import type { Parameters, TextReader } from '#src/messages/messages.js';

/** Input of a mail. */
export interface MailParts {
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
  readonly path: string | null;
  /** One-click unsubscribe URL; null for mandatory mails. */
  readonly unsubscribe: string | null;
}

function greeting(name: string, reader: TextReader): string {
  const greeted = greetedName(name);
  return greeted === undefined
    ? textOf('mail.hello', {}, reader)
    : textOf('mail.hello_name', { name: greeted }, reader);
}

/** Writes the mail of a notification, with one-click unsubscription (RFC 8058 §3.1) unless it is mandatory. */
export function notificationMail(parts: MailParts): Mail {
  const { mail_id, email, name, site_name, base_url, kind, topic, parameters, path, unsubscribe } = parts;
  const reader = { person: parts.locale, site: parts.site_locale };
  const title = textOf(`${kind}.title`, parameters, reader);
  const body = textOf(`${kind}.body`, parameters, reader);
  const why = textOf(
    'notification_mail.reason',
    { site: site_name, topic: textOf(`topic.${topic}`, {}, reader) },
    reader,
  );
  const text = [
    greeting(name, reader),
    title,
    ...(body === '' ? [] : [body]),
    ...(path === null ? [] : [`${base_url}${path}`]),
    unsubscribe === null
      ? `-- \n${why}`
      : `-- \n${why}\n${textOf('notification_mail.unsubscribe', { url: unsubscribe }, reader)}`,
  ];
  return {
    to: email,
    fromName: site_name,
    subject: title,
    text: text.join('\n\n'),
    messageId: `${mail_id}@${new URL(base_url).hostname}`,
    headers: {
      // Suppresses automatic replies (RFC 3834 §5).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe === null
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  };
}
