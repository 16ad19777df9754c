import { sql } from '#src/selection/sources.js';
import { SourceCatalog, notificationSubject } from './source-catalog.js';

describe('the catalog of sources', () => {
  it('merges sources of several features for one type and one union', () => {
    const catalog = new SourceCatalog();
    catalog.add({ Viewer: { name: sql.text('name') }, ...notificationSubject('Post', (id) => `post ${id}`) });
    catalog.add({ Viewer: { email: sql.text('email') }, ...notificationSubject('Course', (id) => `course ${id}`) });
    expect(Object.keys(catalog.sources['Viewer'] ?? {})).toEqual(['name', 'email']);
    expect(catalog.sources['Notification']).toEqual({
      subject: { kind: 'one', from: { Post: 'post n.subject_id', Course: 'course n.subject_id' } },
    });
  });

  it.each([
    ['a field', { Viewer: { name: sql.text('name') } }, 'Viewer.name'],
    ['a type of a union', notificationSubject('Post', (id) => id), 'Notification.subject'],
  ])('refuses %s that two features add', (_, sources, field) => {
    const catalog = new SourceCatalog();
    catalog.add(sources);
    expect(() => catalog.add(sources)).toThrow(`${field} has two sources`);
  });
});
