import { parse } from 'graphql';
import { DocumentStore } from './document-store.js';

const document = (length: number) => parse(`{ a }${' '.repeat(length - 5)}`);

describe('the document store', () => {
  it('keeps as much text as it is told, and forgets what was used least recently', async () => {
    const store = new DocumentStore(30);
    await store.set('one', document(10));
    await store.set('two', document(10));
    await store.set('three', document(10));
    await store.get('one');
    await store.set('four', document(10));
    expect(store.size).toBe(3);
    await expect(store.get('two')).resolves.toBeUndefined();
    await expect(store.get('one')).resolves.toBeDefined();
  });

  it('counts a document that is stored again once', async () => {
    const store = new DocumentStore(20);
    await store.set('one', document(10));
    await store.set('one', document(10));
    await store.set('two', document(10));
    expect(store.size).toBe(2);
  });

  it('does not keep a document that is larger than all of it, and loses nothing for it', async () => {
    const store = new DocumentStore(20);
    await store.set('one', document(20));
    await store.set('two', document(21));
    await expect(store.get('one')).resolves.toBeDefined();
    await expect(store.get('two')).resolves.toBeUndefined();
  });
});
