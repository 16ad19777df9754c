import { operationChecks } from '@lyceum/collections/conventions';
import { conventionCases } from './convention-cases.js';
import { openApi, subjects } from './convention-service.js';

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openApi();
});
afterAll(() => close());

it('finds a case table for each collection', () => {
  expect(subjects.map(([name]) => name).toSorted()).toEqual(Object.keys(conventionCases).toSorted());
});

describe.each(subjects)('%s', (_name, subject) => {
  it.each(operationChecks(subject).map((check) => [check.name, check] as const))(
    'follows the conventions: %s',
    async (_check, check) => {
      await expect(check.run()).resolves.toBeUndefined();
    },
  );
});
