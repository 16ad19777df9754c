import { siteZip, uploadedBundle } from './page-bundle.js';
import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of pages and their deployments. */
export async function usePages(proxy: ValidationProxy, unique: string): Promise<void> {
  const body = { title: 'By Prism', slug: `page-${unique}` };
  const { id } = await proxy.write('createPage', 201, { body });
  const path = { id, page_id: id, external_id: body.slug };
  await proxy.write('putPage', 201, { path, body: { ...body, slug: `put-page-${unique}` } });
  await proxy.write('updatePage', 200, { path, body: { title: 'Renamed' } });
  const zip = siteZip({ 'index.html': '<h1>By Prism</h1>' });
  const file_id = await uploadedBundle(zip, {
    create: (announced) => proxy.send('createUpload', 201, { body: announced }),
    complete: (upload) => proxy.send('completeUpload', 200, { path: { id: upload } }),
  });
  const first = await proxy.write('createPageDeployment', 201, { path, body: { file_id } });
  const second = await proxy.send('createPageDeployment', 201, { path, body: { file_id } });
  const one = { ...path, deployment_id: second.id };
  await proxy.send('promotePageDeployment', 200, { path: { ...path, deployment_id: first.id } });
  await proxy.write('promotePageDeployment', 200, { path: one });
  await proxy.write('rollBackPageDeployment', 200, { path: one });
  await proxy.send('rollBackPageDeployment', 409, { path: one });
  await proxy.list('listPageDeployments', { path });
  await proxy.get('getPageDeployment', { path: one });
  for (const action of ['publish', 'unpublish']) await proxy.write(`${action}Page`, 200, { path });
  await proxy.write('deletePage', 204, { path });
}
