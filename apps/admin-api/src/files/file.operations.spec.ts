import { fileCollection } from './file.operations.js';
import { upload } from './file.schema.js';

const descriptionOf = (name: string): string | undefined =>
  fileCollection.tools.find(({ declaration }) => declaration.name === name)?.declaration.description;

it('gives an agent that cannot send a file a command for the person, of the members of the response', () => {
  const description = descriptionOf('create_upload');
  expect(description).toContain('If you cannot read or send the file, ask the person');
  expect(description).toContain('sha256sum FILE');
  expect(description).toContain('curl -T FILE -H "NAME: VALUE" "UPLOAD_URL"');
  expect(descriptionOf('complete_upload')).toContain('If the person sends the file');
  const { shape } = upload.object;
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(['bytes', 'sha256', 'upload_url']));
  expect(shape.headers.parse([{ name: 'content-type', value: 'image/png' }])).toHaveLength(1);
});
