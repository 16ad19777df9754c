import { announcedStudents, putContent } from './student-file.js';
import type { ValidationProxy } from './validation-proxy.js';

/** Uses each operation of digital products and their purchases. */
export async function useDigitalProducts(proxy: ValidationProxy, unique: string): Promise<void> {
  const content = 'name\n';
  const upload = await proxy.send('createUpload', 201, {
    body: { ...announcedStudents(content), purpose: 'attachment' },
  });
  expect(await putContent(upload, content)).toBe(200);
  await proxy.send('completeUpload', 200, { path: { id: upload.id } });
  const price = { amount_minor: 100, currency: 'TWD' };
  const body = { name: 'By Prism', slug: `product-${unique}`, price, files: [{ file_id: upload.id }] };
  const { id } = await proxy.write('createDigitalProduct', 201, { body });
  const path = { id, external_id: body.slug, digital_product_id: id };
  await proxy.write('putDigitalProduct', 201, { path, body: { ...body, slug: `put-product-${unique}` } });
  await proxy.write('updateDigitalProduct', 200, { path, body: { download_limit: 5 } });
  for (const action of ['publish', 'unpublish']) await proxy.write(`${action}DigitalProduct`, 200, { path });
  const student = await proxy.send('createStudent', 201, { body: { email: `buyer-${unique}@example.com` } });
  const granted = { path, body: { student_id: student.id } };
  const bought = { ...path, purchase_id: (await proxy.write('grantDigitalProductPurchase', 201, granted)).id };
  await proxy.write('grantDigitalProductPurchase', 200, granted);
  await proxy.list('listDigitalProductPurchases', { path });
  await proxy.get('getDigitalProductPurchase', { path: bought });
  const extended = { path: bought, body: { expires_at: '2040-01-01T00:00:00Z' } };
  await proxy.write('updateDigitalProductPurchase', 200, extended);
  await proxy.write('revokeDigitalProductPurchase', 200, { path: bought });
  await proxy.write('archiveDigitalProduct', 200, { path });
}
