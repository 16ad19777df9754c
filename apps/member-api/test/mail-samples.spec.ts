import { join } from 'node:path';
import { committedSamples } from '@lyceum/testing';
import { KINDS, topicOf } from '#src/notifications/kinds.policy.js';
import type { Kind } from '#src/notifications/kinds.policy.js';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { digestContent } from '#src/mails/digest-mail.policy.js';
import { notificationContent } from '#src/mails/notification-mail.policy.js';
import type { NotificationParts } from '#src/mails/notification-mail.policy.js';

/** Arguments of the texts, in English and in Chinese. */
const ARGUMENTS: Readonly<Record<string, readonly [string | number, string | number]>> = {
  course: ['Celestial Navigation', '天文航海'],
  plan: ['Crew', '船員方案'],
  change: ['time', 'time'],
  product: ['Tide tables 2027', '2027 潮汐表'],
  service: ['Chart reading', '海圖判讀'],
  title: ['The harbor is closed on Monday', '週一港口休館'],
  excerpt: ['It is a holiday. The library opens again on Tuesday.', '因逢國定假日。圖書館週二恢復開放。'],
  body: ['It is a holiday.\n\nThe library opens again on Tuesday.', '因逢國定假日。\n\n圖書館週二恢復開放。'],
  lecture: ['Knots under load', '受力繩結'],
  author: ['Grace Hopper', '林美'],
  event: ['Night regatta', '夜間帆船賽'],
  minutes: [1440, 1440],
  start: ['2026-12-04 19:00 (Europe/Lisbon)', '2026-12-05 03:00 (Asia/Taipei)'],
};

const REPLIES = [
  ['Grace Hopper', 'Indeed: the bowline holds, and opens after any load.'],
  ['林美', '漲潮時我會改用雙套結。'],
  ['Ben', 'Thank you!'],
  ['Katherine Johnson', 'The table on page 12 gives the height of the tide for each hour. Interpolate between two.'],
] as const;

function parametersOf(kind: Kind, language: 0 | 1): NotificationParts['parameters'] {
  const entries = KINDS[kind].parameters.map((name) => [name, ARGUMENTS[name]?.[language] ?? ''] as const);
  return { ...Object.fromEntries(entries), ...(kind === 'membership_changed' ? { change: 'past_due' } : {}) };
}

const mail = (kind: Kind, locale: string): NotificationParts => ({
  mail_id: '01a1fb4f-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  name: locale === 'en' ? 'Ada Lovelace' : '林美',
  site_name: locale === 'en' ? 'Harbour School' : '海港學院',
  base_url: 'https://school.example',
  kind,
  topic: topicOf(kind),
  parameters: parametersOf(kind, locale === 'en' ? 0 : 1),
  locale,
  site_locale: null,
  url: kind.startsWith('booking') ? null : 'https://school.example/courses/celestial-navigation',
  unsubscribe: TOPICS[topicOf(kind)].transactional
    ? null
    : `https://school.example/member/unsubscribe?token=${'Zk3v'.repeat(16)}`,
});

it('keeps a sample of each mail in both languages for the suite that looks at them', () => {
  const notifications = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
    ['en', 'zh-TW'].map((language) => ({
      name: `notification-${kind}`,
      language,
      parts: notificationContent(mail(kind, language)),
    })),
  );
  const digests = ['en', 'zh-TW'].map((language) => {
    const replies = REPLIES.map(([author, excerpt]) => ({
      ...mail('comment_replied', language),
      parameters: { author, excerpt },
    }));
    return { name: 'digest-comment_reply', language, parts: digestContent(replies[0]!, replies) };
  });
  const samples = [...notifications, ...digests];
  expect(samples.map(({ parts }) => parts.heading)).not.toContain('');
  const file = join(__dirname, '../../../test/browser/mails/member-api.json');
  expect(committedSamples(file, samples)).toEqual(samples);
});
