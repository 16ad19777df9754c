import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { linkPeriod } from './file.links.js';
import { upload } from './file.schema.js';
import { FileService } from './file.service.js';
import type { Upload } from './file.service.js';

export const fileCollection = collection({
  name: 'uploads',
  scope: 'storage',
  description: 'Files for other objects: uploads by signed links, checked before anything uses them.',
  service: FileService,
  row: rowOf<Upload>(),
  resource: upload,
  etag: ({ version, state }) => rowTag(version, state === 'ready' ? linkPeriod() : 0),
  personal: true,
  operations: {
    get: {
      id: 'getUpload',
      summary: 'Get an upload',
      description: 'Only its uploader can read it. A file with the state ready has a download link.',
      run: (files, { principal, id }) => files.get(principal, id),
    },
    create: {
      id: 'createUpload',
      summary: 'Start an upload',
      description:
        'PUT the bytes to `upload_url` with the `headers` before `expires_at`, then complete the upload. A file that ' +
        'nothing uses is deleted after 7 days, one for an import after 24 hours. A site has a quota of bytes and of open ' +
        'uploads.',
      problems: ['quota_exceeded'],
      tool: {
        description:
          'Starts the upload of a file and returns a signed URL with the headers of the PUT. Use it before ' +
          'complete_upload when another object needs a file, with the size and SHA-256 that the person prints by ' +
          '`wc -c FILE` and `sha256sum FILE` if you cannot read it.',
      },
      run: (files, { principal, body, write, tx }) => files.create(principal, body, { tx, dryRun: write.dryRun }),
    },
    actions: {
      complete: {
        id: 'completeUpload',
        summary: 'Complete an upload',
        description:
          'Checks size, SHA-256, type and content. The state is then ready or rejected, with the reason in `rejection`; a ' +
          'large file may be uploaded for some seconds while it is checked. Repeating it changes nothing.',
        problems: ['invalid_state', 'temporarily_unavailable'],
        tool: {
          description:
            'Checks an uploaded file and makes it ready, or rejected with a reason. Use it after the PUT to the upload_url ' +
            'of create_upload, or when the person says that their command has ended.',
        },
        run: (files, { principal, write, tx, ...key }) => files.complete(principal, key, { tx, dryRun: write.dryRun }),
      },
      abort: {
        id: 'abortUpload',
        summary: 'Abort an upload',
        description:
          'Rejects the file, which is then deleted within a day. A file that another object uses stays. Repeating it changes ' +
          'nothing.',
        ends: true,
        problems: ['resource_in_use'],
        tool: {
          description:
            'Gives up an upload or a file that nothing uses; the file is deleted. Use it when the upload was a mistake or ' +
            'cannot be finished.',
        },
        run: (files, { principal, tx, ...key }) => files.abort(principal, key, tx),
      },
    },
  },
});
