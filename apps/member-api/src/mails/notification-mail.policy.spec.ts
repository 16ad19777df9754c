import { notificationMail } from './notification-mail.policy.js';

const PARTS = {
  mail_id: '01a1fb4f-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  name: 'Ada',
  site_name: 'Harbour School',
  base_url: 'http://localhost:8080',
  kind: 'course_post_published',
  topic: 'course_update',
  parameters: { title: 'Tides', excerpt: 'High and low.' },
  locale: null,
  site_locale: null,
  url: 'https://www.example.com/posts/tides',
  unsubscribe: 'http://localhost:8080/member/unsubscribe?token=x',
};

it('writes title, text, link, reason and unsubscribe link into a mail', () => {
  const mail = notificationMail(PARTS);
  expect(mail).toMatchObject({
    to: 'ada@example.org',
    fromName: 'Harbour School',
    subject: 'Tides',
    messageId: '01a1fb4f-0000-7000-8000-000000000001@localhost',
    headers: {
      'List-Unsubscribe': '<http://localhost:8080/member/unsubscribe?token=x>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
  const lines = ['Hello Ada,', 'Tides', 'High and low.', 'https://www.example.com/posts/tides', PARTS.unsubscribe];
  for (const line of lines)
    expect([line, mail.text.includes(line), mail.html.includes(line)]).toEqual([line, true, true]);
  expect(mail.html).toContain('>Read the post</a>');
});

it('leaves missing parts out of a mail', () => {
  const mail = notificationMail({
    ...PARTS,
    parameters: { title: 'Tides', excerpt: null },
    url: null,
    unsubscribe: null,
  });
  expect(mail.text).not.toMatch(/null|undefined|Unsubscribe/);
  expect(mail.headers).toEqual({});
});

it.each([
  ['zh-TW', 'en', 'Ada，你好：'],
  [null, 'zh-TW', 'Ada，你好：'],
  ['pt-BR', 'zh-TW', 'Ada，你好：'],
  ['en', 'zh-TW', 'Hello Ada,'],
  [null, null, 'Hello Ada,'],
])('greets a member with the language %j at a site with %j', (locale, site_locale, greeting) => {
  expect(notificationMail({ ...PARTS, locale, site_locale }).text).toContain(greeting);
});
