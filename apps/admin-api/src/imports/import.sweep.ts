import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { FileJobSweep } from '#src/file-jobs/file-job.sweep.js';
import { ImportFiles } from './import.files.js';
import { ImportService } from './import.service.js';

@Injectable()
export class ImportSweep extends FileJobSweep {
  constructor(outbox: Outbox, imports: ImportService, files: ImportFiles) {
    super('imports', outbox, imports, files);
  }
}
