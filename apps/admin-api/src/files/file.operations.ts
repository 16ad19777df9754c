import { Action, Collection, Create, Get } from '@lyceum/collections';
import type { ChangeRequest, CreateRequest, Created, ObjectRequest, Written } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { upload } from './file.schema.js';
import type { UploadCreate } from './file.schema.js';
import { FileService } from './file.service.js';
import type { Upload } from './file.service.js';

@Collection<Upload>({
  name: 'uploads',
  scope: 'storage',
  description: 'Files for other objects: uploads by signed links, checked before anything uses them.',
  resource: upload,
  etag: ({ version }) => rowTag(version),
  personal: true,
})
@Injectable()
export class FileOperations {
  constructor(private readonly files: FileService) {}

  @Get('getUpload', {
    summary: 'Get an upload',
    description: 'Only its uploader can read it. A file with the state ready has a download link.',
  })
  get({ principal, id }: ObjectRequest): Promise<Upload> {
    return this.files.get(principal, id);
  }

  @Create('createUpload', {
    summary: 'Start an upload',
    description:
      'PUT the bytes to `upload_url` with the `headers` before `expires_at`, then complete the upload. A file that ' +
      'nothing uses is deleted after 7 days, one for an import after 24 hours. A site has a quota of bytes and of open ' +
      'uploads.',
    problems: ['quota_exceeded'],
    tool: {
      description:
        'Starts the upload of a file and returns a signed URL with the headers of the PUT. Use it before ' +
        'complete_upload when another object needs a file.',
    },
  })
  create({ principal, body, write, tx }: CreateRequest<UploadCreate>): Promise<Created<Upload>> {
    return this.files.create(principal, body, { tx, dryRun: write.dryRun });
  }

  @Action('completeUpload', 'complete', {
    summary: 'Complete an upload',
    description:
      'Checks size, SHA-256, type and content. The state is then ready or rejected, with the reason in `rejection`; a ' +
      'large file may be uploaded for some seconds while it is checked. Repeating it changes nothing.',
    problems: ['invalid_state', 'temporarily_unavailable'],
    tool: {
      description:
        'Checks an uploaded file and makes it ready, or rejected with a reason. Use it after the PUT to the upload_url ' +
        'of create_upload.',
    },
  })
  complete({ principal, id, ifMatch, write, tx }: ChangeRequest): Promise<Written<Upload>> {
    return this.files.complete(principal, { id, ifMatch }, { tx, dryRun: write.dryRun });
  }

  @Action('abortUpload', 'abort', {
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
  })
  abort({ principal, id, ifMatch, tx }: ChangeRequest): Promise<Written<Upload>> {
    return this.files.abort(principal, { id, ifMatch }, tx);
  }
}
