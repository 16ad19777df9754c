import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { FileJobSweep } from '#src/file-jobs/file-job.sweep.js';
import { ExportFiles } from './export.files.js';
import { ExportService } from './export.service.js';

@Injectable()
export class ExportSweep extends FileJobSweep {
  constructor(outbox: Outbox, exports: ExportService, files: ExportFiles) {
    super('exports', outbox, exports, files);
  }
}
