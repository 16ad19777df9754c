import { contentDisposition } from './content-disposition.js';

it.each([
  ['a.pdf', 'application/pdf', 'attachment; filename="a.pdf"'],
  ['a.png', 'image/png', 'inline; filename="a.png"'],
  ['a.svg', 'image/svg+xml', 'attachment; filename="a.svg"'],
  ['a"; x=\\.pdf', 'application/pdf', `attachment; filename="a_; x=_.pdf"; filename*=UTF-8''a%22%3B%20x%3D%5C.pdf`],
  ['课 (1)!.pdf', 'application/pdf', `attachment; filename="_ (1)!.pdf"; filename*=UTF-8''%E8%AF%BE%20%281%29!.pdf`],
])('shows %j of the type %s as %j', (name, type, header) => expect(contentDisposition(name, type)).toBe(header));
