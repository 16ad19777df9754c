import type { EntityManager } from 'typeorm';
import { RowLocks } from './row-locks.js';
import { SiteRow } from './site-row.js';
import type { Caller } from './store-declaration.js';

class Book extends SiteRow {}
const book = (version = 1): Book => Object.assign(new Book(), { site_id: 'site', id: 'book', version });
const transaction = (): EntityManager => ({}) as EntityManager;

const site: Caller = { site_id: 'site' };
const teacher: Caller = { site_id: 'site', person_id: 'teacher' };
const fence = (caller: Caller) => (caller.person_id === undefined ? undefined : { condition: 'teacher_id = ?' });

describe('the locks of a transaction', () => {
  it('finds a row that was locked for the same caller', () => {
    const [locks, tx] = [new RowLocks<Book>(fence), transaction()];
    const row = locks.add(tx, teacher, book());
    expect(locks.find(tx, teacher, row)).toBe(row);
  });

  it('finds a row of a caller behind a fence for the site, which sees all rows', () => {
    const [locks, tx] = [new RowLocks<Book>(fence), transaction()];
    const row = locks.add(tx, teacher, book());
    expect(locks.find(tx, site, row)).toBe(row);
  });

  it('refuses a row of the site to a caller behind a fence, and to another site', () => {
    const [locks, tx] = [new RowLocks<Book>(fence), transaction()];
    const row = locks.add(tx, site, book());
    expect(locks.find(tx, teacher, row)).toBeUndefined();
    expect(locks.find(tx, { site_id: 'other' }, row)).toBeUndefined();
  });

  it('refuses an older state of the row, and finds the newest one', () => {
    const [locks, tx] = [new RowLocks<Book>(undefined), transaction()];
    const older = locks.add(tx, site, book());
    const newest = locks.add(tx, site, book(2));
    expect(locks.find(tx, site, older)).toBeUndefined();
    expect(locks.find(tx, site, newest)).toBe(newest);
  });

  it('returns the newest state of a row by its id, to those who see it', () => {
    const [locks, tx] = [new RowLocks<Book>(fence), transaction()];
    locks.add(tx, site, book());
    const newest = locks.add(tx, site, book(2));
    expect(locks.held(tx, site, 'book')).toBe(newest);
    expect(locks.held(tx, site, 'other')).toBeUndefined();
    expect(locks.held(tx, teacher, 'book')).toBeUndefined();
    expect(locks.held(tx, { site_id: 'other' }, 'book')).toBeUndefined();
    expect(locks.held(transaction(), site, 'book')).toBeUndefined();
  });

  it('refuses a key with the id only, and a row of another transaction', () => {
    const locks = new RowLocks<Book>(undefined);
    const tx = transaction();
    const row = locks.add(tx, site, book());
    expect(locks.find(tx, site, { id: 'book' })).toBeUndefined();
    expect(locks.find(transaction(), site, row)).toBeUndefined();
  });
});
