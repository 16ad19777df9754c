import { fileCollection } from './file.operations.js';
import { upload } from './file.schema.js';

const descriptionOf = (name: string): string | undefined =>
  fileCollection.tools.find(({ declaration }) => declaration.name === name)?.declaration.description;

it('gives an agent that cannot send a file a command for the person, of the members of the response', () => {
  expect(descriptionOf('create_upload')).toContain('`sha256sum FILE` if you cannot read it');
  expect(descriptionOf('complete_upload')).toContain('or when the person says that their command has ended');
  const { shape } = upload.object;
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(['bytes', 'sha256', 'upload_url']));
  expect(shape.upload_url.meta()?.description).toContain('`curl -T FILE -H "NAME: VALUE" "UPLOAD_URL"`');
  expect(shape.headers.parse([{ name: 'content-type', value: 'image/png' }])).toHaveLength(1);
});
