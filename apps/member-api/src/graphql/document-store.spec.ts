import { parse } from 'graphql';
import { DocumentStore } from './document-store.js';

/** The capacity of the store in thousands of characters. */
const CAPACITY = 120;

const document = (thousands: number) => parse(`{ a }${' '.repeat(thousands * 1_000 - 5)}`);

describe('the document store', () => {
  it('evicts the least recently used document when its capacity is exceeded', async () => {
    const store = new DocumentStore();
    await store.set('one', document(CAPACITY / 3));
    await store.set('two', document(CAPACITY / 3));
    await store.set('three', document(CAPACITY / 3));
    await store.get('one');
    await store.set('four', document(CAPACITY / 3));
    expect(store.size).toBe(3);
    await expect(store.get('two')).resolves.toBeUndefined();
    await expect(store.get('one')).resolves.toBeDefined();
  });

  it('counts a document that is stored again once', async () => {
    const store = new DocumentStore();
    await store.set('one', document(CAPACITY / 2));
    await store.set('one', document(CAPACITY / 2));
    await store.set('two', document(CAPACITY / 2));
    expect(store.size).toBe(2);
  });

  it('ignores a document larger than its capacity and keeps the others', async () => {
    const store = new DocumentStore();
    await store.set('one', document(CAPACITY));
    await store.set('two', document(CAPACITY + 1));
    await expect(store.get('one')).resolves.toBeDefined();
    await expect(store.get('two')).resolves.toBeUndefined();
  });
});
