import { join } from 'node:path';
import { NO_THEME } from '@lyceum/contracts';
import { committedSamples } from '@lyceum/testing';
import { mailParts } from '#src/mails/mail-text.policy.js';
import type { MailKind, QueuedMail } from '#src/mails/mail.js';

/** Which mails have a link that works for a time. */
const KINDS: Readonly<Record<MailKind, boolean>> = {
  welcome: true,
  password_reset: true,
  sign_up: true,
  sign_up_known: false,
  sign_in_link: true,
  password_changed: false,
  passkey_added: false,
  passkey_removed: false,
  email_change_approval: true,
  email_change_confirmation: true,
  email_changed: false,
  webhook_gone: false,
  webhook_failing: false,
};

const mail = (kind: MailKind, locale: string): QueuedMail => ({
  mail_id: '01a1fb4f-0000-7000-8000-000000000001',
  kind,
  passkeys: kind === 'password_changed' ? ['Phone of Ada', 'Security key'] : ['Phone of Ada'],
  url: 'https://receiver.example/hooks/orders?environment=production&version=2',
  email: 'ada@example.org',
  account: 'ada@example.org',
  new_email: 'ada.lovelace@example.org',
  name: 'Ada Lovelace',
  site_name: locale === 'en' ? 'Harbour School' : '海港學院',
  base_url: 'https://school.example',
  theme: NO_THEME,
  language: null,
  locale,
  site_locale: null,
  timezone: 'Asia/Taipei',
  link: KINDS[kind]
    ? { token: 'Zk3v'.repeat(10) + 'Zk3', expires_at: new Date('2026-11-23T20:30:00.000Z') }
    : undefined,
});

it('keeps a sample of each mail in both languages for the suite that looks at them', () => {
  const samples = (Object.keys(KINDS) as MailKind[]).flatMap((kind) =>
    ['en', 'zh-TW'].map((language) => ({ name: `auth-${kind}`, language, parts: mailParts(mail(kind, language)) })),
  );
  expect(samples).toHaveLength(26);
  const file = join(__dirname, '../../../test/browser/mails/auth.json');
  expect(committedSamples(file, samples)).toEqual(samples);
});
