import { NO_THEME } from '@lyceum/contracts';
import { mailText } from './mail-text.policy.js';
import type { MailKind, QueuedMail } from './mail.js';

const LINKED: readonly MailKind[] = [
  'welcome',
  'password_reset',
  'sign_up',
  'sign_in_link',
  'email_change_approval',
  'email_change_confirmation',
];
const NOTICES: readonly MailKind[] = [
  'sign_up_known',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'email_changed',
  'webhook_gone',
  'webhook_failing',
];

const mail = (kind: MailKind, more: Partial<QueuedMail> = {}): QueuedMail => ({
  mail_id: '01a1fb4f-0000-7000-8000-000000000001',
  kind,
  passkeys: ['Phone', 'Key'],
  url: 'https://receiver.example/hooks',
  email: 'ada@example.org',
  account: 'ada@example.org',
  new_email: 'lovelace@example.org',
  name: 'Ada',
  site_name: 'Harbour',
  base_url: 'https://school.example',
  theme: NO_THEME,
  language: null,
  locale: null,
  site_locale: null,
  timezone: null,
  link: LINKED.includes(kind) ? { token: 'the-token', expires_at: new Date('2026-11-23T20:30:00.000Z') } : undefined,
  ...more,
});

it.each([...LINKED, ...NOTICES])('writes %s in the language of the person', (kind) => {
  const english = mailText(mail(kind, { site_locale: 'zh-TW', locale: 'en' }));
  expect(english.subject + english.text).not.toMatch(/\p{Script=Han}/u);
  const chinese = mailText(mail(kind, { site_locale: 'en', locale: 'zh-TW' }));
  expect(chinese.subject).toMatch(/\p{Script=Han}/u);
  const words = chinese.text.replaceAll(/(?:POST |GET )?https:\S+/g, '');
  expect([chinese.subject, ...words.split('\n')].filter((line) => /[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/.test(line))).toEqual(
    [],
  );
  const forms = { subject: '', text: '', html: '' };
  expect({ ...chinese, ...forms }).toEqual({ ...english, ...forms });
  expect([english.html.includes('<html lang="en"'), chinese.html.includes('<html lang="zh-TW"')]).toEqual([true, true]);
});

it('prefers the language of the person, then that of the request, then that of the site', () => {
  const isChinese = (more: Partial<QueuedMail>): boolean => /密碼/.test(mailText(mail('password_reset', more)).subject);
  expect(isChinese({ locale: 'zh-TW', language: 'en', site_locale: 'en' })).toBe(true);
  expect(isChinese({ locale: 'en', language: 'zh-TW', site_locale: 'zh-TW' })).toBe(false);
  expect(isChinese({ language: 'zh-TW', site_locale: 'en' })).toBe(true);
  expect(isChinese({ language: 'en', site_locale: 'zh-TW' })).toBe(false);
  expect([isChinese({ site_locale: 'zh-TW' }), isChinese({})]).toEqual([true, false]);
});

it.each(LINKED)('names the link of %s and its end in the zone of the site', (kind) => {
  expect(mailText(mail(kind)).text).toMatch(/token=the-token\n.*2026-11-23 20:30:00 UTC\./);
  const { text } = mailText(mail(kind, { site_locale: 'zh-TW', timezone: 'Asia/Taipei' }));
  expect(text).toMatch(/token=the-token\n.*2026-11-24 04:30:00 \(Asia\/Taipei\)。/);
});

it('greets by name, except at an address that is not confirmed', () => {
  expect(mailText(mail('welcome')).text).toMatch(/\n\nHello Ada,\n\nYou now have access/);
  expect(mailText(mail('email_change_confirmation')).text).toMatch(/\n\nHello,\n/);
  expect(mailText(mail('welcome', { locale: 'zh-TW' })).text).toMatch(/\n\nAda，你好：\n/);
  expect(mailText(mail('welcome', { locale: 'zh-TW', name: 'Bob evil.example' })).text).toMatch(/\n\n你好：\n/);
});

it.each([...LINKED, ...NOTICES])('writes %s with the words of its text in its HTML, and one button at most', (kind) => {
  const { text, html } = mailText(mail(kind));
  const lines = text
    .replaceAll(/^- |: https:\S+/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && line !== '-- ');
  expect(lines.filter((line) => !html.includes(line.replaceAll('"', '&quot;')))).toEqual([]);
  expect((html.match(/<a [^>]*class="button main"/g) ?? []).length).toBeLessThanOrEqual(1);
  expect(text).toContain('You receive this email because');
});

it('uses the colors of the site', () => {
  const theme = { ...NO_THEME, accent_color: '#0f5132' };
  expect(mailText(mail('welcome', { theme })).html).toContain('background-color:#0f5132');
});

it('opens the site where a welcome has no link', () => {
  const { text } = mailText(mail('welcome', { link: undefined }));
  expect(text).toContain('\n\nOpen Harbour: https://school.example/\n');
});
