import { sql } from '#src/selection/sources.js';
import { SourceCatalogue, notificationSubject } from './source-catalogue.js';

describe('the catalogue of sources', () => {
  it('merges sources of several features for one type and one union', () => {
    const catalogue = new SourceCatalogue();
    catalogue.add({ Viewer: { name: sql.text('name') }, ...notificationSubject('Post', (id) => `post ${id}`) });
    catalogue.add({ Viewer: { email: sql.text('email') }, ...notificationSubject('Course', (id) => `course ${id}`) });
    expect(Object.keys(catalogue.sources['Viewer'] ?? {})).toEqual(['name', 'email']);
    expect(catalogue.sources['Notification']).toEqual({
      subject: { kind: 'one', from: { Post: 'post n.subject_id', Course: 'course n.subject_id' } },
    });
  });

  it.each([
    ['a field', { Viewer: { name: sql.text('name') } }, 'Viewer.name'],
    ['a type of a union', notificationSubject('Post', (id) => id), 'Notification.subject'],
  ])('refuses %s that two features add', (_, sources, field) => {
    const catalogue = new SourceCatalogue();
    catalogue.add(sources);
    expect(() => catalogue.add(sources)).toThrow(`${field} has two sources`);
  });
});
