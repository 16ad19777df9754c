import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of posts and announcements. */
export async function usePosts(proxy: ValidationProxy, unique: string): Promise<void> {
  const body = { title: 'By Prism', slug: `post-${unique}`, body_html: '<p>Text</p>' };
  const { id } = await proxy.write('createPost', 201, { body });
  const path = { id, external_id: body.slug };
  const put = await proxy.write('putPost', 201, { path, body: { ...body, slug: `put-post-${unique}` } });
  // Too old to notify members of the demo.
  await proxy.write('updatePost', 200, { path, body: { published_at: '2026-01-01T00:00:00Z' } });
  await proxy.list('listPosts');
  await proxy.get('getPost', { path });
  await proxy.write('publishPost', 200, { path });
  await proxy.write('unpublishPost', 200, { path });
  await proxy.send('publishPost', 200, { path });
  await proxy.write('archivePost', 200, { path });
  await proxy.write('deletePost', 204, { path: { id: put.id } });

  const sends_at = '2090-01-01T00:00:00Z';
  // Members of the demo have not subscribed to marketing.
  const message = { title: 'By Prism', purpose: 'marketing', sends_at };
  const announcement = await proxy.write('createAnnouncement', 201, { body: message });
  const one = { id: announcement.id, external_id: `announcement-${unique}` };
  const other = await proxy.write('putAnnouncement', 201, { path: one, body: message });
  await proxy.write('updateAnnouncement', 200, { path: one, body: { body: 'Text' } });
  await proxy.list('listAnnouncements');
  await proxy.get('getAnnouncement', { path: one });
  await proxy.write('scheduleAnnouncement', 200, { path: one });
  await proxy.write('unscheduleAnnouncement', 200, { path: one });
  await proxy.write('sendAnnouncement', 200, { path: one });
  await proxy.write('deleteAnnouncement', 204, { path: { id: other.id } });
}
