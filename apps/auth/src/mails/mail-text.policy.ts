import { instant, listOf, say } from '@lyceum/messages';
import { greetedName, mailLine } from '@lyceum/mail';
import type { Mail } from '@lyceum/mail';
import { renderMail } from '@lyceum/pages';
import type { MailBlock, MailParts } from '@lyceum/pages';
import { runForReader } from '@lyceum/platform';
import type { Reader } from '@lyceum/platform';
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
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
  /** The reason for which the recipient gets it; the account unless another one is given. */
  readonly reason?: string;
}

const CONTENTS: Readonly<Record<MailKind, (mail: QueuedMail) => Content>> = {
  welcome: ({ site_name: site, base_url, link }) => ({
    heading: say('mail.welcome', { site }),
    blocks: [
      { text: say('mail.welcome_access', { site }) },
      ...(link === undefined
        ? [{ button: { label: say('mail.welcome_open', { site }), url: base_url } }]
        : linkBlocks(say('mail.welcome_link'), link, (token) => invitationLink(base_url, token))),
    ],
  }),
  password_reset: ({ site_name: site, base_url, link }) => ({
    heading: say('mail.password_reset', { site }),
    blocks: [
      { text: say('mail.password_reset_request', { site }) },
      ...linkBlocks(say('mail.password_reset_link'), link, (token) => invitationLink(base_url, token)),
      { text: say('mail.password_reset_effect') },
    ],
  }),
  sign_up: ({ site_name: site, base_url, link }) => ({
    heading: say('mail.sign_up', { site }),
    reason: say('mail.reason_address', { site }),
    blocks: [
      { text: say('mail.sign_up_request', { site }) },
      ...linkBlocks(say('mail.sign_up_link'), link, (token) => emailedLink(base_url, token)),
    ],
  }),
  sign_up_known: ({ site_name: site, base_url }) => ({
    heading: say('mail.sign_up_known', { site }),
    blocks: [
      { text: say('mail.sign_up_known_request', { site }) },
      { button: { label: say('mail.sign_in'), url: `${base_url}${ACCOUNT}` } },
      { link: { label: say('mail.forgot_password'), url: `${base_url}${PASSWORD_RESET_PATH}` } },
    ],
  }),
  sign_in_link: ({ site_name: site, base_url, link }) => ({
    heading: say('mail.sign_in_link', { site }),
    blocks: [
      { text: say('mail.sign_in_link_request', { site }) },
      ...linkBlocks(say('mail.sign_in'), link, (token) => emailedLink(base_url, token)),
      { text: say('mail.sign_in_link_browser') },
    ],
  }),
  password_changed: (mail) => ({
    heading: say('mail.password_changed', { site: mail.site_name }),
    blocks: [
      { text: say('mail.password_changed_effect', { site: mail.site_name }) },
      ...(mail.passkeys.length === 0 ? [] : [{ text: say('mail.passkeys_removed') }, { items: mail.passkeys }]),
      ...notice(mail),
    ],
  }),
  passkey_added: (mail) => ({
    heading: say('mail.passkey_added', { site: mail.site_name }),
    blocks: [{ text: say('mail.passkey_added_effect', { name: quoted(mail), site: mail.site_name }) }, ...notice(mail)],
  }),
  passkey_removed: (mail) => ({
    heading: say('mail.passkey_removed', { site: mail.site_name }),
    blocks: [
      { text: say('mail.passkey_removed_effect', { name: quoted(mail), site: mail.site_name }) },
      ...notice(mail),
    ],
  }),
  email_change_approval: ({ site_name: site, base_url, link, new_email }) => ({
    heading: say('mail.email_change_approval', { site }),
    blocks: [
      { text: say('mail.email_change_approval_request', { site, email: mailLine(new_email ?? '') }) },
      ...linkBlocks(
        say('mail.email_change_approval_link'),
        link,
        (token) => emailChangeLink(base_url, token),
        untilThen,
      ),
      { text: say('mail.email_change_approval_effect') },
      { link: { label: say('mail.email_change_refuse'), url: `${base_url}${PASSWORD_RESET_PATH}` } },
    ],
  }),
  email_change_confirmation: ({ site_name: site, base_url, link }) => ({
    heading: say('mail.email_change_confirmation', { site }),
    reason: say('mail.reason_address', { site }),
    blocks: [
      { text: say('mail.email_change_confirmation_request', { site }) },
      ...linkBlocks(
        say('mail.email_change_confirmation_link'),
        link,
        (token) => emailChangeLink(base_url, token),
        untilThen,
      ),
    ],
  }),
  email_changed: ({ site_name: site, base_url, account }) => ({
    heading: say('mail.email_changed', { site }),
    blocks: [
      { text: say('mail.email_changed_effect', { site, email: mailLine(account) }) },
      { text: say('mail.email_changed_stay') },
      { link: { label: say('mail.email_changed_help', { site }), url: base_url } },
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

/** The language is that of the person, the request or the site. */
const readerOf = ({ locale, language, site_locale, timezone }: QueuedMail): Reader => ({
  person: locale ?? language,
  site: site_locale,
  timezone,
});

/** The content of a mail in the language of its reader. */
export function mailParts(mail: QueuedMail): MailParts {
  const { site_name: name, base_url, theme } = mail;
  return runForReader(readerOf(mail), () => {
    const { heading, blocks, reason = say('mail.reason_account', { site: name }) } = CONTENTS[mail.kind](mail);
    return { site: { name, base_url, theme }, heading, greeting: greeting(mail), blocks, reason, unsubscribe: null };
  });
}

/** Writes a mail in the language of its reader. A repeated one has the same Message-ID. */
export function mailText(mail: QueuedMail): Mail {
  return {
    to: mail.email,
    fromName: mail.site_name,
    ...runForReader(readerOf(mail), () => renderMail(mailParts(mail))),
    messageId: `${mail.mail_id}@${new URL(mail.base_url).hostname}`,
  };
}

function disabled(
  { url, site_name: site, base_url }: QueuedMail,
  reason: 'mail.webhook_gone' | 'mail.webhook_failing',
): Content {
  return {
    heading: say('mail.webhook', { site }),
    reason: say('mail.reason_team', { site }),
    blocks: [
      { text: say(reason, { url: mailLine(url ?? ''), site }) },
      { text: say('mail.webhook_repair', { request: `POST ${base_url}/api/v1/webhook_endpoints/{id}/enable` }) },
      { text: say('mail.webhook_changes', { request: `GET ${base_url}/api/v1/changes` }) },
    ],
  };
}

/** An instant, because a mail may arrive long after the request from which the lifetime counts. */
const validity = ({ expires_at }: MailedLink): string => say('mail.valid_once', { time: instant(expires_at) });

const untilThen = ({ expires_at }: MailedLink): string => say('mail.valid', { time: instant(expires_at) });

/** The button of a link, and how long it works. Nothing for a mail whose link is no longer open. */
const linkBlocks = (
  label: string,
  link: MailedLink | undefined,
  urlOf: (token: string) => string,
  lifetime: (link: MailedLink) => string = validity,
): MailBlock[] => (link === undefined ? [] : [{ button: { label, url: urlOf(link.token) }, note: lifetime(link) }]);

const quoted = ({ passkeys }: QueuedMail): string =>
  listOf(passkeys.map((name) => say('mail.quoted', { name: mailLine(name) })));

/** A theft needs a new password first. */
const notice = ({ base_url }: QueuedMail): MailBlock[] => [
  { text: say('mail.was_you') },
  { button: { label: say('mail.was_not_you'), url: `${base_url}${PASSWORD_RESET_PATH}` } },
  { link: { label: say('mail.your_passkeys'), url: `${base_url}${PASSKEYS}` } },
  { link: { label: say('mail.see_access'), url: `${base_url}${ACCOUNT}` } },
];
