import type { Collection } from '@lyceum/collections';
import { flatCollection } from './flat-collection.js';

const PATH = { name: 'tickets', above: 'event_id', aboveText: 'The event of the ticket' };

/** The mistake is refused by the compiler. The function is never called. */
const mistake = (listed: Collection<abstract new () => { list(): Promise<object> }>) =>
  // @ts-expect-error the service finds no object by its id alone
  flatCollection(listed, PATH);

it('takes collections whose service finds an object by its id alone', () => {
  expect(mistake).toBeInstanceOf(Function);
});
