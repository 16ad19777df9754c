import { matrixPattern, nearestSuites } from './nearest.js';

const SUITES = [
  'apps/admin-api/src/courses/course.policy.spec.ts',
  'apps/admin-api/src/coupons/coupon.policy.spec.ts',
  'apps/admin-api/test/collections.spec.ts',
  'apps/admin-api/test/courses.spec.ts',
  'apps/admin-api/test/course-plans.spec.ts',
  'apps/admin-api/test/coupons.spec.ts',
  'apps/admin-api/test/discourse.spec.ts',
  'apps/member-api/test/courses.spec.ts',
  'libs/platform/src/sql.db.spec.ts',
  'libs/platform/src/clock.spec.ts',
  'libs/rest/src/paging/cursor.spec.ts',
  'libs/rest/src/bulk/bulk.spec.ts',
  'test/repository/language.spec.ts',
  'test/faults/restart.spec.ts',
];
const TEXTS: Readonly<Record<string, string>> = {
  'apps/admin-api/test/coupons.spec.ts': "import { couponSeller } from './coupon-seller.js';",
  'test/faults/restart.spec.ts': "import { faultStack } from './fault-stack.js';",
};
const near = (...changed: string[]) => nearestSuites(changed, SUITES, (suite) => TEXTS[suite] ?? '');

describe('nearestSuites', () => {
  it.each([
    ['a suite', 'apps/admin-api/test/coupons.spec.ts', ['apps/admin-api/test/coupons.spec.ts']],
    [
      'a feature of a service',
      'apps/admin-api/src/courses/course.service.ts',
      [
        'apps/admin-api/src/courses/course.policy.spec.ts',
        'apps/admin-api/test/courses.spec.ts',
        'apps/admin-api/test/course-plans.spec.ts',
      ],
    ],
    ['a folder of a library', 'libs/rest/src/paging/cursor.ts', ['libs/rest/src/paging/cursor.spec.ts']],
    ['a file of a library', 'libs/platform/src/sql.ts', ['libs/platform/src/sql.db.spec.ts']],
    ['a helper of tests', 'apps/admin-api/test/coupon-seller.ts', ['apps/admin-api/test/coupons.spec.ts']],
    ['a helper of the system', 'test/faults/fault-stack.ts', ['test/faults/restart.spec.ts']],
    ['a page', 'docs/tools.md', []],
  ])('finds the suites near %s', (_title, file, suites) => {
    expect(near(file).flatMap((one) => one.suites)).toEqual(suites);
  });

  it('groups the suites of several files by package, each suite once', () => {
    expect(
      near('libs/platform/src/clock.ts', 'apps/admin-api/src/coupons/coupon.policy.ts', 'libs/platform/src/sql.ts'),
    ).toEqual([
      {
        directory: 'apps/admin-api',
        suites: ['apps/admin-api/src/coupons/coupon.policy.spec.ts', 'apps/admin-api/test/coupons.spec.ts'],
      },
      { directory: 'libs/platform', suites: ['libs/platform/src/sql.db.spec.ts', 'libs/platform/src/clock.spec.ts'] },
    ]);
  });
});

describe('matrixPattern', () => {
  it('names the resources of changed folders', () => {
    const pattern = matrixPattern([
      'apps/admin-api/src/consulting-slots/slot.service.ts',
      'apps/admin-api/src/categories/category.schema.ts',
      'apps/member-api/src/orders/order.service.ts',
    ]);
    expect(pattern).toBe('^[a-z_/]*(categor|slot)');
  });

  it('returns undefined without a change of a resource', () => {
    expect(matrixPattern(['docs/tools.md', 'apps/admin-api/src/main.ts'])).toBeUndefined();
  });
});
