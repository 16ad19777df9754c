import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3FileStore } from '../src/stores/s3.store.js';

const PAGES = [
  `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><KeyCount>1</KeyCount>
   <IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=</NextContinuationToken>
   <Contents><Key>uploads/a</Key><LastModified>2026-11-22T10:00:00.000Z</LastModified>
   <Owner><ID>1</ID></Owner><Size>3</Size></Contents></ListBucketResult>`,
  `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>uploads/b</Key>
   <LastModified>2026-11-22T11:00:00.000Z</LastModified></Contents></ListBucketResult>`,
];

// s3rver cannot list a second page: its tokens need a cipher that OpenSSL 3 does not have.
it('lists all pages of a bucket', async () => {
  const seen: (string | null)[] = [];
  const server = createServer((request, response) => {
    seen.push(new URL(request.url ?? '', 'http://store').searchParams.get('continuation-token'));
    response.end(PAGES[seen.length - 1]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = new S3FileStore({ endpoint, bucket: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's' });
  const found = [];
  for await (const file of store.list('uploads/')) found.push(file);
  server.close();
  expect(found).toEqual([
    { key: 'uploads/a', modified_at: new Date('2026-11-22T10:00:00Z') },
    { key: 'uploads/b', modified_at: new Date('2026-11-22T11:00:00Z') },
  ]);
  expect(seen).toEqual([null, 'a+b/c=']);
});
