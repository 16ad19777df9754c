import type { PeriodicWork } from '@lyceum/platform';
import { AnalyticsClock } from '#src/analytics/analytics.clock.js';
import { AnnouncementClock } from '#src/announcements/announcement.clock.js';
import { CouponClock } from '#src/coupons/coupon.clock.js';
import { DigitalProductGrantClock } from '#src/digital-product-grants/digital-product-grant.clock.js';
import { AccessClock } from '#src/enrollments/access.clock.js';
import { EventClock } from '#src/event-registrations/event.clock.js';
import { PostClock } from '#src/posts/post.clock.js';
import { SubscriptionClock } from '#src/subscriptions/subscription.clock.js';
import { startAdminApi } from './admin-api.js';

it('starts each schedule of the service', async () => {
  const api = await startAdminApi({ environment: { PERIODIC_TASKS: 'on' } });
  const text = await (await fetch(`${api.service.managementUrl}/metrics`)).text();
  await api.stop();
  const names = [...text.matchAll(/^periodic_work_overdue_seconds\{work="([^"]+)"/gm)].map(([, name = '']) => name);
  expect(names.toSorted()).toEqual([
    'AccessClock',
    'ActivityRetention',
    'AnalyticsClock',
    'AnnouncementClock',
    'ChangeRetention',
    'CouponClock',
    'DigitalProductGrantClock',
    'EventClock',
    'EventEraser',
    'ExportSweep',
    'ExportSweep.forgotten',
    'FileSweep',
    'FileSweep.forgotten',
    'IdempotencyPurge',
    'ImportSweep',
    'ImportSweep.forgotten',
    'InboxSweeper',
    'PostClock',
    'RateWindowsSweeper',
    'SiteEraser',
    'SubscriptionClock',
    'WebhookSweep',
  ]);
});

const BATCH = 100;

/** A clock, the method that it calls, and results of this method. It calls it again after all of them but the last. */
const CLOCKS: [string, new (service: never) => PeriodicWork, string, readonly unknown[]][] = [
  ['AccessClock', AccessClock, 'followClock', [BATCH, BATCH, 3]],
  ['AnalyticsClock', AnalyticsClock, 'follow', [true, true, false]],
  ['AnnouncementClock', AnnouncementClock, 'followClock', [BATCH, BATCH, 3]],
  ['CouponClock', CouponClock, 'followClock', [BATCH, BATCH, 3]],
  ['DigitalProductGrantClock', DigitalProductGrantClock, 'followClock', [BATCH, 3, 0]],
  ['EventClock', EventClock, 'followClock', [BATCH, 3, 0]],
  ['PostClock', PostClock, 'followClock', [BATCH, BATCH, 3]],
  ['SubscriptionClock', SubscriptionClock, 'followClock', [BATCH, 3, 0]],
  ['SubscriptionClock', SubscriptionClock, 'followPlans', [true, true, false]],
];

describe.each(CLOCKS)('%s', (_name, Clock, method, results) => {
  /** A clock of a service without other work. */
  function clockOf(follow: () => Promise<unknown>): PeriodicWork {
    const none = {
      followClock: () => Promise.resolve(0),
      followPlans: () => Promise.resolve(false),
      dueCourses: () => Promise.resolve([]),
    };
    return Reflect.construct(Clock, [{ ...none, [method]: follow }]) as PeriodicWork;
  }

  it(`calls ${method} until nothing is left`, async () => {
    const left = [...results];
    const follow = jest.fn(() => Promise.resolve(left.shift()));
    await clockOf(follow).run(new AbortController().signal);
    expect(follow).toHaveBeenCalledTimes(results.length);
  });

  it(`does not call ${method} again after its signal is aborted`, async () => {
    const stop = new AbortController();
    const left = [...results];
    const follow = jest.fn(() => {
      stop.abort();
      return Promise.resolve(left.shift());
    });
    await clockOf(follow).run(stop.signal);
    expect(follow).toHaveBeenCalledTimes(1);
  });
});
