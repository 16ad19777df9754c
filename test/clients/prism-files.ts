import { announcedStudents, putContent } from './student-file.js';
import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of uploads. */
export async function useUploads(proxy: ValidationProxy): Promise<void> {
  const content = 'email,name\n';
  const body = announcedStudents(content);
  const { id } = await proxy.write('createUpload', 201, { body });
  const upload = await proxy.send('getUpload', 200, { path: { id } });
  expect(await putContent(upload, content)).toBe(200);
  await proxy.write('completeUpload', 200, { path: { id } });
  const { url } = await proxy.send<{ url: string }>('getUpload', 200, { path: { id } });
  expect(await (await fetch(url)).text()).toBe(content);
  await proxy.get('getUpload', { path: { id } });
  await proxy.write('abortUpload', 200, { path: { id } });
}

/** Uses each operation of exports. */
export async function useExports(proxy: ValidationProxy): Promise<void> {
  const { id } = await proxy.write('createExport', 201, { body: { collection: 'students', format: 'csv' } });
  await proxy.list('listExports');
  await proxy.get('getExport', { path: { id } });
  // A small export may be ready already.
  await proxy.send('cancelExport', [200, 409], { path: { id }, query: { dry_run: 'true' } });
  await proxy.send('cancelExport', [200, 409], { path: { id } });
}

/** Uses each operation of imports. */
export async function useImports(proxy: ValidationProxy, unique: string): Promise<void> {
  const content = `email,name\nimported-${unique}@example.com,Imported\n`;
  const body = announcedStudents(content);
  const upload = await proxy.send('createUpload', 201, { body });
  expect(await putContent(upload, content)).toBe(200);
  await proxy.send('completeUpload', 200, { path: { id: upload.id } });
  const { id } = await proxy.write('createImport', 201, {
    body: { collection: 'students', format: 'csv', upload_id: upload.id },
  });
  await proxy.list('listImports');
  await proxy.get('getImport', { path: { id } });
  // The check may run still, and a small import may be completed already.
  await proxy.send('runImport', [200, 409], { path: { id }, query: { dry_run: 'true' }, body: {} });
  await proxy.send('runImport', [200, 409], { path: { id }, body: { skip_invalid: true } });
  await proxy.send('cancelImport', [200, 409], { path: { id }, query: { dry_run: 'true' } });
  await proxy.send('cancelImport', [200, 409], { path: { id } });
}
