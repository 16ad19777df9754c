import { instant, listOf, say } from '@lyceum/messages';
import { greetedName, mailLine } from '@lyceum/mail';
import type { Mail } from '@lyceum/mail';
import { runForReader } from '@lyceum/platform';
import {
  ACCOUNT,
  PASSKEYS,
  PASSWORD_RESET_PATH,
  emailChangeLink,
  emailedLink,
  invitationLink,
} from '#src/protocol/paths.js';
import type { MailKind, MailedLink, QueuedMail } from './mail.js';

interface Content {
  readonly subject: string;
  readonly lines: readonly string[];
}

const CONTENTS: Readonly<Record<MailKind, (mail: QueuedMail) => Content>> = {
  welcome: ({ site_name: site, base_url, link }) => ({
    subject: say('mail.welcome', { site }),
    lines: [
      say('mail.welcome_access', { site, url: base_url }),
      ...linkLines('mail.welcome_link', link, (token) => invitationLink(base_url, token)),
    ],
  }),
  password_reset: ({ site_name: site, base_url, link }) => ({
    subject: say('mail.password_reset', { site }),
    lines: [
      say('mail.password_reset_request', { site }),
      ...linkLines('mail.password_reset_link', link, (token) => invitationLink(base_url, token)),
      say('mail.password_reset_effect'),
    ],
  }),
  sign_up: ({ site_name: site, base_url, link }) => ({
    subject: say('mail.sign_up', { site }),
    lines: [
      say('mail.sign_up_request', { site }),
      ...linkLines('mail.sign_up_link', link, (token) => emailedLink(base_url, token)),
    ],
  }),
  sign_up_known: ({ site_name: site, base_url }) => ({
    subject: say('mail.sign_up_known', { site }),
    lines: [
      say('mail.sign_up_known_request', { site }),
      '',
      say('mail.sign_in', { url: `${base_url}${ACCOUNT}` }),
      say('mail.forgot_password', { url: `${base_url}${PASSWORD_RESET_PATH}` }),
    ],
  }),
  sign_in_link: ({ site_name: site, base_url, link }) => ({
    subject: say('mail.sign_in_link', { site }),
    lines: [
      say('mail.sign_in_link_request', { site }),
      ...linkLines('mail.sign_in', link, (token) => emailedLink(base_url, token)),
      say('mail.sign_in_link_browser'),
    ],
  }),
  password_changed: (mail) => ({
    subject: say('mail.password_changed', { site: mail.site_name }),
    lines: [
      say('mail.password_changed_effect', { site: mail.site_name }),
      ...(mail.passkeys.length === 0
        ? []
        : ['', say('mail.passkeys_removed'), ...mail.passkeys.map((name) => `- ${mailLine(name)}`)]),
      ...notice(mail),
    ],
  }),
  passkey_added: (mail) => ({
    subject: say('mail.passkey_added', { site: mail.site_name }),
    lines: [say('mail.passkey_added_effect', { name: quoted(mail), site: mail.site_name }), ...notice(mail)],
  }),
  passkey_removed: (mail) => ({
    subject: say('mail.passkey_removed', { site: mail.site_name }),
    lines: [say('mail.passkey_removed_effect', { name: quoted(mail), site: mail.site_name }), ...notice(mail)],
  }),
  email_change_approval: ({ site_name: site, base_url, link, new_email }) => ({
    subject: say('mail.email_change_approval', { site }),
    lines: [
      say('mail.email_change_approval_request', { site, email: mailLine(new_email ?? '') }),
      ...linkLines('mail.email_change_approval_link', link, (token) => emailChangeLink(base_url, token), untilThen),
      '',
      say('mail.email_change_approval_effect'),
      say('mail.email_change_refuse'),
      `${base_url}${PASSWORD_RESET_PATH}`,
    ],
  }),
  email_change_confirmation: ({ site_name: site, base_url, link }) => ({
    subject: say('mail.email_change_confirmation', { site }),
    lines: [
      say('mail.email_change_confirmation_request', { site }),
      ...linkLines('mail.email_change_confirmation_link', link, (token) => emailChangeLink(base_url, token), untilThen),
    ],
  }),
  email_changed: ({ site_name: site, base_url, account }) => ({
    subject: say('mail.email_changed', { site }),
    lines: [
      say('mail.email_changed_effect', { site, email: mailLine(account) }),
      say('mail.email_changed_stay'),
      '',
      say('mail.email_changed_help', { site, url: base_url }),
    ],
  }),
  webhook_gone: (mail) => disabled(mail, 'mail.webhook_gone'),
  webhook_failing: (mail) => disabled(mail, 'mail.webhook_failing'),
};

/** Mails to an address without a confirmation. They have no name: its owner may be a stranger. */
const UNPROVEN: ReadonlySet<MailKind> = new Set(['email_change_confirmation']);

function greeting({ kind, name }: QueuedMail): string {
  const greeted = UNPROVEN.has(kind) ? undefined : greetedName(name);
  return greeted === undefined ? say('mail.hello') : say('mail.hello_name', { name: greeted });
}

/** Writes a mail in the language of the person, the request or the site. A repeated one has the same Message-ID. */
export function mailText(mail: QueuedMail): Mail {
  const { locale, language, site_locale: site, timezone } = mail;
  return runForReader({ person: locale ?? language, site, timezone }, () => {
    const { subject, lines } = CONTENTS[mail.kind](mail);
    return {
      to: mail.email,
      fromName: mail.site_name,
      subject,
      text: [greeting(mail), '', ...lines].join('\r\n'),
      messageId: `${mail.mail_id}@${new URL(mail.base_url).hostname}`,
    };
  });
}

function disabled(
  { url, site_name: site, base_url }: QueuedMail,
  reason: 'mail.webhook_gone' | 'mail.webhook_failing',
): Content {
  return {
    subject: say('mail.webhook', { site }),
    lines: [
      say(reason, { url: mailLine(url ?? ''), site }),
      '',
      say('mail.webhook_repair', { request: `POST ${base_url}/api/v1/webhook_endpoints/{id}/enable` }),
      say('mail.webhook_changes', { request: `GET ${base_url}/api/v1/changes` }),
    ],
  };
}

/** An instant, because a mail may arrive long after the request from which the lifetime counts. */
const validity = ({ expires_at }: MailedLink): string => say('mail.valid_once', { time: instant(expires_at) });

const untilThen = ({ expires_at }: MailedLink): string => say('mail.valid', { time: instant(expires_at) });

/** The address of a link, and how long it works. Nothing for a mail whose link is no longer open. */
function linkLines(
  key:
    | `mail.${'welcome' | 'password_reset' | 'sign_up' | 'email_change_approval' | 'email_change_confirmation'}_link`
    | 'mail.sign_in',
  link: MailedLink | undefined,
  urlOf: (token: string) => string,
  lifetime: (link: MailedLink) => string = validity,
): string[] {
  return link === undefined ? [] : ['', say(key, { url: urlOf(link.token) }), lifetime(link)];
}

const quoted = ({ passkeys }: QueuedMail): string =>
  listOf(passkeys.map((name) => say('mail.quoted', { name: mailLine(name) })));

const notice = ({ base_url }: QueuedMail): string[] => [
  '',
  say('mail.your_passkeys', { url: `${base_url}${PASSKEYS}` }),
  '',
  say('mail.was_you'),
  say('mail.was_not_you', { url: `${base_url}${PASSWORD_RESET_PATH}` }),
  say('mail.see_access', { url: `${base_url}${ACCOUNT}` }),
];
