import { rowsOf } from './rows-of.js';

interface Data {
  readonly post_id: string;
  readonly title: string;
  readonly excerpt?: string;
}

const EVENT: { data: Data; epoch: number; aggregate_version: number } = {
  data: { post_id: '1', title: 'Tides' },
  epoch: 2,
  aggregate_version: 3,
};

it('copies the named members, adds the place of the event, and leaves out the other members', () => {
  expect(rowsOf([EVENT], ['post_id'])).toEqual([{ post_id: '1', epoch: 2, version: 3 }]);
});

it('stores null for a missing member', () => {
  expect(rowsOf([EVENT], ['excerpt'])).toEqual([{ excerpt: null, epoch: 2, version: 3 }]);
});

it('adds the computed columns', () => {
  expect(rowsOf([EVENT], ['post_id'], ({ title }) => ({ shout: title.toUpperCase() }))).toEqual([
    { post_id: '1', epoch: 2, version: 3, shout: 'TIDES' },
  ]);
});

it('accepts no member that the data does not have', () => {
  // @ts-expect-error a misspelled member
  expect(rowsOf([EVENT], ['titel'])).toEqual([{ titel: null, epoch: 2, version: 3 }]);
});
