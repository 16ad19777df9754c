import { attachmentFault, filesOf } from './attachment.policy.js';

const [URL, FILE] = ['https://cdn.example.com/a.pdf', '019ab3c0-de90-7a01-9c3d-4e5f60718293'];

it.each([
  ['a url', { kind: 'pdf', url: URL, file_id: null }, undefined],
  ['a file', { kind: 'pdf', url: null, file_id: FILE }, undefined],
  ['a link with a url', { kind: 'link', url: URL, file_id: null }, undefined],
  ['neither', { kind: 'pdf', url: null, file_id: null }, 'url'],
  ['both', { kind: 'pdf', url: URL, file_id: FILE }, 'file_id'],
  ['a link to a file', { kind: 'link', url: null, file_id: FILE }, 'file_id'],
] as const)('judges an attachment with %s', (_name, attachment, member) => {
  expect(attachmentFault(attachment)?.member).toBe(member);
});

it('names the files with their places and types', () => {
  const attachments = [{ kind: 'link', file_id: null }, { kind: 'pdf' }, { kind: 'pdf', file_id: FILE }] as const;
  expect(filesOf([...attachments, { kind: 'file', file_id: FILE }])).toEqual([
    { file_id: FILE, pointer: '/attachments/2/file_id', purpose: 'attachment', types: ['application/pdf'] },
    { file_id: FILE, pointer: '/attachments/3/file_id', purpose: 'attachment', types: undefined },
  ]);
});
