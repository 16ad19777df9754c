import { greeting, mailLine } from '@lyceum/mail';
import type { Mail } from '@lyceum/mail';
import { ACCOUNT, PASSKEYS, PASSWORD_RESET_PATH, invitationLink } from '#src/protocol/paths.js';
import type { MailKind, MailedLink, QueuedMail } from './mail.js';

interface Content {
  readonly subject: string;
  readonly lines: readonly string[];
}

const CONTENTS: Readonly<Record<MailKind, (mail: QueuedMail) => Content>> = {
  welcome: ({ site_name, base_url, link }) => ({
    subject: `Welcome to ${site_name}`,
    lines: [
      `you now have access to ${site_name}: ${base_url}`,
      ...(link === undefined ? [] : ['', `Set your password: ${invitationLink(base_url, link.token)}`, validity(link)]),
    ],
  }),
  password_reset: ({ site_name, base_url, link }) => ({
    subject: `Your password at ${site_name}`,
    lines: [
      `somebody asked for another password for you at ${site_name}. If that was not you, nothing needs to be done.`,
      ...(link === undefined
        ? []
        : ['', `Reset your password: ${invitationLink(base_url, link.token)}`, validity(link)]),
      'It signs you out of all browsers and applications, and removes the passkeys that you do not keep.',
    ],
  }),
  password_changed: (mail) => ({
    subject: `Your password at ${mail.site_name} was changed`,
    lines: [
      `The password of your account at ${mail.site_name} was changed. All other browsers were signed out, and all applications were disconnected.`,
      ...(mail.passkeys.length === 0
        ? []
        : ['', 'These passkeys were removed:', ...mail.passkeys.map((name) => `- ${mailLine(name)}`)]),
      ...notice(mail),
    ],
  }),
  passkey_added: (mail) => ({
    subject: `A passkey was added to your account at ${mail.site_name}`,
    lines: [
      `The passkey ${quoted(mail)} was added to your account at ${mail.site_name}. It signs you in without your password.`,
      ...notice(mail),
    ],
  }),
  passkey_removed: (mail) => ({
    subject: `A passkey was removed from your account at ${mail.site_name}`,
    lines: [
      `The passkey ${quoted(mail)} was removed from your account at ${mail.site_name}. It no longer signs you in.`,
      ...notice(mail),
    ],
  }),
};

/** Writes a mail. A repeated one has the same Message-ID. */
export function mailText(mail: QueuedMail): Mail {
  const { subject, lines } = CONTENTS[mail.kind](mail);
  return {
    to: mail.email,
    fromName: mail.site_name,
    subject,
    text: [greeting(mail.name), '', ...lines].join('\r\n'),
    messageId: `${mail.mail_id}@${new URL(mail.base_url).hostname}`,
  };
}

/** An instant, because a mail may arrive long after the request from which the lifetime counts. */
const validity = ({ expires_at }: MailedLink): string => `The link works once, until ${expires_at.toUTCString()}.`;

const quoted = ({ passkeys }: QueuedMail): string => passkeys.map((name) => `"${mailLine(name)}"`).join(', ');

const notice = ({ base_url }: QueuedMail): string[] => [
  '',
  `Your passkeys: ${base_url}${PASSKEYS}`,
  '',
  'If this was you, nothing needs to be done.',
  `If it was not, set a new password now: ${base_url}${PASSWORD_RESET_PATH}`,
  `See what has access to your account: ${base_url}${ACCOUNT}`,
];
